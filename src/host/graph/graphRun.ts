import { nodeShareDone, currentNodeState, stepWords } from '../../core/jobs/iteration';
import { isTerminal, type Job, type JobFile, type JobNode, jobNode } from '../../core/jobs/job';
import { jobTime } from '../../core/jobs/jobGroups';
import { describeNodeState, jobLabel, jobProgress, nodeStateWords } from '../../core/jobs/jobWords';
import { nodeSpans } from '../../core/jobs/nodeTimes';
import { tellFailure } from '../../core/jobs/failureText';
import { filesWorthShowing } from '../../core/outputs/outputNames';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { endSentence } from '../../core/safety/endSentence';
import { nodesText } from '../../core/safety/countText';
import { listText, sentencesText, t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import { timeSince, measuredTimeText } from '../../core/safety/timeText';
import { groupByKey } from '../../core/workflow/graph/grouped';
import type { GraphNodeRun, GraphNodeState, GraphRun } from '../../webview/contract/graphPanel';
import { previewStateText, jobDurationText as jobTook } from '../preview/previewModel';
import type { Silence } from '../servers/sessions';

/** The facts of a run besides its job. */
export interface GraphRunFacts {
  /** The server doesn't respond. */
  readonly silence?: Silence | undefined;
  /** The file is no longer what was run. */
  readonly isChanged: boolean;
  /** The address of an output that the page may load; undefined if it is not on disk. */
  readonly addressOf: (file: JobFile) => string | undefined;
  /** ms */
  readonly now: number;
}

/** A run as the graph shows it. @param drawn the IDs of the drawn nodes; an instance stands for what runs inside it */
export function jobGraphRun(job: Job, drawn: ReadonlySet<string>, facts: GraphRunFacts): GraphRun {
  const { silence, isChanged, now } = facts;
  const at = jobTime(job);
  const failures = [...(job.failure ? [job.failure] : []), ...job.blocked];
  // Failures of no drawn node are at undefined.
  const placed = groupByKey(failures, ({ nodeId = '' }) => drawnNodeId(nodeId, drawn));
  const time = at > 0 ? timeSince(at, now) : '';
  const words = listText([
    progressText(job, silence),
    jobTook(job),
    isTerminal(job.state) ? time : '',
    isChanged ? t`the file has changed since` : '',
  ]);
  const reason = placed.get(undefined);
  const pictures = picturesOf(job, drawn, facts);
  const ids = new Set([...Object.keys(job.origin?.nodeNames ?? {}), ...Object.keys(job.nodes)]);
  const byDrawn = groupByKey(ids, (id) => drawnNodeId(id, drawn));
  const leftOut = new Set(job.origin?.leftOut?.nodes);
  const all = new Set([...byDrawn.keys(), ...placed.keys(), ...pictures.keys()]);
  const nodes = [...all].flatMap((node): GraphNodeRun[] => {
    if (node === undefined) return [];
    const own = placed.get(node);
    const run = nodeRunOf(job, byDrawn.list(node), leftOut);
    const picture = pictures.get(node);
    if (!run && !picture && !own) return [];
    const told = own ? { reason: reasonsOf(own).join('\n') } : {};
    return [{ node, note: '', words: '', ...run, ...told, picture }];
  });
  return {
    jobId: job.id,
    name: listText([plainText(jobLabel(job)), time]),
    words: reason ? sentencesText(endSentence(words), ...reasonsOf(reason)) : words,
    nodes,
  };
}

/** How a run stands: `Running 4/8, step 7/20`. */
function progressText(job: Job, silence: Silence | undefined): string {
  const state = previewStateText(job, silence);
  const { nodesDone, nodesTotal, step, steps } = jobProgress(job);
  const isKnown = job.state === 'running' && !silence && !job.cancelling && job.unlistedSince === undefined;
  if (!isKnown || nodesTotal === 0) return state;
  const nodes = t`${state} ${nodesDone}/${nodesTotal}`;
  return step === undefined || steps === undefined ? nodes : listText([nodes, t`step ${step}/${steps}`]);
}

/** Longer IDs are not taken apart: with a million colons, that would take hours. */
const longestId = 1_000;

/** The drawn node that a node of the prompt belongs to: itself, or an instance around it. */
export function drawnNodeId(nodeId: string, drawn: ReadonlySet<string>): string | undefined {
  let id = nodeId;
  if (id.length > longestId && !drawn.has(id)) return undefined;
  while (id !== '' && !drawn.has(id)) id = id.slice(0, Math.max(0, id.lastIndexOf(':')));
  return id === '' ? undefined : id;
}

function nodeRunOf(
  job: Job,
  ids: readonly string[],
  leftOut: ReadonlySet<string>,
): Omit<GraphNodeRun, 'node'> | undefined {
  const [first = ''] = ids;
  const states = ids.map((id) => stateOf(job, id, leftOut));
  const state = stateOfAll(states);
  if (state === undefined) {
    const isLeftOut = ids.length > 0 && ids.every((id) => leftOut.has(id));
    return isLeftOut ? { note: t`skipped`, words: t`skipped by the server` } : undefined;
  }
  const node = ids.length === 1 ? jobNode(job.nodes, first) : undefined;
  if (state === 'running') {
    const done = states.filter((each) => each === 'done' || each === 'cached').length;
    const steps = node ? stepWords(node) : ids.length === 1 ? nodesText(1) : t`${done}/${ids.length} nodes`;
    const note = steps || nodeStateWords().running;
    return {
      state,
      note,
      words: listText([nodeStateWords().running, steps]),
      share: share(job, node, done / ids.length),
    };
  }
  const took = tookOf(job, ids);
  const note = (state === 'done' ? took : undefined) ?? nodeStateWords()[jobStates[state]];
  return { state, note, words: describeNodeState(jobStates[state], took) };
}

const jobStates = {
  waiting: 'pending',
  running: 'running',
  cached: 'cached',
  done: 'finished',
  failed: 'error',
} as const;

/** Only a node that has steps, or stands for several, has a share. */
function share(job: Job, node: JobNode | undefined, done: number): number | undefined {
  if (!node) return done;
  return node.max > 1 || node.parts ? nodeShareDone(job, node) : undefined;
}

/** Undefined for what won't run, and for what a job that is over did not finish. */
function stateOf(job: Job, id: string, leftOut: ReadonlySet<string>): GraphNodeState | undefined {
  const node = jobNode(job.nodes, id);
  const isOver = isTerminal(job.state);
  switch (node ? currentNodeState(node) : 'pending') {
    case 'pending':
      return isOver || leftOut.has(id) ? undefined : 'waiting';
    case 'running':
      return isOver ? undefined : 'running';
    case 'finished':
      return 'done';
    case 'cached':
      return 'cached';
    case 'error':
      return 'failed';
  }
}

function stateOfAll(states: readonly (GraphNodeState | undefined)[]): GraphNodeState | undefined {
  const known = new Set(states.filter((state) => state !== undefined));
  if (known.has('failed')) return 'failed';
  if (known.has('running')) return 'running';
  if (known.has('waiting')) return known.size === 1 ? 'waiting' : 'running';
  return known.has('done') ? 'done' : [...known][0];
}

function tookOf(job: Job, ids: readonly string[]): string | undefined {
  const spans = nodeSpans(job);
  const times = ids.flatMap((id) => {
    const { startedAt, endedAt } = spans.get(id) ?? {};
    return startedAt === undefined || endedAt === undefined ? [] : [endedAt - startedAt];
  });
  return times.length === 0 ? undefined : measuredTimeText(times.reduce((sum, each) => sum + each, 0));
}

const mostReasons = 5;

function reasonsOf(failures: readonly ExecutionFailure[]): string[] {
  const told = failures.slice(0, mostReasons).map((failure) => {
    const { message, nextAction } = tellFailure(failure);
    return plainText(sentencesText(message, nextAction));
  });
  const rest = failures.length - mostReasons;
  return rest > 0 ? [...told, t`… and ${rest} more`] : told;
}

type Picture = NonNullable<GraphNodeRun['picture']>;

/** The first picture that is on disk of each drawn node. */
function picturesOf(
  job: Job,
  drawn: ReadonlySet<string>,
  { addressOf }: GraphRunFacts,
): ReadonlyMap<string, Picture> {
  const found = new Map<string, Picture>();
  for (const file of filesWorthShowing(job)) {
    const node = file.media === 'image' ? drawnNodeId(file.nodeId, drawn) : undefined;
    if (node === undefined) continue;
    const known = found.get(node);
    const source = known ? known.source : addressOf(file);
    if (source === undefined) continue;
    const name = known?.name ?? plainText(file.displayName ?? file.filename);
    found.set(node, { source, name, more: known ? known.more + 1 : 0 });
  }
  return found;
}

/** The output behind the picture of a drawn node. @param isThere it is on disk */
export function drawnNodePicture(
  job: Job,
  node: string,
  drawn: ReadonlySet<string>,
  isThere: (file: JobFile) => boolean,
): JobFile | undefined {
  return filesWorthShowing(job).find(
    (file) => file.media === 'image' && drawnNodeId(file.nodeId, drawn) === node && isThere(file),
  );
}
