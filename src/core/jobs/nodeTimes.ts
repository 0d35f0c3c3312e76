import type { Job, JobNode } from './job';
import { durationText } from './jobSummary';
import { t } from '../safety/localize';

/** When a node ran: ms since the epoch. */
export interface NodeSpan {
  readonly startedAt: number;
  /** Missing while it runs. */
  readonly endedAt?: number;
}

/**
 * When each node ran, as far as reported: nothing for one that did not, such as a cached one. A server that does not
 * report the end of a node runs one after the other: the end is then the start of the next one, or the end of the job.
 */
export function nodeSpans(job: Job): ReadonlyMap<string, NodeSpan> {
  const known = spans.get(job);
  if (known) return known;
  const made = spansOf(job);
  spans.set(job, made);
  return made;
}

/** Each row of a job asks for its own. */
const spans = new WeakMap<Job, ReadonlyMap<string, NodeSpan>>();

function spansOf(job: Job): ReadonlyMap<string, NodeSpan> {
  const ran = Object.values(job.nodes).filter(({ state }) => state !== 'cached');
  const begun = ran.flatMap((node) => node.startedAt ?? []).sort((a, b) => a - b);
  const next = new Map(begun.map((at, index) => [at, begun[index + 1] ?? job.endedAt]));
  return new Map(
    ran.flatMap(({ nodeId, state, startedAt, endedAt }) => {
      if (startedAt === undefined) return [];
      const end = endedAt ?? (state === 'running' ? undefined : next.get(startedAt));
      const span = end === undefined ? { startedAt } : { startedAt, endedAt: Math.max(startedAt, end) };
      return [[nodeId, span] as const];
    }),
  );
}

/** How long a node ran, as text; undefined while it runs or if unknown. */
export function nodeTook(job: Job, nodeId: string): string | undefined {
  const span = nodeSpans(job).get(nodeId);
  return span?.endedAt === undefined ? undefined : nodeTimeText(span.endedAt - span.startedAt);
}

/** Most nodes take less than a few seconds: tenths distinguish them. */
export function nodeTimeText(milliseconds: number): string {
  return milliseconds < 10_000 ? t`${(milliseconds / 1000).toFixed(1)} s` : durationText(milliseconds);
}

/**
 * IDs of all nodes of a job in the order they ran: cached ones, whose results existed before; started ones in order;
 * waiting ones; those that the server left out. Otherwise in the order of the prompt.
 */
export function nodesAsTheyRan(job: Pick<Job, 'nodes' | 'origin'>): readonly string[] {
  const ids = [...new Set([...Object.keys(job.origin?.nodeNames ?? {}), ...Object.keys(job.nodes)])];
  const leftOut = new Set(job.origin?.leftOut?.nodes);
  const places = ids.map((id) => ({ id, place: placeOf(job.nodes[id], leftOut.has(id)) }));
  return places.sort((a, b) => a.place.group - b.place.group || a.place.at - b.place.at).map(({ id }) => id);
}

const groups = { cached: 0, begun: 1, waiting: 2, leftOut: 3 } as const;

function placeOf(node: JobNode | undefined, isLeftOut: boolean): { group: number; at: number } {
  if (node?.state === 'cached') return { group: groups.cached, at: 0 };
  const at = node?.startedAt ?? node?.endedAt;
  if (at !== undefined) return { group: groups.begun, at };
  if (node === undefined || node.state === 'pending')
    return { group: isLeftOut ? groups.leftOut : groups.waiting, at: 0 };
  return { group: groups.begun, at: 0 };
}
