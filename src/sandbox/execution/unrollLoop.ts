import { closure } from '../../core/workflow/closure';
import type { NodeResult, SubmittedNode } from '../nodes/sandboxNode';
import { isLink, type RunPromptNodes } from './runPromptNodes';

interface Loop {
  readonly body: readonly string[];
  /** The node that ends the loop, which takes the result instead of what its inputs were linked to. */
  readonly end: string;
}

/** What is executed in place of a loop: each node of its body, once for each iteration (protocol 1.5). */
interface UnrolledLoop extends Loop {
  readonly nodes: { readonly id: string; readonly node: SubmittedNode; readonly shownAt: string }[];
  readonly result: string;
}

/** Undefined for a node that nothing ends: no server accepts it. */
export function unrolled(
  prompt: RunPromptNodes,
  start: string,
  iterations: NonNullable<NodeResult['iterations']>,
): UnrolledLoop | undefined {
  const loop = loopOf(prompt, start);
  if (!loop) return undefined;
  const { end, body } = loop;
  const nodes: UnrolledLoop['nodes'] = [];
  const add = (name: string, type: string, inputs: SubmittedNode['inputs']): string => {
    const id = `${start}.0.0.${name}`;
    nodes.push({ id, node: { class_type: type, inputs }, shownAt: start });
    return id;
  };
  const { accumulate = false, ...ending } = prompt.get(end)?.inputs ?? {};
  const results: unknown[] = [];
  let carried = prompt.get(start)?.inputs['initial_iteration_value'];
  let after: SubmittedNode['inputs'] = {};
  for (const [position, [index, item]] of iterations.entries()) {
    const [isFirst, isLast] = [position === 0, position === iterations.length - 1];
    const iteration = add(`iteration_${position}`, 'LoopIteration', {
      iteration_index: index,
      is_first: isFirst,
      is_last: isLast,
      list_item: { __value__: item },
      current_iteration_value: carried,
      ...after,
    });
    const idOf = (id: string): string => `${start}.0.0.${position}_${id}`;
    const moved = (value: unknown): unknown => {
      if (!isLink(value)) return value;
      const [from, slot] = value;
      return from === start ? [iteration, slot] : body.includes(from) ? [idOf(from), slot] : value;
    };
    for (const id of body) {
      const { class_type = '', inputs = {} } = prompt.get(id) ?? {};
      const links = Object.entries(inputs).map(([name, value]) => [name, moved(value)] as const);
      nodes.push({ id: idOf(id), node: { class_type, inputs: Object.fromEntries(links) }, shownAt: id });
    }
    const links = Object.values(ending).filter(isLink).map(moved);
    if (accumulate === true || isLast) results.push(moved(ending['output_value']));
    carried = moved(ending['next_iteration_value']);
    const told = { start_id: start, position: position + 1, total: iterations.length };
    const progress = add(`progress_${position}`, 'LoopProgress', { ...told, ...numbered('after', links) });
    after = numbered('after', [...links, [progress, 0]]);
  }
  const result = add('result', 'LoopResult', { ...numbered('output', results.filter(isLink)), ...after });
  return { ...loop, nodes, result };
}

function numbered(name: string, values: readonly unknown[]): SubmittedNode['inputs'] {
  return Object.fromEntries(values.map((value, index) => [`${name}.${index}`, value]));
}

const levels: Readonly<Record<string, number>> = { StartLoop: 1, EndLoop: -1 };

/** A loop ends at the first node behind it that as many inner loops start before as end. */
function loopOf(prompt: RunPromptNodes, start: string): Loop | undefined {
  const sources = (id: string): string[] =>
    Object.values(prompt.get(id)?.inputs ?? {}).flatMap((value) => (isLink(value) ? [value[0]] : []));
  const above = (id: string): ReadonlySet<string> => closure(sources(id), sources);
  const isBehind = (id: string): boolean => above(id).has(start);
  const level = (id: string): number => levels[prompt.get(id)?.class_type ?? ''] ?? 0;
  const ends = prompt.ids.filter((id) => level(id) < 0 && isBehind(id));
  return ends
    .map((end) => ({ end, body: [...above(end)].filter(isBehind) }))
    .filter(({ body }) => body.reduce((sum, id) => sum + level(id), 0) === 0)
    .sort((a, b) => a.body.length - b.body.length)[0];
}
