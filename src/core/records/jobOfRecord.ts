import type { Job, JobNode, JobState } from '../jobs/job';
import { fileOfExpected } from '../outputs/expectedFile';
import type { ExecutionFailure } from '../protocol/serverEvent';
import { isJobId } from '../protocol/wire';
import { recordJobOrigin } from './recordSteps';
import { recordTime, type RunRecord } from './runRecord';

/** Undefined while the server isn't known to have accepted the run. Never claims that a job runs. */
export function jobOfRecord(record: RunRecord): Job | undefined {
  const { job: id, server, expected, temporary = [], texts, unlisted, outputNodes } = record;
  const { notices, error, blocked = [] } = record;
  // No server gives other IDs.
  if (id === undefined || !isJobId(id)) return undefined;
  const files = [...expected, ...temporary];
  return {
    id,
    server,
    origin: recordJobOrigin(record),
    state: jobStateOfRecord(record),
    ...(record.why === 'sandboxEnded' && { lostWhy: record.why }),
    cancelling: false,
    createdAt: recordTime(record.submittedAt ?? record.sentAt),
    startedAt: recordTime(record.startedAt),
    endedAt: recordTime(record.endedAt),
    nodes: jobNodesOfRecord(record),
    outputsCount: unlisted === undefined ? undefined : files.length + texts.length + unlisted,
    ...((outputNodes ?? record.state === 'outputsUnknown') && { eventsOnly: true }),
    ...(record.state === 'outputsUnknown' && { missedEvents: true }),
    ...(record.misnamed && { misnamed: true }),
    outputs: files.map(fileOfExpected),
    texts: texts.map(({ node, text }) => ({ nodeId: node, text })),
    notices: notices?.flatMap(({ text, at }) => ({ text, at: recordTime(at) ?? 0 })),
    failure: error && recordedFailure(error),
    blocked: blocked.map(recordedFailure),
  };
}

function jobStateOfRecord({ state, jobState: ended, error }: RunRecord): JobState {
  switch (state) {
    case 'sending':
    case 'submitted':
      return 'pending';
    case 'saving':
    case 'incomplete':
      return ended ?? (error ? 'failed' : 'lost');
    case 'saved':
    case 'outputsUnknown':
      return 'completed';
    default:
      return state;
  }
}

function jobNodesOfRecord({ nodes = {}, price, error }: RunRecord): Job['nodes'] {
  const prices = new Map(price && Object.entries(price.nodes));
  const known = new Map(Object.entries(nodes));
  const ids = new Set([...known.keys(), ...prices.keys()]);
  return Object.fromEntries(
    [...ids].map((nodeId): [string, JobNode] => {
      const node = known.get(nodeId);
      const ran = node?.endedAt === undefined ? 'pending' : 'finished';
      const state = error?.node === nodeId ? 'error' : node?.cached ? 'cached' : ran;
      const value = state === 'pending' ? 0 : 1;
      const [began, end] = [recordTime(node?.startedAt), recordTime(node?.endedAt)];
      const cost = prices.get(nodeId);
      const priceFacts = cost === undefined ? {} : { price: cost, priceAt: end ?? 0 };
      return [nodeId, { nodeId, state, value, max: 1, startedAt: began, endedAt: end, ...priceFacts }];
    }),
  );
}

function recordedFailure(error: NonNullable<RunRecord['error']>): ExecutionFailure {
  const { message, kind: exceptionType = 'Error', node: nodeId, nodeType, traceback = [] } = error;
  return { message, exceptionType, nodeId, nodeType, traceback };
}
