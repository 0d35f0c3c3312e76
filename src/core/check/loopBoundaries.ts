import type { Catalog } from '../catalog/catalog';
import type { ExactValue } from '../json/exactValue';
import { reachableItems } from '../workflow/closure';
import { groupByKey } from '../workflow/graph/grouped';
import { isServerLink } from './links';
import type { ServerPrompt } from './serverPrompt';

const messages = {
  loop_end_cycle: 'End Loops depend on each other',
  loop_end_without_start: 'End Loop has no Start Loop',
  ambiguous_loop_nesting: 'End Loop has ambiguous Start Loops',
  loop_escape: 'Loop body is not closed',
  loop_start_without_end: 'Start Loop has no End Loop',
  loop_accumulate_from_body: 'End Loop accumulate depends on its loop body',
};

/** The one fault that the server reports, at each of its nodes. */
export interface LoopFault {
  readonly type: keyof typeof messages;
  readonly message: string;
  readonly details: string;
  /** Sorted, as the server sends them. */
  readonly nodeIds: readonly string[];
  readonly outputIds: readonly string[];
  /** The loop that is not closed, with what its start reaches; or that an End Loop without a start would end again. */
  readonly loop?: Loop | undefined;
}

interface Loop {
  readonly start: string;
  readonly end: string;
  readonly reached?: ReadonlySet<string>;
}

/** No definition says so: ComfyUI's own two are loops (workflows 4.7), a pack's type of the same name isn't. */
export function loopBoundary(
  classType: ExactValue | undefined,
  catalog: Catalog,
): 'start' | 'end' | undefined {
  if (classType !== 'StartLoop' && classType !== 'EndLoop') return undefined;
  const isCore = catalog.get(classType)?.pythonModule.startsWith('custom_nodes') === false;
  return isCore ? (classType === 'StartLoop' ? 'start' : 'end') : undefined;
}

/**
 * Pairs each End Loop with its Start Loop, innermost first, and finds the first fault that the server would report.
 * `validated` are the nodes that its validation came to; Start Loops that no output depends on are ignored.
 */
export function loopFault(
  prompt: ServerPrompt,
  catalog: Catalog,
  outputs: readonly string[],
  validated: Iterable<string>,
): LoopFault | undefined {
  const bounds = groupByKey(prompt.keys(), (id) => loopBoundary(prompt.get(id)?.classType, catalog));
  const [starts, ends] = [new Set(bounds.get('start')), new Set(bounds.get('end'))];
  if (starts.size + ends.size === 0) return undefined;
  const isStart = (id: string): boolean => starts.has(id);
  const links = linksAmong(new Set(prompt.keys()), prompt);
  const behind = [...walk(outputs, links.down, isStart).found].filter((id) => !isStart(id));
  const endsBehind = behind.filter((id) => ends.has(id));
  const ids = new Set([...validated, ...behind, ...walk(endsBehind, links.up, isStart).found]);
  const reached = (all: ReadonlySet<string>): Set<string> => new Set([...all].filter((id) => ids.has(id)));
  const pairing = new Pairing(linksAmong(ids, prompt), outputs, isStart, reached(starts), reached(ends));
  return pairing.fault(prompt);
}

class Pairing {
  private readonly pairs = new Map<string, string>();
  /** Nothing depends on them: no loop may lead there but through its end. */
  private readonly lastOutputs: ReadonlySet<string>;

  constructor(
    private readonly links: Links,
    private readonly outputs: readonly string[],
    private readonly isStart: Stops,
    private readonly starts: Set<string>,
    private readonly ends: Set<string>,
  ) {
    this.lastOutputs = new Set(outputs.filter((id) => links.down(id).length === 0));
  }

