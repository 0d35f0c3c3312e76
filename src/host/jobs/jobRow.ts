import {
  nodeGivenName,
  isTerminal,
  type Job,
  type JobNode,
  type JobNodeState,
  type JobState,
  jobNode,
} from '../../core/jobs/job';
import { jobTime } from '../../core/jobs/jobGroups';
import {
  describeJob,
  describeNodeState,
  jobLabel,
  jobStateWords,
  percentDone,
  seedName,
  tellingSeeds,
} from '../../core/jobs/jobWords';
import { misnamedWords, unheardOutputs } from '../../core/jobs/outputCount';
import { creditsText, jobNodePrice, runPrice } from '../../core/jobs/runPrice';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { factsText } from '../../core/outputs/outputWords';
import type { OutputFile } from '../../core/protocol/outputFile';
import { startOfSentence } from '../../core/safety/endSentence';
import { outputsText } from '../../core/safety/countText';
import { listText, t } from '../../core/safety/localize';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import { exactTime, timeOfDay, timeSince } from '../../core/safety/timeText';
import type { Silence } from '../servers/sessions';
import type { RowContent, RowIcon } from '../platform/showItems';
import { iterationsIn, nodeText, currentNodeState, stepWords } from '../../core/jobs/iteration';
import { nodesAsTheyRan, nodeTook } from '../../core/jobs/nodeTimes';

interface JobRowFacts {
  /** Numbers of outputs on disk, and of all outputs. */
  readonly savedFiles: number;
  readonly files: number;
  readonly temporary?: number;
  readonly outputNames?: readonly string[];
  readonly saving: boolean;
  readonly serverName?: string | undefined;
  /** How a job of another window got here, if this machine knows. */
  readonly sentFrom?: string | undefined;
  /** The heading above does not show the day. */
  readonly tellsDay?: boolean;
  readonly before?: Job | undefined;
  readonly differences?: readonly string[] | undefined;
  /** The server doesn't answer, so the state is unknown. */
  readonly silence?: Silence | undefined;
  /** Parses a server's answer in a failure; loaded only when there is one. */
  readonly failureWords?: ((failure: ExecutionFailure) => string) | undefined;
  readonly now: number;
}

const icons: Readonly<Record<JobState | 'cancelling', RowIcon>> = {
  pending: { id: 'clock' },
  running: { id: 'sync~spin', color: 'progressBar.background' },
  completed: { id: 'pass', color: 'testing.iconPassed' },
  failed: { id: 'error', color: 'testing.iconFailed' },
  cancelled: { id: 'circle-slash', color: 'disabledForeground' },
  lost: { id: 'question', color: 'testing.iconQueued' },
  cancelling: { id: 'loading~spin', color: 'disabledForeground' },
};
const silentIcon: RowIcon = { id: 'debug-disconnect', color: 'disabledForeground' };

const partlyIcon: RowIcon = { id: 'warning', color: 'list.warningForeground' };

export function jobRow(job: Job, facts: JobRowFacts): RowContent {
  const label = jobLabel(job);
  const cancelling = job.cancelling && !isTerminal(job.state);
  const silence = isTerminal(job.state) ? undefined : facts.silence;
  const jobTexts = describeJob(job, facts.now);
  const parts = silence ? [silentWords(job, silence)] : [jobTexts.state, jobTexts.progress, jobTexts.elapsed];
  const traits = traitWords(job, facts);
  if (job.failure && job.state === 'failed') parts.push(firstLine(failureText(job.failure, facts)));
  if (facts.saving) parts.push(t`saving outputs`);
  else if (job.state === 'completed') parts.push(outputWords(job, facts));
  parts.push(creditsText(runPrice(job)?.credits));
  if (job.origin === undefined) parts.push(t`submitted elsewhere`);
  else if (facts.sentFrom !== undefined) parts.push(facts.sentFrom);
  if (facts.serverName !== undefined) parts.push(facts.serverName);
  const words = parts.filter((part) => part !== '');
  const ended = isTerminal(job.state);
  const time = ended ? endTime(job, facts) : [];
  // Narrow side bars cut off the end, so what identifies an ended run comes first, then what distinguishes it.
  const isNamedAbove = facts.tellsDay === true && job.origin !== undefined && time.length > 0;
  const name = [isNamedAbove ? '' : label, ...time, jobTexts.elapsed];
  const facets = ended ? words.filter((part) => part !== jobTexts.elapsed) : words;
  const description = ended || job.state === 'pending' ? [...traits, ...facets] : [...facets, ...traits];
  const isMoving = !silence && !cancelling && jobTexts.progress !== '';
  const percent = silence || cancelling ? undefined : percentDone(job);
  return {
    label: ended
      ? name.filter((part) => part !== '').join(' · ')
      : percent === undefined
        ? label
        : t`${percent}% ${label}`,
    description: listText(isMoving ? description.slice(1) : description),
    icon: silence || job.unlistedSince !== undefined ? silentIcon : jobIcon(job, cancelling),
    contextValue: contextValueOf(job, cancelling, facts),
    spoken: listText([label, ...words, ...time, ...traits]),
    tooltip: jobTooltip(job, label, listText(description), silence, facts),
  };
}

