import { version } from '../../../package.json';
import type { Job, JobOrigin, LeftOut } from '../jobs/job';
import { nodeSpans } from '../jobs/nodeTimes';
import { priceOfNodes, runPrice } from '../jobs/runPrice';
import { missingOutputs, silentNodes, unheardOutputs } from '../jobs/outputCount';
import { expectedFile, outputKey, type ExpectedFile } from '../outputs/expectedFile';
import type { ExecutionFailure } from '../protocol/serverEvent';
import { budgets } from '../safety/budgets';
import { promptNodeNames } from './promptValues';
import { inputFacts, isOwed, type LostWhy, type NotSavedWhy, type RunRecord } from './runRecord';

/** Times are milliseconds since the epoch. */
export interface SendingFacts extends Omit<
  RunRecord,
  keyof typeof noOutputs | 'notSaved' | 'format' | 'state' | 'sentAt' | 'why'
> {
  readonly sentAt: number;
}

const noOutputs = { expected: [], files: [], texts: [] } as const;

const madeBy = `Comfy Deck ${version}`;

function unlessEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

/** Takes these facts only: what else its caller knows, such as local paths, stays out. */
export function sendingRecord(run: SendingFacts): RunRecord {
  const { server, serverKind, serverVersion, label, sourceUri, sourceHash, promptHash, promptId } = run;
  const { promptText, workflowText, inputs, warnings, targets, outputNodes, batch, seeds, sentAt } = run;
  return {
    ...{ format: 3, state: 'sending', madeBy, server, serverKind, serverVersion, label, sourceUri },
    ...{ sourceHash, promptHash, promptId, promptText, workflowText },
    targets: unlessEmpty(targets),
    ...{ outputNodes, batch, seeds },
    inputs: unlessEmpty(inputs?.map(inputFacts)),
    warnings: unlessEmpty(warnings),
    sentAt: isoTime(sentAt),
    ...noOutputs,
  };
}

/** The first record of a job that was submitted elsewhere. */
export function foreignRecord(job: Job, promptText: string | undefined): RunRecord {
  const { origin } = job;
  return withJob(
    {
      format: 3,
      state: 'submitted',
      job: job.id,
      server: job.server,
      label: origin?.label ?? job.id,
      sourceHash: origin?.sourceHash,
      promptText,
      seeds: origin?.seeds ?? {},
      ...noOutputs,
    },
    job,
  );
}

/** What the submitter knew about the job, as far as the record has it; the names of the nodes are in its prompt. */
export function recordJobOrigin(record: RunRecord): JobOrigin {
  const { label, sourceHash, promptHash, seeds, outputNodes, batch, leftOut, promptText } = record;
  const nodeNames = promptText === undefined ? recordedNodeNames(record) : promptNodeNames(promptText);
  return {
    ...{ label, sourceHash, nodeNames, seeds, outputNodes },
    ...(promptHash !== undefined && { promptHash }),
    ...(batch && { batch }),
    ...(leftOut && { leftOut }),
  };
}

function recordedNodeNames({ nodes = {} }: RunRecord): JobOrigin['nodeNames'] {
  return Object.fromEntries(Object.entries(nodes).map(([id, { title }]) => [id, title ?? id]));
}

/** A record that is further along stays unchanged. */
export function submittedRecord(record: RunRecord, job: string, at: number, leftOut?: LeftOut): RunRecord {
  if (record.state !== 'sending' && record.state !== 'lost') return record;
  return {
    ...record,
    state: 'submitted',
    job,
    submittedAt: isoTime(at),
    leftOut: leftOut ?? record.leftOut,
    why: undefined,
    notSaved: undefined,
  };
}

export function savingRecord(record: RunRecord, job: Job, expected: readonly ExpectedFile[]): RunRecord {
  return { ...withPlan(record, job, expected), state: 'saving', notSaved: undefined };
}

/** What events told so far, where only events tell it: nobody repeats them. */
export function heardRecord(record: RunRecord, job: Job, expected: readonly ExpectedFile[]): RunRecord {
  return { ...withPlan(record, { ...job, eventsOnly: true }, expected), jobState: undefined };
}

function withPlan(record: RunRecord, job: Job, expected: readonly ExpectedFile[]): RunRecord {
  const names = new Set(expected.map(({ name }) => name));
  const keys = new Set(expected.map(outputKey));
  const temporary = job.outputs
    .filter(({ area }) => area === 'temp')
    .map((file) => expectedFile(file, ''))
    .filter((file) => !keys.has(outputKey(file)))
    .map(({ node, area, original, media, displayName, facts, asset }) => {
      return { node, area, original, media, displayName, facts, asset };
    });
  return withJob(
    {
      ...record,
      job: job.id,
      expected,
      temporary: temporary.length === 0 ? undefined : temporary,
      files: record.files.filter(({ name }) => names.has(name)),
    },
    job,
  );
}

/** A name may differ from the planned one if that was taken. */
export function recordWithFiles(record: RunRecord, files: RunRecord['files']): RunRecord {
  const saved = new Map(files.map((file) => [outputKey(file), file]));
  const expected = record.expected.map((each) => {
    const name = saved.get(outputKey(each))?.name;
    return name === undefined ? each : { ...each, name };
  });
  return { ...record, expected, files };
}

