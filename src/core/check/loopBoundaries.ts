import type { Catalog } from '../catalog/catalog';
import type { ExactValue } from '../json/exactValue';
import { isLink } from './links';
import type { ServerNode, ServerPrompt } from './serverPrompt';

/** What can be wrong with the loops of a prompt, in the server's words (workflows 4.7). */
export type LoopErrorType =
  | 'loop_end_cycle'
  | 'loop_end_without_start'
  | 'ambiguous_loop_nesting'
  | 'loop_escape'
  | 'loop_start_without_end'
  | 'loop_accumulate_from_body';

/** The one fault that the server reports, at each of its nodes. */
export interface LoopFault {
  readonly type: LoopErrorType;
  readonly message: string;
  readonly details: string;
  /** Sorted, as the server sends them. */
  readonly nodeIds: readonly string[];
  /** The outputs that it costs. */
  readonly outputIds: readonly string[];
  /** The loop that is not closed, that has `accumulate` from inside it, or that a second End Loop would end. */
  readonly loop?: Loop | undefined;
}

interface Loop {
  readonly start: string;
  readonly end: string;
  /** The start, and what it reaches before the end and before what it must not reach. */
  readonly inside: ReadonlySet<string>;
}

/** Node to the nodes at the other ends of its links. */
type Edges = ReadonlyMap<string, ReadonlySet<string>>;

interface Reached {
  readonly found: Set<string>;
  readonly stopped: Set<string>;
}

/**
 * Whether a node starts or ends a loop. No definition says so: ComfyUI's own two do (workflows 4.7), and a pack's node
 * type of the same name does not.
 */
export function loopBoundary(
  classType: ExactValue | undefined,
  catalog: Catalog,
): 'start' | 'end' | undefined {
  if (classType !== 'StartLoop' && classType !== 'EndLoop') return undefined;
  const definition = catalog.get(classType);
  if (!definition || definition.pythonModule.startsWith('custom_nodes')) return undefined;
  return classType === 'StartLoop' ? 'start' : 'end';
}

/**
 * Pairs each End Loop with its Start Loop, innermost first, and finds the first fault that the server would report.
 * `validated` are the nodes that its validation came to; Start Loops that no output depends on are ignored.
 */
export function loopFault(
  prompt: ServerPrompt,
  catalog: Catalog,
  outputs: ReadonlySet<string>,
  validated: Iterable<string>,
): LoopFault | undefined {
  const bounds = { start: new Set<string>(), end: new Set<string>() };
  for (const { id, classType } of prompt.values()) {
    const bound = loopBoundary(classType, catalog);
    if (bound) bounds[bound].add(id);
  }
  if (bounds.start.size + bounds.end.size === 0) return undefined;
  return new Pairing(prompt, outputs, new Set(validated), bounds).fault();
}

class Pairing {
  private readonly parents: Edges;
  private readonly children: Edges;
  /** Those without a partner yet. */
  private readonly starts: Set<string>;
  private readonly ends: Set<string>;
  /** Outputs that nothing depends on: no loop may lead there but through its end. */
  private readonly lastOutputs: ReadonlySet<string>;
  private readonly pairs = new Map<string, string>();

  constructor(
    private readonly prompt: ServerPrompt,
    private readonly outputs: ReadonlySet<string>,
    validated: Set<string>,
    { start, end }: { readonly start: ReadonlySet<string>; readonly end: ReadonlySet<string> },
  ) {
    const all = edgesOf(prompt, new Set(prompt.keys()));
    const behind = walk(outputs, all.children, start).found;
    for (const id of behind) if (!start.has(id) || validated.has(id)) validated.add(id);
    const endsBehind = [...behind].filter((id) => end.has(id));
    for (const id of walk(endsBehind, all.parents, start).found) validated.add(id);
    ({ parents: this.parents, children: this.children } = edgesOf(prompt, validated));
    this.starts = new Set([...start].filter((id) => validated.has(id)));
    this.ends = new Set([...end].filter((id) => validated.has(id)));
    this.lastOutputs = new Set([...outputs].filter((id) => of(this.children, id).size === 0));
  }

  fault(): LoopFault | undefined {
    const all = new Set(this.starts);
    const before = new Map([...this.ends].map((id) => [id, this.up(id, this.ends)]));
    const sorted = [...this.ends].sort();
    while (this.ends.size > 0) {
      const end = sorted.find((id) => this.ends.has(id) && !overlap(before.get(id), this.ends));
      if (end === undefined) {
        const list = listed(this.ends);
        const details = `End Loops depend on each other, so none of them can be closed first: ${list}`;
        return this.fail('loop_end_cycle', 'End Loops depend on each other', details, this.ends);
      }
      const found = this.close(end, all);
      if (found) return found;
    }
    if (this.starts.size > 0) {
      const details = `Start Loops without End Loops: ${listed(this.starts)}`;
      return this.fail('loop_start_without_end', 'Start Loop has no End Loop', details, this.starts);
    }
    return this.accumulated();
  }

