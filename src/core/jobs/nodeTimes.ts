import type { Job, JobNode, NodePart } from './job';
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
 * The spans add up: for a node that was executed several times, such as in a loop, they are as if it had run once, as
 * long as all its executions together; what others did in place of a node is theirs.
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

interface Execution {
  readonly id: string;
  readonly nodeId: string;
  readonly startedAt: number;
  /** As told, or of the last one that was executed in place of it: the end of a loop is told after what follows it. */
  end: number | undefined;
  /** What was executed in place of it. */
  readonly inner: Execution[];
}

function spansOf(job: Job): ReadonlyMap<string, NodeSpan> {
  const ran = Object.values(job.nodes).filter(({ state }) => state !== 'cached');
  const all = ran.flatMap((node) => [execution(node.nodeId, node.nodeId, node), ...partsOf(node)]).flat();
  const begun = all.map(({ startedAt }) => startedAt).sort((a, b) => a - b);
  const next = new Map(begun.map((at, index) => [at, begun[index + 1] ?? job.endedAt]));
  const byId = new Map(all.map((each) => [each.id, each]));
  const byNode = new Map<string, Execution[]>();
  // The innermost first.
  for (const each of all.sort((a, b) => b.id.length - a.id.length)) {
    if (each.inner.length > 0) each.end = latestOf(each.inner);
    outerOf(each.id, byId)?.inner.push(each);
    const others = byNode.get(each.nodeId);
    if (others) others.push(each);
    else byNode.set(each.nodeId, [each]);
  }
  const spans = ran.flatMap(({ nodeId, state }) => {
    const executions = byNode.get(nodeId);
    return executions ? [[nodeId, spanOf(executions, state === 'running', next)] as const] : [];
  });
  return new Map(spans);
}

function partsOf({ nodeId, parts = {} }: JobNode): Execution[] {
  return Object.entries(parts).flatMap(([id, part]) => execution(id, nodeId, part));
}

function execution(id: string, nodeId: string, { startedAt, endedAt }: NodePart): Execution[] {
  return startedAt === undefined ? [] : [{ id, nodeId, startedAt, end: endedAt, inner: [] }];
}

/** IDs of what is executed in place of a node start with its ID and a dot (protocol 1.5). */
function outerOf(id: string, byId: ReadonlyMap<string, Execution>): Execution | undefined {
  for (let dot = id.lastIndexOf('.'); dot > 0; dot = id.lastIndexOf('.', dot - 1)) {
    const outer = byId.get(id.slice(0, dot));
    if (outer) return outer;
  }
  return undefined;
}

function spanOf(
  executions: readonly Execution[],
  isRunning: boolean,
  next: ReadonlyMap<number, number | undefined>,
): NodeSpan {
  let took = 0;
  let open: number | undefined;
  for (const { startedAt, end: known, inner } of executions) {
    const end = known ?? (isRunning ? undefined : next.get(startedAt));
    if (end === undefined) open = startedAt;
    else took += Math.max(0, end - startedAt) - covered(inner, end);
  }
  const startedAt = executions.reduce((first, each) => Math.min(first, each.startedAt), Infinity);
  if (open !== undefined) return { startedAt: open - took };
  return { startedAt, endedAt: startedAt + took };
}

function latestOf(inner: readonly Execution[]): number {
  return inner.reduce((last, { startedAt, end = startedAt }) => Math.max(last, end), 0);
}

/** How long at least one of them ran, until this time; ms. */
function covered(inner: readonly Execution[], until: number): number {
  let [sum, last] = [0, -Infinity];
  for (const { startedAt, end = startedAt } of [...inner].sort((a, b) => a.startedAt - b.startedAt)) {
    const over = Math.min(end, until);
    sum += Math.max(0, over - Math.max(startedAt, last));
    last = Math.max(last, over);
  }
  return sum;
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
export function nodesAsTheyRan(job: Job): readonly string[] {
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
