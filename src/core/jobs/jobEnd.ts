import type { ExecutionFailure } from '../protocol/serverEvent';
import { isTerminal, type Job, type JobState } from './job';
import { failedNode, submittedNodeId, nodesAtEnd, withNode } from './jobNodes';

/**
 * A job only moves forward. If ends contradict each other, the later one in this list counts, whichever came first:
 * "lost" is our own conclusion and yields to the server's report; a stored "success" may hide an error (protocol 3.4);
 * an interrupted run is stored as an error (protocol 4.2).
 */
const ranks: Readonly<Record<JobState, number>> = {
  pending: 0,
  running: 1,
  lost: 2,
  completed: 3,
  failed: 4,
  cancelled: 5,
};

const mostBlocked = 100;
const longestMessage = 20_000;
const mostLines = 200;
const longestLine = 2_000;

export function reachJobState(job: Job, state: JobState): Job {
  return ranks[state] > ranks[job.state] ? { ...job, state } : job;
}

/** Removes what can't be true in the job's state; the same object if there is nothing to remove. */
export function consistentJob(job: Job): Job {
  if (job.state === 'pending') return job;
  const over = isTerminal(job.state);
  const whole = over ? nodesAtEnd(job) : job;
  const noFailure = over && whole.state !== 'failed' && whole.failure !== undefined;
  const stale =
    over && (whole.cancelling || whole.currentNodeId !== undefined || whole.unlistedSince !== undefined);
  if (!noFailure && !stale && whole.queuePosition === undefined) return whole;
  const ended = over && { currentNodeId: undefined, unlistedSince: undefined, cancelling: false };
  return { ...whole, queuePosition: undefined, ...ended, ...(noFailure && { failure: undefined }) };
}

/** The job with the most complete failure reported. The state is not changed: set it first. */
export function withFailure(job: Job, reported: ExecutionFailure, at: number): Job {
  const { failure: known } = job;
  const news = cappedFailure(job, reported);
  // A record that tells it again may not know which node of a loop it was.
  const { nodeId: toldId, nodeType } = news;
  const isKnown = known && failureWeight({ ...known, nodeId: toldId, nodeType }) === failureWeight(news);
  const failure = isKnown ? known : news;
  const { nodeId } = failure;
  const marked = nodeId === undefined ? job : withNode(job, { nodeId }, { state: 'error' }, at);
  if (isTerminal(marked.state) && marked.state !== 'failed') return marked;
  if (marked.failure && failureWeight(marked.failure) >= failureWeight(failure)) return marked;
  return { ...marked, failure };
}

export function withBlocked(job: Job, reported: ExecutionFailure): Job {
  const failure = cappedFailure(job, reported);
  const known = new Map(job.blocked.map((each) => [failureWeight(each), each]));
  if (known.has(failureWeight(failure))) return job;
  known.set(failureWeight(failure), failure);
  const sorted = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  return { ...job, blocked: sorted.slice(0, mostBlocked) };
}

/** Compares as a text: one that names its node, then the longer ones, then whatever makes the choice the same. */
function failureWeight(failure: ExecutionFailure): string {
  const { nodeId, nodeType, exceptionType, message, traceback } = failure;
  const lengths = [traceback.length, message.length].map((length) => String(length).padStart(6, '0'));
  const fields = [nodeId, nodeType, exceptionType, message, traceback];
  return [nodeId === undefined ? '0' : '1', ...lengths, JSON.stringify(fields)].join(' ');
}

function cappedFailure(job: Job, failure: ExecutionFailure): ExecutionFailure {
  const { nodeId: told } = failure;
  const nodeId = told === undefined ? undefined : failedNode(job, told);
  // The type is that of the node that starts the loop.
  const isInLoop =
    told !== undefined && nodeId !== undefined && submittedNodeId(job, { nodeId: told }) !== nodeId;
  return {
    ...failure,
    nodeId,
    nodeType: isInLoop ? undefined : failure.nodeType,
    message: failure.message.slice(0, longestMessage),
    traceback: failure.traceback.slice(-mostLines).map((line) => line.slice(0, longestLine)),
  };
}
