import { isTerminal, type Job, type JobState } from '../../core/jobs/job';
import { jobTime } from '../../core/jobs/jobGroups';
import { describeJob, jobLabel, percentDone } from '../../core/jobs/jobSummary';
import { seedName } from '../../core/jobs/seedName';
import { tellingSeeds } from '../../core/jobs/runsBefore';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import type { OutputFile } from '../../core/protocol/outputFile';
import { listText, plural, t } from '../../core/safety/localize';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import { timeOfDay } from '../servers/serverStatus';
import type { Silence } from '../servers/sessions';

/** An icon of the product icon theme, with a theme colour where the state has one. */
export interface RowIcon {
  readonly id: string;
  readonly color?: string;
}

/** What a job's row shows; everything here follows from the job. */
export interface JobRow {
  /** Of a running job, how far it is comes first: narrow side bars cut the end, and the description with it. */
  readonly label: string;
  readonly description: string;
  readonly icon: RowIcon;
  /** Words that menus match: `job`, the state, and what can be done with it. */
  readonly contextValue: string;
  /** Read aloud: state in words, never by icon or colour alone. */
  readonly spoken: string;
  /** Lines for the pointer that rests on the row; narrow side bars cut the description. */
  readonly tooltip?: Shown;
}

export interface JobRowFacts {
  /** Files worth keeping that are on disk already, and all of them. */
  readonly savedFiles: number;
  readonly files: number;
  /** Outputs that are shown and not saved. */
  readonly temporary?: number;
  /** Names of the outputs on disk. */
  readonly outputNames?: readonly string[];
  readonly saving: boolean;
  /** Shown when the job belongs to another server than the chosen one. */
  readonly serverName?: string | undefined;
  /** How a job got here that this window did not submit: in words, where this machine knows it. */
  readonly sentFrom?: string | undefined;
  /** The day is not told by the heading above. */
  readonly tellsDay?: boolean;
  /** The run of the same workflow before it. */
  readonly before?: Job | undefined;
  /** What it changes of that run, a few words each. */
  readonly differences?: readonly string[] | undefined;
  /** The server does not answer: what the job does is not known. `since`: last heard, ms since the epoch. */
  readonly silence?: Silence | undefined;
  /** Reads the answer of a server in a failure; it is loaded when there is one to read. */
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
/** Nothing turns for a job of which nothing is heard. */
const silentIcon: RowIcon = { id: 'debug-disconnect', color: 'disabledForeground' };

/** Nodes were left out: not as it should be. */
const partlyIcon: RowIcon = { id: 'warning', color: 'list.warningForeground' };

/** Icon, words and menu words of a job: the only place where they are made. */
export function jobRow(job: Job, facts: JobRowFacts): JobRow {
  const label = jobLabel(job);
  const cancelling = job.cancelling && !isTerminal(job.state);
  const silence = isTerminal(job.state) ? undefined : facts.silence;
  const told = describeJob(job, facts.now);
  const parts = silence ? [silentWords(job, silence)] : [told.state, told.progress, told.elapsed];
  const traits = traitWords(job, facts);
  if (job.failure && job.state === 'failed') parts.push(firstLine(failureText(job.failure, facts)));
  if (facts.saving) parts.push(t`saving outputs`);
  else if (job.state === 'completed') parts.push(outputWords(job, facts));
  if (job.origin === undefined) parts.push(t`submitted elsewhere`);
  else if (facts.sentFrom !== undefined) parts.push(facts.sentFrom);
  if (facts.serverName !== undefined) parts.push(facts.serverName);
  const words = parts.filter((part) => part !== '');
  // Narrow side bars cut the end, and the icon tells how a job ended: the eye gets first what tells runs apart.
  const description = isTerminal(job.state) ? [...traits, ...words] : [...words, ...traits];
  const isMoving = !silence && !cancelling && told.progress !== '';
  const percent = silence || cancelling ? undefined : percentDone(job);
  return {
    label: percent === undefined ? label : t`${percent}% ${label}`,
    // Icon and heading tell that it runs.
    description: listText(isMoving ? description.slice(1) : description),
    icon: silence ? silentIcon : iconOf(job, cancelling),
    contextValue: contextValueOf(job, cancelling, facts),
    spoken: listText([label, ...words, ...traits]),
    tooltip: tooltipOf(job, label, listText(description), silence, facts),
  };
}

/** Most changes that a row names. */
const rowChanges = 2;
const tooltipChanges = 10;
/** Most outputs that a tooltip names. */
const tooltipNames = 6;
/** Most digits of a seed that a row shows. */
const seedLength = 8;

/** What tells a run apart from the others of its workflow: when it ended, its seed, what it changes. */
function traitWords(job: Job, { before, differences = [], now, tellsDay = false }: JobRowFacts): string[] {
  const at = jobTime(job);
  const [seed, ...seeds] = tellingSeeds(job, before).map(shortSeed);
  const more = differences.length - rowChanges;
  return [
    ...(isTerminal(job.state) && at > 0 ? [tellsDay ? dayAndTime(at, now) : timeOfDay(at)] : []),
    ...(seed === undefined ? [] : [seedWords(seed, seeds.length)]),
    ...differences.slice(0, rowChanges),
    ...(more > 0 ? [plural(more, t`1 more change`, t`${more} more changes`)] : []),
  ];
}

function seedWords(seed: string, more: number): string {
  return more > 0 ? t`seed ${seed} and ${more} more` : t`seed ${seed}`;
}

/** The day only where it is another one. */
function dayAndTime(at: number, now: number): string {
  const day = new Date(at).toLocaleDateString();
  return day === new Date(now).toLocaleDateString() ? timeOfDay(at) : `${day} ${timeOfDay(at)}`;
}

/** The last digits: those of seeds that count up are the ones that change. */
function shortSeed(seed: string): string {
  return seed.length > seedLength ? `…${seed.slice(-seedLength)}` : seed;
}

function iconOf(job: Job, cancelling: boolean): RowIcon {
  if (job.state === 'completed' && job.origin?.leftOut) return partlyIcon;
  return icons[cancelling ? 'cancelling' : job.state];
}

/** Whether the message of a failure holds the whole answer of a server. */
export function holdsAnswer({ message }: ExecutionFailure): boolean {
  return message.includes('"node_errors"');
}

function failureText(failure: ExecutionFailure, { failureWords }: JobRowFacts): string {
  if (failureWords) return failureWords(failure);
  return holdsAnswer(failure) ? t`rejected by the server` : failure.message;
}

/** What was known when the server was heard last. */
function silentWords(job: Job, { since, isShutOut }: Silence): string {
  const isQueued = job.state === 'pending';
  if (isShutOut) {
    return isQueued
      ? t`last known as queued, access denied by the server`
      : t`last known as running, access denied by the server`;
  }
  if (since === undefined) {
    return isQueued
      ? t`last known as queued, the server has not answered yet`
      : t`last known as running, the server has not answered yet`;
  }
  const at = timeOfDay(since);
  return isQueued
    ? t`last known as queued, nothing heard since ${at}`
    : t`last known as running, nothing heard since ${at}`;
}

const silenceHint = shown`Comfy Deck retries at least once a minute. The job may still be running there. Start the server, or check the network.`;
const shutOutHint = shown`The job may still be running there. Check your API key and your account's permissions, then refresh the jobs.`;

function tooltipOf(
  job: Job,
  label: string,
  description: string,
  silence: Silence | undefined,
  { differences = [], outputNames = [] }: JobRowFacts,
): Shown {
  const { createdAt, endedAt } = job;
  const { nodeNames = {}, seeds: sent = {} } = job.origin ?? {};
  const seeds = Object.entries(sent).map(
    ([input, seed]) => shown`Seed of ${seedName(input, nodeNames)}: ${seed}`,
  );
  const lines = [
    label,
    description,
    ...(createdAt === undefined ? [] : [shown`Submitted ${new Date(createdAt).toLocaleString()}`]),
    ...(endedAt === undefined ? [] : [shown`Ended ${new Date(endedAt).toLocaleString()}`]),
    ...seeds,
    ...(differences.length > 0 ? [shown`Changed since the previous run:`] : []),
    ...differences.slice(0, tooltipChanges).map((words) => shown`  ${words}`),
    ...(outputNames.length > 0 ? [shown`Outputs: ${shownList(outputNames, tooltipNames)}`] : []),
    ...(silence ? [silence.isShutOut ? shutOutHint : silenceHint] : []),
  ];
  return Shown.join([...lines, shown`Job ${job.id}`], shown`\n`);
}

/** What is known: a row of the server's list tells at most how many outputs there are. */
function outputWords(job: Job, { files, savedFiles, temporary = 0 }: JobRowFacts): string {
  if (files === 0) {
    const { outputsCount: there } = job;
    if (there !== undefined && there > 0)
      return plural(there, t`1 output on the server`, t`${there} outputs on the server`);
    return job.origin === undefined && there === undefined ? '' : t`no files`;
  }
  return listText([
    plural(files, t`1 output`, t`${files} outputs`),
    ...(savedFiles < files ? [t`${savedFiles} saved`] : []),
    ...(temporary > 0 ? [t`${temporary} temporary`] : []),
  ]);
}

function contextValueOf(job: Job, cancelling: boolean, facts: JobRowFacts): string {
  const ended = isTerminal(job.state);
  const words = ['job', job.state];
  if (ended) words.push('ended');
  else if (!cancelling) words.push('cancellable');
  if (facts.savedFiles > 0) words.push('saved');
  if (facts.savedFiles < facts.files && !facts.saving && ended) words.push('unsaved');
  if (job.failure) words.push('failure');
  if (ended) words.push('runnable');
  return words.join(' ');
}

export function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

const mediaIcons: Readonly<Record<OutputFile['media'], string>> = {
  image: 'file-media',
  video: 'device-camera-video',
  audio: 'unmute',
  model3d: 'package',
  text: 'file-text',
  other: 'file',
};

/** What an output's row shows; `saved` is the name on disk, `isHere` whether it can be opened. */
export function outputRow(
  file: OutputFile,
  saved: string | undefined,
  saving: boolean,
  isHere = saved !== undefined,
): JobRow {
  const label = saved ?? file.displayName ?? file.filename;
  const place = saving ? t`saving` : t`on the server`;
  const temporary = isHere ? t`temporary, not saved` : t`temporary, on the server`;
  const description = saved !== undefined ? '' : file.area === 'temp' && !saving ? temporary : place;
  return {
    label,
    description,
    icon: { id: mediaIcons[file.media] },
    contextValue: isHere ? 'output saved' : 'output',
    tooltip: shown`${label}`,
    spoken: description === '' ? t`Output ${label}, saved` : t`Output ${label}, ${description}`,
  };
}
