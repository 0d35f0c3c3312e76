import type { TextEdit } from '../../json/textEdit';
import type { Prompt } from '../../workflow/prompt';
import { endOf } from '../places/jsonPlace';

/**
 * Edits that move every node after its sources and otherwise keep the file's order. Each node's text moves unchanged;
 * what is between nodes stays. Empty if nothing has to move.
 */
export function sortEdits({ root, document, nodes }: Prompt): TextEdit[] {
  // Of two nodes with one id the last one counts: order is meaning then.
  if (!root || root.properties.length !== nodes.length) return [];
  const places = new Map(nodes.map(({ id }, index) => [id, index]));
  const sources = nodes.map(({ inputs }) => {
    return inputs.flatMap(({ link }) => {
      const source = link && places.get(link.nodeId);
      return source === undefined ? [] : [source];
    });
  });
  return sortedOrder(sources).flatMap((from, to): TextEdit[] => {
    const [target, source] = [root.properties[to], root.properties[from]];
    if (from === to || !target || !source) return [];
    return [
      {
        offset: target.offset,
        length: target.length,
        newText: document.text.slice(source.offset, endOf(source)),
      },
    ];
  });
}

/** Depth first in file order, so that a node directly follows what only it needs; cycles end where they started. */
function sortedOrder(sources: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  for (let start = 0; start < sources.length; start++) {
    const stack: { index: number; next: number }[] = [];
    const enter = (index: number): void => {
      if (seen.has(index)) return;
      seen.add(index);
      stack.push({ index, next: 0 });
    };
    enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const source = sources[top.index]?.[top.next++];
      if (source !== undefined) enter(source);
      else order.push(stack.pop()?.index ?? top.index);
    }
  }
  return order;
}