/** The record is final when all that the job made is on disk. */
export function settledRecord(record: RunRecord, job: Job, notSaved: NotSavedWhy | undefined): RunRecord {
  const known = withJob(record, job);
  const whole = known.expected.length === known.files.length && notSaved === undefined;
  if (whole) return endedRecord(known, job);
  return { ...known, state: 'incomplete', notSaved: notSaved ?? 'interrupted' };
}

/** If another server runs the row now, its place in the batch says so, too. */
export function lostRecord(record: RunRecord, why: LostWhy): RunRecord {
  const { batch } = record;
  const moved = why === 'moved' && batch ? { batch: { ...batch, moved: true as const } } : {};
  return { ...record, ...moved, state: 'lost', why, notSaved: undefined };
}

function endedRecord(record: RunRecord, job: Job): RunRecord {
  const state = finalState(job);
  if (state === 'lost') return lostRecord(record, 'forgotten');
  const isReported = state === 'saved' && (job.eventsOnly ?? record.outputNodes) !== undefined;
  const outputNodes = isReported ? [] : record.outputNodes;
  return { ...record, state, outputNodes, notSaved: undefined, jobState: undefined };
}

/** How a run ends, for all who ask. `incomplete`: outputs are known and not all on disk. */
export function finalState(
  job: Job,
  record?: Pick<RunRecord, 'state'>,
): 'incomplete' | 'saved' | 'failed' | 'cancelled' | 'lost' | 'outputsUnknown' {
  const { state } = job;
  if (state === 'failed' || state === 'cancelled' || state === 'lost') return state;
  if (record && isOwed(record)) return 'incomplete';
  return unheardOutputs(job) === 'unknown' ? 'outputsUnknown' : 'saved';
}

/** A price is reported only while a job runs. */
export function pricedRecord(record: RunRecord, job: Job | undefined): RunRecord {
  return { ...record, price: priceOfNodes({ ...record.price?.nodes, ...(job && runPrice(job)?.nodes) }) };
}

function withJob(record: RunRecord, job: Job): RunRecord {
  const missing = missingOutputs(job);
  return {
    ...pricedRecord(record, job),
    unlisted: missing && missing.counted - missing.listed,
    misnamed: job.misnamed ?? record.misnamed,
    submittedAt: serverTime(job.createdAt) ?? record.submittedAt,
    startedAt: serverTime(job.startedAt) ?? record.startedAt,
    endedAt: serverTime(job.endedAt) ?? record.endedAt,
    nodes: recordedNodes(job) ?? record.nodes,
    error: job.failure && recordedError(job.failure, budgets.recordedTraceback),
    blocked: unlessEmpty(job.blocked.map((each) => recordedError(each, 0))) ?? record.blocked,
    notices: unlessEmpty(job.notices?.map(({ text, at }) => ({ text, at: isoTime(at) }))),
    leftOut: job.origin?.leftOut ?? record.leftOut,
    jobState:
      job.state === 'pending' || job.state === 'running' || job.state === 'lost' ? undefined : job.state,
    // Events don't repeat texts, so the recorded ones stay.
    texts:
      job.eventsOnly && job.texts.length === 0
        ? record.texts
        : job.texts.map(({ nodeId: node, text }) => ({ node, text })),
    ...(job.eventsOnly && record.outputNodes && { outputNodes: silentNodes(job, record.outputNodes) }),
  };
}

function recordedNodes(job: Job): RunRecord['nodes'] {
  const names = job.origin?.nodeNames;
  const spans = nodeSpans(job);
  const nodes = Object.values(job.nodes).map(({ nodeId, state }) => {
    const span = spans.get(nodeId);
    const node = {
      title: names && Object.hasOwn(names, nodeId) ? names[nodeId] : undefined,
      startedAt: serverTime(span?.startedAt),
      endedAt: serverTime(span?.endedAt),
      ...(state === 'cached' && { cached: true as const }),
    };
    return [nodeId, node] as const;
  });
  return nodes.length > 0 ? Object.fromEntries(nodes) : undefined;
}

/** @param room characters of the traceback, whose end says most */
function recordedError(failure: ExecutionFailure, room: number): NonNullable<RunRecord['error']> {
  const { message, exceptionType: kind, nodeId: node, nodeType, traceback } = failure;
  let left = room;
  const lines = traceback.map(withoutFolders);
  const first = lines.findLastIndex((line) => (left -= line.length) < 0) + 1;
  return {
    message: withoutFolders(message),
    kind,
    node,
    nodeType,
    traceback: unlessEmpty(lines.slice(first)),
  };
}

/** Messages of a local server name files by paths that name the user. */
function withoutFolders(message: string): string {
  return message
    .replace(/(?<=["'])(?:[A-Za-z]:)?[/\\][^"'\n]*(?=[/\\])/g, '…')
    .replace(/(?<![\w.:/\\])(?:[A-Za-z]:)?(?:[/\\][^\s/\\'":]+)+(?=[/\\])/g, '…');
}

function serverTime(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : isoTime(milliseconds);
}

function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}