const rowChanges = 2;
const tooltipChanges = 10;
const tooltipNames = 6;
const seedLength = 8;

function traitWords(job: Job, { before, differences = [] }: JobRowFacts): string[] {
  const [seed, ...seeds] = tellingSeeds(job, before).map(shortSeed);
  const more = differences.length - rowChanges;
  return [
    ...(seed === undefined
      ? []
      : [seeds.length > 0 ? t`seed ${seed} and ${seeds.length} more` : t`seed ${seed}`]),
    ...differences.slice(0, rowChanges),
    ...(more > 0 ? [t`${more} more`] : []),
  ];
}

function endTime(job: Job, { now, tellsDay = false }: JobRowFacts): string[] {
  const at = jobTime(job);
  return at > 0 ? [tellsDay ? timeSince(at, now) : timeOfDay(at)] : [];
}

/** The last digits, since those change when seeds count up. */
function shortSeed(seed: string): string {
  return seed.length > seedLength ? `…${seed.slice(-seedLength)}` : seed;
}

function jobIcon(job: Job, cancelling: boolean): RowIcon {
  if (unheardOutputs(job) === 'unknown') return partlyIcon;
  if (job.state === 'completed' && job.origin?.leftOut) return partlyIcon;
  return icons[cancelling ? 'cancelling' : job.state];
}

export function holdsAnswer({ message }: ExecutionFailure): boolean {
  return message.includes('"node_errors"');
}

function failureText(failure: ExecutionFailure, { failureWords }: JobRowFacts): string {
  if (failureWords) return failureWords(failure);
  return holdsAnswer(failure) ? t`rejected by the server` : failure.message;
}

function silentWords(job: Job, { since, isShutOut }: Silence): string {
  const state = jobStateWords()[job.state];
  if (isShutOut) return t`${state} when last seen, access denied`;
  if (since === undefined) return t`${state} when last seen, waiting for the server`;
  return t`server not reachable, looking for the job…`;
}

const silenceHint = shown`Comfy Deck keeps retrying. The job may still be running. Start the server, or check the network.`;
const shutOutHint = shown`The job may still be running. Check your API key and your account's permissions, then refresh the jobs.`;

function jobTooltip(
  job: Job,
  label: string,
  description: string,
  silence: Silence | undefined,
  { differences = [], outputNames = [] }: JobRowFacts,
): Shown {
  const { createdAt, endedAt } = job;
  const { nodeNames = {}, seeds = {} } = job.origin ?? {};
  const lines = [
    label,
    description,
    ...(createdAt === undefined ? [] : [shown`Submitted ${exactTime(createdAt)}`]),
    ...(endedAt === undefined ? [] : [shown`Ended ${exactTime(endedAt)}`]),
    ...Object.entries(seeds).map(([input, seed]) => shown`Seed of ${seedName(input, nodeNames)}: ${seed}`),
    ...(differences.length > 0 ? [shown`Changed since the previous run:`] : []),
    ...differences.slice(0, tooltipChanges).map((words) => shown`  ${words}`),
    ...(outputNames.length > 0 ? [shown`Outputs: ${shownList(outputNames, tooltipNames)}`] : []),
    misnamedWords(job),
    ...(silence?.since === undefined ? [] : [shown`Last seen at ${timeOfDay(silence.since)}`]),
    ...(silence ? [silence.isShutOut ? shutOutHint : silenceHint] : []),
  ];
  return Shown.join([...lines, shown`${startOfSentence(t`job ${job.id}`)}`], shown`\n`);
}

