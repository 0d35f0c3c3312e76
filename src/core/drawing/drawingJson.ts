import type { Cubic } from './curves';
import type { Drawing } from './drawing';
import type { DrawnNode, DrawnRow, DrawnSlot } from './drawnNode';

/** The drawing for programs. The form is a contract. */
export function drawingJson({ nodes, links, groups }: Drawing): string {
  return JSON.stringify({
    nodes: Object.fromEntries(nodes.map((node) => [node.id, nodeForm(node)])),
    links: links.map(({ from, to, segments }) => {
      const [only] = segments;
      const paths = segments.map(pathForm);
      return {
        from,
        to,
        ...(segments.length === 1 && only ? { path: pathForm(only) } : { segments: paths }),
      };
    }),
    groups: groups.map(({ title, x, y, width, height }) => ({ title, x, y, width, height })),
  });
}

function nodeForm({ x, y, width, height, title, isCollapsed, inputs, outputs, rows }: DrawnNode): unknown {
  const slots = (list: readonly DrawnSlot[]): unknown =>
    list.map(({ name, x: left, y: top }) => ({ name, x: left, y: top }));
  return {
    x,
    y,
    width,
    height,
    title,
    collapsed: isCollapsed,
    inputs: slots(inputs),
    outputs: slots(outputs),
    widgets: rows.filter(({ isHidden }) => !isHidden).map(widgetForm),
  };
}

/** A switch by its value: what the page writes beside it is a matter of the definition. */
function widgetForm({ name, y, height, text, isOn, isLinked }: DrawnRow): unknown {
  const value = isOn === undefined ? text : isLinked ? '' : String(isOn);
  return { name, y, height, text: value };
}

function pathForm(cubic: Cubic): number[] {
  return cubic.flatMap(({ x, y }) => [x, y]);
}
