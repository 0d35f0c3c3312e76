import type { Drawing } from './drawing';
import type { DrawnNode, DrawnRow, DrawnSlot } from './drawnNode';

/** The drawing for programs. The form is a contract. */
export function drawingJson({ nodes, links, groups, boundaries }: Drawing): string {
  return JSON.stringify({
    nodes: Object.fromEntries(nodes.map((node) => [node.id, nodeForm(node)])),
    links: links.map(({ from, to, segments }) => {
      const [path, ...more] = segments.map((cubic) => cubic.flatMap(({ x, y }) => [x, y]));
      return { from, to, ...(more.length === 0 ? { path } : { segments: [path, ...more] }) };
    }),
    groups: groups.map(({ title, x, y, width, height }) => ({ title, x, y, width, height })),
    // Only inside a subgraph. Its links name these ends by the node IDs -10 and -20.
    ...(boundaries.length > 0 && {
      boundary: Object.fromEntries(
        boundaries.map(({ side, x, y, width, height, slots }) => [
          side,
          { x, y, width, height, slots: slotForms(slots) },
        ]),
      ),
    }),
  });
}

function nodeForm({ x, y, width, height, title, isCollapsed, inputs, outputs, rows }: DrawnNode): unknown {
  return {
    ...{ x, y, width, height, title, collapsed: isCollapsed },
    inputs: slotForms(inputs),
    outputs: slotForms(outputs),
    widgets: rows.filter(({ isHidden }) => !isHidden).map(widgetForm),
  };
}

function slotForms(slots: readonly DrawnSlot[]): unknown {
  return slots.map(({ name, x, y }) => ({ name, x, y }));
}

/** A switch by its value: what the page writes beside it is a matter of the definition. */
function widgetForm({ name, y, height, text, isOn, isLinked }: DrawnRow): unknown {
  const value = isOn === undefined ? text : isLinked ? '' : String(isOn);
  return { name, y, height, text: value };
}