function outputWords(job: Job, { files, savedFiles, temporary = 0 }: JobRowFacts): string {
  if (files === 0) {
    const { outputsCount: there } = job;
    if (unheardOutputs(job) === 'unknown') return '';
    if (there !== undefined && there > 0) return t`${outputsText(there)} on the server`;
    return job.origin === undefined && there === undefined ? '' : t`no files`;
  }
  return listText([
    outputsText(files),
    savedFiles < files ? t`${savedFiles} saved` : '',
    temporary > 0 ? t`${temporary} temporary` : '',
  ]);
}

function contextValueOf(job: Job, cancelling: boolean, facts: JobRowFacts): string {
  const ended = isTerminal(job.state);
  // One's own job is cancelled, not interrupted.
  const words = ['job', job.state, ...(job.origin ? [] : ['elsewhere'])];
  if (ended) words.push('ended');
  else if (!cancelling) words.push('cancellable');
  if (facts.savedFiles > 0) words.push('saved');
  if (facts.savedFiles < facts.files && !facts.saving && ended) words.push('unsaved');
  if (job.failure) words.push('failure');
  if (ended) words.push('runnable');
  return words.join(' ');
}

function firstLine(text: string): string {
  return text.trim().replace(/\n.*/s, '');
}

const mediaIcons: Readonly<Record<OutputFile['media'], string>> = {
  image: 'file-media',
  video: 'device-camera-video',
  audio: 'unmute',
  model3d: 'package',
  text: 'file-text',
  other: 'file',
};

/** @param saved the name on disk @param isHere whether it can be opened */
export function outputRow(
  file: OutputFile,
  saved: string | undefined,
  saving: boolean,
  isHere = saved !== undefined,
): RowContent {
  const label = saved ?? file.displayName ?? file.filename;
  const place = saving ? t`saving` : t`on the server`;
  const temporary = isHere ? t`temporary, not saved` : t`temporary, on the server`;
  const description = saved !== undefined ? '' : file.area === 'temp' && !saving ? temporary : place;
  return {
    label,
    description,
    icon: { id: mediaIcons[file.media] },
    contextValue: isHere ? 'output saved' : 'output',
    tooltip: Shown.join([label, factsText(file.facts)], shown`\n`),
    spoken: t`Output ${label}, ${description || t`saved`}`,
  };
}

const nodeIcons: Readonly<Record<JobNodeState | 'leftOut', RowIcon>> = {
  pending: { id: 'circle-outline' },
  running: { id: 'sync~spin', color: 'progressBar.background' },
  finished: { id: 'check', color: 'testing.iconPassed' },
  cached: { id: 'history' },
  error: { id: 'error', color: 'testing.iconFailed' },
  leftOut: { id: 'circle-slash', color: 'disabledForeground' },
};

/** The nodes reached so far, in the order they ran, and those that were left out. */
export function nodesToList(job: Job): string[] {
  return nodesAsTheyRan(job).filter((id) => isReached(job, id) || isLeftOut(job, id));
}

export function rowOfNode(job: Job, nodeId: string): RowContent | undefined {
  if (isLeftOut(job, nodeId)) return nodeContent(job, nodeId, t`skipped by the server`, 'leftOut');
  const node = jobNode(job.nodes, nodeId);
  return node && nodeRow(job, node);
}

function isReached(job: Job, nodeId: string): boolean {
  return (jobNode(job.nodes, nodeId)?.state ?? 'pending') !== 'pending';
}

function isLeftOut(job: Job, nodeId: string): boolean {
  return !isReached(job, nodeId) && job.origin?.leftOut?.nodes.includes(nodeId) === true;
}

export function nodeRow(job: Job, node: JobNode): RowContent {
  const ended = isTerminal(job.state);
  // A node that was running when the job ended did not finish.
  const state = ended && node.state === 'running' ? 'pending' : currentNodeState(node);
  const steps = state === 'running' ? stepWords(node) : '';
  const words =
    ended && state === 'pending' ? t`not finished` : describeNodeState(state, nodeTook(job, node.nodeId));
  const text =
    node.text === undefined || (steps !== '' && iterationsIn(node.text)) ? '' : nodeText(node.text);
  const description = listText([steps || words, firstLine(text), creditsText(jobNodePrice(node))]);
  return nodeContent(job, node.nodeId, description, state);
}

function nodeContent(
  { origin }: Job,
  nodeId: string,
  description: string,
  state: keyof typeof nodeIcons,
): RowContent {
  const label = nodeGivenName(origin, nodeId) ?? startOfSentence(t`node ${nodeId}`);
  const spoken = t`Node ${label}, ${description}`;
  return { label, description, icon: nodeIcons[state], contextValue: `node ${state}`, spoken };
}