  fault(prompt: ServerPrompt): LoopFault | undefined {
    const before = new Map([...this.ends].map((id) => [id, this.above(id, (each) => this.ends.has(each))]));
    const open = [...this.ends].sort();
    while (open.length > 0) {
      const next = open.findIndex((id) => !before.get(id)?.some((each) => this.ends.has(each)));
      const [end] = next < 0 ? [] : open.splice(next, 1);
      if (end === undefined) {
        const details = `End Loops depend on each other, so none of them can be closed first: ${listed(this.ends)}`;
        return this.fail('loop_end_cycle', details, this.ends);
      }
      const found = this.close(end);
      if (found) return found;
    }
    if (this.starts.size > 0) {
      const details = `Start Loops without End Loops: ${listed(this.starts)}`;
      return this.fail('loop_start_without_end', details, this.starts);
    }
    for (const [start, end] of this.pairs) {
      const value = prompt.get(end)?.inputs?.get('accumulate') ?? null;
      const source = isServerLink(value) ? value[0] : end;
      if (source === end || (source !== start && !this.below(start, (id) => id === end).found.has(source)))
        continue;
      const details = `End Loop ${end} accumulate is driven by loop node ${source} under Start Loop ${start}`;
      return this.fail('loop_accumulate_from_body', details, [start, end, source]);
    }
    return undefined;
  }

  private close(end: string): LoopFault | undefined {
    const candidates = this.above(end, (id) => this.starts.has(id));
    const [start, ...others] = this.innermost(candidates);
    if (candidates.length === 0) {
      const details = `End Loop ${end} has no available Start Loop`;
      const before = this.above(end, this.isStart);
      const [pair] = [...this.pairs].filter(([id]) => before.includes(id));
      return this.fail('loop_end_without_start', details, [end], pair && { start: pair[0], end: pair[1] });
    }
    if (start === undefined || others.length > 0) {
      const details = `End Loop ${end} can close multiple unrelated Start Loops: ${listed(candidates)}`;
      return this.fail('ambiguous_loop_nesting', details, [...candidates, end]);
    }
    this.pairs.set(start, end);
    this.starts.delete(start);
    this.ends.delete(end);
    const { found: reached, stopped } = this.below(
      start,
      (id) => id === end || this.ends.has(id) || this.lastOutputs.has(id),
    );
    const escapes = stopped.filter((id) => id !== end);
    if (escapes.length === 0) return undefined;
    const details = `Start Loop ${start} reaches ${listed(escapes)} without passing through End Loop ${end}`;
    return this.fail('loop_escape', details, [...escapes, start, end], { start, end, reached });
  }

  private innermost(candidates: readonly string[]): readonly string[] {
    if (candidates.length < 2) return candidates;
    const next = (id: string): readonly string[] => this.below(id, this.isStart).stopped;
    const inside = candidates.map((outer) => walk([outer], next).found);
    return candidates.filter((id) => inside.every((found) => found.has(id)));
  }

  private above(id: string, stops: Stops): readonly string[] {
    return walk(this.links.up(id), this.links.up, stops).stopped;
  }

  private below(id: string, stops: Stops) {
    return walk(this.links.down(id), this.links.down, stops);
  }

  private fail(type: LoopFault['type'], details: string, ids: Iterable<string>, loop?: Loop): LoopFault {
    const nodeIds = [...new Set(ids)].sort();
    const { found } = walk(nodeIds, this.links.down);
    const outputIds = this.outputs.filter((id) => found.has(id)).sort();
    return { type, message: messages[type], details, nodeIds, outputIds, loop };
  }
}

type Links = Readonly<Record<'up' | 'down', (id: string) => readonly string[]>>;

function linksAmong(ids: ReadonlySet<string>, prompt: ServerPrompt): Links {
  const links = [...ids].flatMap((target) => {
    const values = [...(prompt.get(target)?.inputs?.values() ?? [])].filter(isServerLink);
    return values.flatMap(([origin]) => (ids.has(origin) ? [{ origin, target }] : []));
  });
  const above = groupByKey(links, ({ target }) => target);
  const below = groupByKey(links, ({ origin }) => origin);
  return {
    up: (id) => (above.get(id) ?? []).map(({ origin }) => origin),
    down: (id) => (below.get(id) ?? []).map(({ target }) => target),
  };
}

type Stops = (id: string) => boolean;

function walk(from: Iterable<string>, next: Links['up'], stops: Stops = () => false) {
  const found = reachableItems(from, (id) => (stops(id) ? [] : next(id)));
  return { found, stopped: [...found].filter(stops) };
}

function listed(ids: Iterable<string>): string {
  return [...ids].sort().join(', ');
}
