import {
  describeProgress,
  jobLabel,
  jobProgress,
  jobMessages,
  describeState,
  jobStateWords,
  nodeStateWords,
} from '../../core/jobs/jobWords';
import { nodeGivenName, isTerminal, type Job, type JobFile, jobNode } from '../../core/jobs/job';
import { currentNodeState, stepWords } from '../../core/jobs/iteration';
import { nodesAsTheyRan, nodeSpans } from '../../core/jobs/nodeTimes';
import { neutralName } from '../../core/outputs/neutralEnding';
import { filesWorthShowing } from '../../core/outputs/outputNames';
import { factsText } from '../../core/outputs/outputWords';
import type { OutputFile } from '../../core/protocol/outputFile';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { failureWords, failureSource } from '../../core/jobs/failureText';
import { explainFailure } from '../../core/jobs/failureExplanation';
import { startOfSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import { plainText, printable } from '../../core/safety/plainText';
import type { RefusedRun } from '../runs/runAnswers';
import { durationText } from '../../core/safety/timeText';
import type { Silence } from '../servers/sessions';
import type {
  PreviewFailure,
  PreviewJob,
  PreviewMedia,
  PreviewNode,
  PreviewOutput,
  PreviewRefusal,
  PreviewWords,
} from '../../webview/contract/preview';
import { jobTime } from '../../core/jobs/jobGroups';
import { jobFileKey } from '../../core/jobs/jobOutputs';

/** The place of an output: local, with the address that the panel may load; in transfer; or only on the server. */
export type OutputPlace = Pick<PreviewOutput, 'source' | 'previous' | 'temporary' | 'fetching'>;

type PlaceOf = (output: JobFile) => OutputPlace;

/** At most this many nodes are listed: nobody reads more. */
const listedNodes = 300;

/** Further problems of a run that did not start are in the Problems panel. */
const shownProblems = 20;

/** How many messages from nodes and the server are shown: the rest is in the Jobs view. */
const shownWords = 4;

/** At most this many outputs are shown: the Jobs view lists all. */
const shownOutputs = 500;

export function previewJob(job: Job, serverName: string, placeOf: PlaceOf, silence?: Silence): PreviewJob {
  const { fraction, step, steps } = jobProgress(job);
  const silent = isTerminal(job.state) ? undefined : silence;
  return {
    id: job.id,
    title: plainText(jobLabel(job)),
    server: plainText(serverName),
    state: job.state,
    silent: silent ? (true as const) : undefined,
    stateText: previewStateText(job, silence),
    incomplete: job.state === 'completed' && job.origin?.leftOut !== undefined,
    fraction,
    progressText: job.unlistedSince === undefined ? describeProgress(job) : '',
    stepFraction: step !== undefined && steps !== undefined && steps > 1 ? step / steps : undefined,
    startedAt: isTerminal(job.state) || silent || job.unlistedSince !== undefined ? undefined : job.startedAt,
    took: jobDurationText(job),
    nodes: previewNodes(job),
    words: recentMessages(job),
    outputs: previewOutputs(job, placeOf),
    failure: job.failure && previewFailure(job.failure),
    cancellable: !isTerminal(job.state) && !job.cancelling,
    hasSeeds: Object.keys(job.origin?.seeds ?? {}).length > 0,
  };
}

/** A run that did not start, as the panel shows it. */
export function previewRefusal(run: Omit<RefusedRun, 'uri'>): PreviewRefusal {
  const problems = run.places.slice(0, shownProblems).map(({ message }) => printable(message));
  const message = problems.length > 0 ? (run.summary ?? run.message) : run.message;
  const words = printable(message.trim());
  return {
    title: plainText(run.label),
    server: plainText(run.server),
    // The list's content isn't repeated above it.
    message: problems.includes(words) ? '' : words,
    nextAction: printable(run.nextAction.trim()),
    problems,
    more: run.places.length - problems.length,
  };
}

/** A word or two: a tab has no room for what a server left out or since when it is silent. */
export function tabState({ state, stateText, silent, incomplete }: PreviewJob): string {
  if (silent) return t`Not Tracked`;
  if (incomplete) return t`Partly Completed`;
  return state === 'lost' ? startOfSentence(jobStateWords().lost) : stateText;
}

/** How a job stands. Of a silent server, what was known when it was last heard from. */
export function previewStateText(job: Job, silence?: Silence): string {
  const state = startOfSentence(describeState(job));
  if (!silence || isTerminal(job.state)) return state;
  if (silence.isShutOut) return t`${state} when last seen, access denied`;
  return silence.since === undefined
    ? t`${state} when last seen, waiting for the server`
    : startOfSentence(t`server not reachable, looking for the job…`);
}

/** How long a job ran; undefined while it runs. */
export function jobDurationText({ state, startedAt, endedAt }: Job): string | undefined {
  if (!isTerminal(state) || startedAt === undefined || endedAt === undefined) return undefined;
  return durationText(Math.max(0, endedAt - startedAt));
}

function previewNodes(job: Job): PreviewNode[] {
  const leftOut = new Set(job.origin?.leftOut?.nodes);
  const spans = nodeSpans(job);
  return nodesAsTheyRan(job)
    .slice(0, listedNodes)
    .map((id) => {
      const node = jobNode(job.nodes, id);
      const name = plainText(nodeGivenName(job.origin, id) ?? id);
      // The run's own report about a node takes precedence over what was reported before it.
      if (leftOut.has(id) && (node === undefined || node.state === 'pending')) {
        return { id, name, state: 'leftOut', note: t`skipped` };
      }
      const state = node ? currentNodeState(node) : 'pending';
      const steps = node && state === 'running' ? stepWords(node) : '';
      return { id, name, state, note: steps || nodeStateWords()[state], ...spans.get(id) };
    });
}

/** ms. The server's clock and connection: what it says before a run may arrive after the start that it reports. */
const lateWords = 2_000;

/** The server's messages before a run, such as that it is queued, no longer matter once it runs, or is over. */
function recentMessages(job: Job): PreviewWords[] {
  const { state, startedAt } = job;
  const isOutdated = (at: number): boolean =>
    state === 'completed' || (startedAt !== undefined && at < startedAt + lateWords);
  return jobMessages(job)
    .filter(({ nodeId, at }) => nodeId !== undefined || !isOutdated(at))
    .slice(-shownWords)
    .map(({ nodeId, text }) => ({
      from: nodeId === undefined ? t`Server` : shownNodeName(job, nodeId),
      text: printable(text),
    }));
}

function shownNodeName({ origin }: Job, nodeId: string): string {
  return plainText(nodeGivenName(origin, nodeId) ?? t`node ${nodeId}`);
}

function previewOutputs(job: Job, placeOf: PlaceOf): PreviewOutput[] {
  const made = filesWorthShowing(job);
  const files = made.slice(0, shownOutputs).map((file): PreviewOutput => {
    const about = whyNotShown(file);
    return {
      key: jobFileKey(file),
      media: about === undefined ? previewMedia(file) : 'other',
      about,
      name: plainText(file.displayName ?? file.filename),
      nodeName: shownNodeName(job, file.nodeId),
      facts: factsText(file.facts),
      ...placeOf(file),
    };
  });
  const texts = job.texts.map(({ nodeId, text }, index): PreviewOutput => {
    const nodeName = shownNodeName(job, nodeId);
    const key = `text:${nodeId}:${index}`;
    return { key, media: 'text', name: t`Text of ${nodeName}`, nodeName, text };
  });
  const more = made.length - files.length;
  if (more === 0) return [...files, ...texts];
  const name = t`${more} more`;
  const text = t`${more} more in the Jobs view.`;
  return [...files, ...texts, { key: 'more', media: 'text', name, nodeName: '', text }];
}

function previewMedia(file: OutputFile): PreviewMedia {
  return file.media === 'image' || file.media === 'video' || file.media === 'audio' ? file.media : 'other';
}

const pages = /\.(?:x?html?|xht|shtml)$/i;

/** A server may call anything a picture. */
function whyNotShown({ filename, media }: OutputFile): string | undefined {
  if (neutralName(filename) !== filename) {
    return t`This file could run as a program, so it's saved with .txt added to its name.`;
  }
  if (pages.test(filename)) {
    return t`This is a web page. It isn't shown here because pages can run scripts. Open it to see its source.`;
  }
  if (media === 'text') return t`Open this text file to read it.`;
  if (media === 'model3d') return t`This file can't be shown here.`;
  return undefined;
}

function previewFailure(failure: ExecutionFailure): PreviewFailure {
  const { title, nextAction, ownWords } = explainFailure(failure);
  const [first, ...rest] = failureWords(failure).trim().split('\n');
  // The title isn't repeated below it.
  const words = printable((ownWords === undefined ? [first, ...rest] : rest).join('\n').trim());
  return {
    title: plainText(title),
    message: [failureSource(failure), words].filter((part) => part !== '').join(': '),
    nextAction,
    nodeId: failure.nodeId,
  };
}

/** The picture that the same node made in the previous run of the workflow, if it is on disk. */
export function previousPicture(
  jobs: readonly Job[],
  job: Job,
  file: JobFile,
  isSaved: (jobId: string, file: JobFile) => boolean,
): { readonly job: Job; readonly file: JobFile } | undefined {
  if (file.media !== 'image' || job.origin === undefined) return undefined;
  let newest: ReturnType<typeof previousPicture>;
  for (const earlier of jobs) {
    if (earlier.id === job.id || !isSameWorkflow(earlier, job) || jobTime(earlier) >= jobTime(job)) continue;
    if (newest && jobTime(newest.job) >= jobTime(earlier)) continue;
    const picture = earlier.outputs.find((other) => isSamePlace(other, file) && isSaved(earlier.id, other));
    if (picture) newest = { job: earlier, file: picture };
  }
  return newest;
}

function isSameWorkflow({ origin: a }: Job, { origin: b }: Job): boolean {
  return a !== undefined && b !== undefined && a.sourceUri === b.sourceUri && a.label === b.label;
}

function isSamePlace(a: JobFile, b: JobFile): boolean {
  return a.media === 'image' && a.nodeId === b.nodeId && (a.index ?? 0) === (b.index ?? 0);
}
