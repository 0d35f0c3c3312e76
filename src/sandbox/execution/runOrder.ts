import { countAt } from '../../core/safety/lists';
import type { PromptNodes, SubmittedNode, NodeResult } from '../nodes/sandboxNode';
import { parseExact } from '../../core/json/boundedJson';
import { isExactObject } from '../../core/json/exactValue';
import { reachableItems } from '../../core/workflow/closure';

/** The server takes any two-element list that starts with a text for a link (protocol 1.5). */
export type LinkValue = readonly [nodeId: string, slot: unknown];

export function isLinkValue(value: unknown): value is LinkValue {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

export interface NodePlace {
  readonly nodeId: string;
  readonly displayNodeId: string;
  /** The node that expanded into this one; null for nodes of the file. */
  readonly parentNodeId: string | null;
  readonly realNodeId: string;
}

export class RunPromptNodes {
  readonly #nodes: Map<string, SubmittedNode>;
  readonly #parents = new Map<string, string>();
  readonly #shownAt = new Map<string, string>();

  constructor(prompt: ReadonlyMap<string, SubmittedNode>) {
    this.#nodes = new Map(prompt);
  }

  get ids(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  get(id: string): SubmittedNode | undefined {
    return this.#nodes.get(id);
  }

  inputs(id: string): SubmittedNode['inputs'] {
    return this.#nodes.get(id)?.inputs ?? {};
  }

  addExpanded(id: string, node: SubmittedNode, parentId: string, shownAt = parentId): void {
    this.#nodes.set(id, node);
    this.#parents.set(id, parentId);
    this.#shownAt.set(id, this.#shownAt.get(shownAt) ?? shownAt);
  }

  replace(id: string, node: SubmittedNode): void {
    this.#nodes.set(id, node);
  }

  parentOf(id: string): string | undefined {
    return this.#parents.get(id);
  }

  place(id: string): NodePlace {
    const parentNodeId = this.#parents.get(id) ?? null;
    let real = id;
    for (let parent = this.#parents.get(real); parent !== undefined; parent = this.#parents.get(real))
      real = parent;
    return { nodeId: id, displayNodeId: this.#shownAt.get(id) ?? id, parentNodeId, realNodeId: real };
  }
}

/** JavaScript lists integer keys first; the server uses the order of the text. */
export function inFileOrder(prompt: PromptNodes, promptText: string): ReadonlyMap<string, SubmittedNode> {
  const inText = textOrder(promptText).filter((id) => Object.hasOwn(prompt, id));
  const ids = new Set([...inText, ...Object.keys(prompt)]);
  return new Map([...ids].flatMap((id) => (prompt[id] === undefined ? [] : [[id, prompt[id]]])));
}

function textOrder(promptText: string): readonly string[] {
  try {
    const exact = parseExact(promptText);
    return isExactObject(exact) ? [...exact.keys()] : [];
  } catch {
    return [];
  }
}

interface Loop {
  readonly body: readonly string[];
  /** Takes the result instead of what its inputs were linked to. */
  readonly end: string;
}

/** Each node of the body stands once for each iteration (protocol 1.5). */
interface UnrolledLoop extends Loop {
  readonly nodes: { readonly id: string; readonly node: SubmittedNode; readonly shownAt: string }[];
  readonly result: string;
}

/** Undefined for a start without an end, which no server accepts. */
export function unrollLoop(
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
  const { accumulate = false, ...ending } = prompt.inputs(end);
  const results: unknown[] = [];
  let carried = prompt.inputs(start)['initial_iteration_value'];
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
      if (!isLinkValue(value)) return value;
      const [from, slot] = value;
      return from === start ? [iteration, slot] : body.includes(from) ? [idOf(from), slot] : value;
    };
    for (const id of body) {
      const node = prompt.get(id);
      if (!node) continue;
      const links = Object.entries(node.inputs).map(([name, value]) => [name, moved(value)] as const);
      nodes.push({ id: idOf(id), node: { ...node, inputs: Object.fromEntries(links) }, shownAt: id });
    }
    const links = Object.values(ending).filter(isLinkValue).map(moved);
    if (accumulate === true || isLast) results.push(moved(ending['output_value']));
    carried = moved(ending['next_iteration_value']);
    const told = { start_id: start, position: position + 1, total: iterations.length };
    const progress = add(`progress_${position}`, 'LoopProgress', { ...told, ...numbered('after', links) });
    after = numbered('after', [...links, [progress, 0]]);
  }
  const result = add('result', 'LoopResult', {
    ...numbered('output', results.filter(isLinkValue)),
    ...after,
  });
  return { ...loop, nodes, result };
}

function numbered(name: string, values: readonly unknown[]): SubmittedNode['inputs'] {
  return Object.fromEntries(values.map((value, index) => [`${name}.${index}`, value]));
}

const levels: Readonly<Record<string, number>> = { StartLoop: 1, EndLoop: -1 };

/** A loop ends at the first node where no inner loop is open. */
function loopOf(prompt: RunPromptNodes, start: string): Loop | undefined {
  const sources = (id: string): string[] =>
    Object.values(prompt.inputs(id)).flatMap((value) => (isLinkValue(value) ? [value[0]] : []));
  const above = (id: string): ReadonlySet<string> => reachableItems(sources(id), sources);
  const isBehind = (id: string): boolean => above(id).has(start);
  const level = (id: string): number => levels[prompt.get(id)?.class_type ?? ''] ?? 0;
  const ends = prompt.ids.filter((id) => level(id) < 0 && isBehind(id));
  return ends
    .map((end) => ({ end, body: [...above(end)].filter(isBehind) }))
    .filter(({ body }) => body.reduce((sum, id) => sum + level(id), 0) === 0)
    .sort((a, b) => a.body.length - b.body.length)[0];
}

/** A link to a node that is not in the prompt (protocol 7.2). */
export class MissingNodeError extends Error {
  override readonly name = 'MissingNodeError';
  constructor(readonly nodeId: string) {
    super(`Node ${nodeId} not found`);
  }
}

interface OrderRules {
  isCached(nodeId: string): boolean;
  isOutput(nodeId: string): boolean;
  isLazy(nodeId: string, inputName: string): boolean;
}

/**
 * The order of the real server, as seen in transcripts: pending nodes are found depth first, from the last input to the
 * first. Of those that are ready, output nodes go first, then nodes before an output, then nodes two steps before one,
 * else the node that waits longest.
 */
export class ExecutionOrder {
  readonly #waitsFor = new Map<string, number>();
  readonly #waiting = new Map<string, Map<string, Set<unknown>>>();

  constructor(
    private readonly nodes: RunPromptNodes,
    private readonly rules: OrderRules,
  ) {}

  get isEmpty(): boolean {
    return this.#waitsFor.size === 0;
  }

  add(nodeId: string): void {
    const stack = [nodeId];
    const links: (readonly [from: string, slot: unknown, to: string])[] = [];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (this.#waitsFor.has(id)) continue;
      const node = this.nodes.get(id);
      if (node === undefined) throw new MissingNodeError(id);
      this.#waitsFor.set(id, 0);
      this.#waiting.set(id, new Map());
      for (const [name, value] of Object.entries(node.inputs)) {
        if (!isLinkValue(value) || this.rules.isLazy(id, name)) continue;
        const [from, slot] = value;
        if (!this.rules.isCached(from)) stack.push(from);
        links.push([from, slot, id]);
      }
    }
    for (const [from, slot, to] of links) this.addLink(from, slot, to);
  }

  /** Does nothing if `from` is done. */
  addLink(from: string, slot: unknown, to: string): void {
    if (this.rules.isCached(from)) return;
    this.add(from);
    const waiting = this.#waiting.get(from);
    if (waiting === undefined) return;
    const slots = waiting.get(to);
    if (slots === undefined) {
      waiting.set(to, new Set([slot]));
      this.#count(to, 1);
    } else {
      slots.add(slot);
    }
  }

  wantedSlots(nodeId: string): readonly unknown[] {
    return [...this.#waiters(nodeId).values()].flatMap((slots) => [...slots]);
  }

  /** The node stays pending until `complete`. Undefined if the remaining ones wait for each other. */
  next(): string | undefined {
    const ready = [...this.#waitsFor].filter(([, count]) => count === 0).map(([id]) => id);
    const isOutput = (id: string): boolean => this.rules.isOutput(id);
    const feedsOutput = (id: string): boolean => this.#waitingFor(id).some(isOutput);
    return (
      ready.find(isOutput) ??
      ready.find(feedsOutput) ??
      ready.find((id) => this.#waitingFor(id).some(feedsOutput)) ??
      ready[0]
    );
  }

  complete(nodeId: string): void {
    for (const waiting of this.#waitingFor(nodeId)) this.#count(waiting, -1);
    this.#waitsFor.delete(nodeId);
    this.#waiting.delete(nodeId);
  }

  /** The real server blames an expanded node, if any, else the first that can't run. */
  blamedForLoop(): string {
    const stuck = [...this.#waitsFor.keys()];
    return stuck.find((id) => this.nodes.parentOf(id) !== undefined) ?? stuck[0] ?? '';
  }

  #waitingFor(nodeId: string): readonly string[] {
    return [...this.#waiters(nodeId).keys()].filter((id) => this.#waitsFor.has(id));
  }

  #waiters(nodeId: string): ReadonlyMap<string, ReadonlySet<unknown>> {
    return this.#waiting.get(nodeId) ?? new Map<string, Set<unknown>>();
  }

  #count(nodeId: string, more: number): void {
    this.#waitsFor.set(nodeId, countAt(this.#waitsFor, nodeId) + more);
  }
}
