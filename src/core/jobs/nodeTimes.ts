import { mapDefined } from '../safety/lists';
import { type Job, type JobNode, jobNode, type NodePart } from './job';
import { measuredTimeText } from '../safety/timeText';
import { memoizeByObject } from '../safety/memoizeByObject';

/** When a node ran: ms since the epoch. */
export interface NodeSpan {
  readonly startedAt: number;
  readonly endedAt?: number;
}

/**
 * When each node ran, as far as reported: nothing for one that did not, such as a cached one. A server that does not
 * report the end of a node runs one after the other: the end is then the start of the next one, or the end of the job.
 * The spans add up: for a node that was executed several times, such as in a loop, they are as if it had run once, as
 * long as all its executions together; what others did in place of a node is theirs.
 */
export const nodeSpans = memoizeByObject(computeSpans);

interface Execution {
  readonly startedAt: number;
  /** As reported, or that of the last execution for it: the end of a loop is reported after what follows it. */
  end: number | undefined;
  innerEnd?: number;
  /** How long others were executed in place of it: ms. */
  others: number;
}

function computeSpans(job: Job): ReadonlyMap<string, NodeSpan> {
  const ran = Object.values(job.nodes).filter(({ state }) => state !== 'cached');
  const byId = new Map<string, Execution>();
  for (const node of ran) {
    const { nodeId, parts = {} } = node;
    const timed: readonly [string, NodePart][] = [[nodeId, node], ...Object.entries(parts)];
    for (const [id, { startedAt, endedAt: end }] of timed)
      if (startedAt !== undefined) byId.set(id, { startedAt, end, others: 0 });
  }
  const begun = [...byId.values()].map(({ startedAt }) => startedAt).sort((a, b) => a - b);
  const next = new Map(begun.map((at, index) => [at, begun[index + 1] ?? job.endedAt]));
  // The innermost first.
  for (const [id, each] of [...byId].sort(([a], [b]) => b.length - a.length)) {
    each.end = each.innerEnd ?? each.end;
    const outer = outerExecution(id, byId);
    if (!outer) continue;
    const end = each.end ?? each.startedAt;
    outer.innerEnd = Math.max(outer.innerEnd ?? end, end);
    outer.others += Math.max(0, end - each.startedAt);
  }
  const made = new Map<string, NodeSpan>();
  for (const { nodeId, state, parts = {} } of ran) {
    const executions = mapDefined([nodeId, ...Object.keys(parts)], (id) => byId.get(id));
    if (executions.length > 0) made.set(nodeId, executionSpan(executions, state === 'running', next));
  }
  return made;
}

/** IDs of what is executed in place of a node start with its ID and a dot (protocol 1.5). */
function outerExecution(id: string, byId: ReadonlyMap<string, Execution>): Execution | undefined {
  for (let dot = id.lastIndexOf('.'); dot > 0; dot = id.lastIndexOf('.', dot - 1)) {
    const outer = byId.get(id.slice(0, dot));
    if (outer) return outer;
  }
  return undefined;
}

function executionSpan(
  executions: readonly Execution[],
  isRunning: boolean,
  next: ReadonlyMap<number, number | undefined>,
): NodeSpan {
  let took = 0;
  let open: number | undefined;
  for (const { startedAt, end: known, others } of executions) {
    const end = known ?? (isRunning ? undefined : next.get(startedAt));
    if (end === undefined) open = startedAt;
    else took += Math.max(0, end - startedAt - others);
  }
  if (open !== undefined) return { startedAt: open - took };
  const startedAt = executions.reduce((first, each) => Math.min(first, each.startedAt), Infinity);
  return { startedAt, endedAt: startedAt + took };
}

export function nodeTook(job: Job, nodeId: string): string | undefined {
  const span = nodeSpans(job).get(nodeId);
  return span?.endedAt === undefined ? undefined : measuredTimeText(span.endedAt - span.startedAt);
}

/**
 * IDs of all nodes of a job in the order they ran: cached ones, whose results existed before; started ones in order;
 * waiting ones; those that the server left out. Otherwise in the order of the prompt.
 */
export function nodesAsTheyRan(job: Pick<Job, 'nodes' | 'origin'>): readonly string[] {
  const ids = [...new Set([...Object.keys(job.origin?.nodeNames ?? {}), ...Object.keys(job.nodes)])];
  const leftOut = new Set(job.origin?.leftOut?.nodes);
  const places = ids.map((id) => ({ id, place: nodeOrder(jobNode(job.nodes, id), leftOut.has(id)) }));
  return places.sort((a, b) => a.place.group - b.place.group || a.place.at - b.place.at).map(({ id }) => id);
}

const groups = { cached: 0, begun: 1, waiting: 2, leftOut: 3 } as const;

function nodeOrder(node: JobNode | undefined, isLeftOut: boolean): { group: number; at: number } {
  if (node?.state === 'cached') return { group: groups.cached, at: 0 };
  const at = node?.startedAt ?? node?.endedAt;
  if (at !== undefined) return { group: groups.begun, at };
  if (node === undefined || node.state === 'pending')
    return { group: isLeftOut ? groups.leftOut : groups.waiting, at: 0 };
  return { group: groups.begun, at: 0 };
}