  private close(end: string, all: ReadonlySet<string>): LoopFault | undefined {
    const candidates = this.up(end, this.starts);
    if (candidates.size === 0) {
      const [start] = this.up(end, all);
      const details = `End Loop ${end} has no available Start Loop`;
      return this.fail('loop_end_without_start', 'End Loop has no Start Loop', details, [end], start);
    }
    const closest = candidates.size === 1 ? [...candidates] : this.closest(candidates, all);
    const [start, ...others] = closest;
    if (start === undefined || others.length > 0) {
      const details = `End Loop ${end} can close multiple unrelated Start Loops: ${listed(candidates)}`;
      const ids = [...candidates, end];
      return this.fail('ambiguous_loop_nesting', 'End Loop has ambiguous Start Loops', details, ids);
    }
    this.pairs.set(start, end);
    this.starts.delete(start);
    this.ends.delete(end);
    const escapes = this.reached(start, [...this.ends, ...this.lastOutputs, end]).stopped;
    escapes.delete(end);
    if (escapes.size === 0) return undefined;
    const details = `Start Loop ${start} reaches ${listed(escapes)} without passing through End Loop ${end}`;
    return this.fail('loop_escape', 'Loop body is not closed', details, [...escapes, start, end], start);
  }

  /** Those that are inside of all the others. */
  private closest(candidates: ReadonlySet<string>, all: ReadonlySet<string>): string[] {
    const next = new Map([...all].map((id) => [id, walk(of(this.children, id), this.children, all).stopped]));
    const inside = new Map([...candidates].map((id) => [id, walk(of(next, id), next, nothing).found]));
    const isInside = (id: string, outer: string): boolean => id === outer || of(inside, outer).has(id);
    return [...candidates].filter((id) => [...candidates].every((outer) => isInside(id, outer)));
  }

  private accumulated(): LoopFault | undefined {
    for (const [start, end] of this.pairs) {
      const value = this.prompt.get(end)?.inputs?.get('accumulate') ?? null;
      if (!isLink(value)) continue;
      const [source] = value;
      if (source === end || (source !== start && !this.reached(start, [end]).found.has(source))) continue;
      const details = `End Loop ${end} accumulate is driven by loop node ${source} under Start Loop ${start}`;
      const message = 'End Loop accumulate depends on its loop body';
      return this.fail('loop_accumulate_from_body', message, details, [start, end, source], start);
    }
    return undefined;
  }

  /** The nearest of `stops` that a node depends on. */
  private up(id: string, stops: ReadonlySet<string>): Set<string> {
    return walk(of(this.parents, id), this.parents, stops).stopped;
  }

  private reached(start: string, stops: readonly string[]): Reached {
    return walk(of(this.children, start), this.children, new Set(stops));
  }

  private fail(
    type: LoopErrorType,
    message: string,
    details: string,
    ids: Iterable<string>,
    start = '',
  ): LoopFault {
    const nodeIds = [...new Set(ids)].sort();
    const { found } = walk(nodeIds, this.children, nothing);
    const outputIds = [...this.outputs].filter((id) => found.has(id)).sort();
    const end = this.pairs.get(start);
    if (end === undefined) return { type, message, details, nodeIds, outputIds };
    const inside = this.reached(start, nodeIds).found;
    for (const id of nodeIds) inside.delete(id);
    const loop = { start, end, inside: inside.add(start) };
    return { type, message, details, nodeIds, outputIds, loop };
  }
}

/** The links among some nodes of a prompt, both ways. */
function edgesOf(prompt: ServerPrompt, ids: ReadonlySet<string>): { parents: Edges; children: Edges } {
  const parents = new Map<string, Set<string>>();
  const children = new Map<string, Set<string>>();
  const add = (edges: Map<string, Set<string>>, from: string, to: string): void => {
    const known = edges.get(from);
    if (known) known.add(to);
    else edges.set(from, new Set([to]));
  };
  for (const id of ids) {
    for (const origin of originsOf(prompt.get(id))) {
      if (!ids.has(origin)) continue;
      add(parents, id, origin);
      add(children, origin, id);
    }
  }
  return { parents, children };
}

function originsOf(node: ServerNode | undefined): string[] {
  return [...(node?.inputs?.values() ?? [])].flatMap((value) => (isLink(value) ? [value[0]] : []));
}

/** Everything that can be reached, and the `stops` among it, which are not passed. */
function walk(from: Iterable<string>, edges: Edges, stops: ReadonlySet<string>): Reached {
  const found = new Set<string>();
  const stopped = new Set<string>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    if (stops.has(id)) stopped.add(id);
    else for (const next of of(edges, id)) open.push(next);
  }
  return { found, stopped };
}

const nothing: ReadonlySet<string> = new Set();

function of(edges: Edges, id: string): ReadonlySet<string> {
  return edges.get(id) ?? nothing;
}

function overlap(ids: Iterable<string> = [], others: ReadonlySet<string>): boolean {
  for (const id of ids) if (others.has(id)) return true;
  return false;
}

function listed(ids: Iterable<string>): string {
  return [...ids].sort().join(', ');
}
