import {
  isTerminal,
  type Job,
  type JobNodeState,
  type JobState,
  nodeGivenName,
  type JobOrigin,
  type JobNode,
  jobNode,
} from './job';
import { unheardOutputs } from './outputCount';
import { startOfSentence } from '../safety/endSentence';
import { nodesText } from '../safety/countText';
import { t, listText } from '../safety/localize';
import { nodeText, iterationsIn, nodeShareDone } from './iteration';
import { durationText, elapsedText } from '../safety/timeText';

export const jobStateWords = (): Readonly<Record<JobState, string>> => ({
  pending: t`queued`,
  running: t`running`,
  completed: t`completed`,
  failed: t`failed`,
  cancelled: t`cancelled`,
  lost: t`lost`,
});

export const nodeStateWords = (): Readonly<Record<JobNodeState, string>> => ({
  pending: t`waiting`,
  running: t`running`,
  finished: t`completed`,
  cached: t`cached`,
  error: t`failed`,
});

export function describeState(job: Job): string {
  if (job.cancelling && !isTerminal(job.state)) return t`cancelling`;
  if (job.unlistedSince !== undefined) return t`not listed, checking again`;
  if (unheardOutputs(job) === 'unknown') return t`outputs unknown`;
  if (job.state === 'completed') return completedWords(job);
  if (job.state === 'lost') return lostWords(job);
  const { queuePosition } = job;
  if (job.state === 'pending' && queuePosition !== undefined) return t`queued, number ${queuePosition}`;
  return jobStateWords()[job.state];
}

/** What is known about our job that its server no longer knows. */
export function lostWords({ lostWhy }: Pick<Job, 'lostWhy'>): string {
  return lostWhy === 'sandboxEnded'
    ? t`the sandbox stopped with its window or command`
    : t`the server was restarted, or it removed the job`;
}

/** The words fit into a sentence. @param run a job or its record */
export function lostSentence(run: Pick<Job, 'lostWhy'>): string {
  return run.lostWhy
    ? t`The sandbox stopped before the run finished.`
    : t`The job is no longer on the server (${lostWords(run)}).`;
}

export function describeNodeState(state: JobNodeState, took?: string): string {
  if (took === undefined || (state !== 'finished' && state !== 'error')) return nodeStateWords()[state];
  return state === 'error' ? t`failed after ${took}` : t`completed in ${took}`;
}

export interface LeftOutOutput {
  readonly nodeId: string;
  readonly name: string;
}

export function leftOutOutputs({ origin }: Pick<Job, 'origin'>): LeftOutOutput[] {
  if (!origin?.leftOut) return [];
  return origin.leftOut.outputs.map((nodeId) => ({ nodeId, name: nodeGivenName(origin, nodeId) ?? nodeId }));
}

/** `SaveText (node 5)`, of a node that is known by its id alone `node 5`. */
export function leftOutName({ nodeId, name }: LeftOutOutput): string {
  return name === nodeId ? t`node ${nodeId}` : t`${name} (node ${nodeId})`;
}

export function completedWords(job: Pick<Job, 'origin' | 'blocked'>): string {
  const left = leftOutOutputs(job).map(leftOutName);
  if (left.length > 0) return t`completed, ${listText(left)} skipped`;
  return job.blocked.length > 0 ? t`completed, some branches blocked` : t`completed`;
}

/** The name of a seed: `KSampler (3)`, or `Noise (5), noise_seed`. `key`: `nodeId.input`. */
export function seedName(key: string, nodeNames: JobOrigin['nodeNames']): string {
  const dot = key.indexOf('.');
  const [nodeId, input] = [key.slice(0, dot), key.slice(dot + 1)];
  const name = nodeGivenName({ nodeNames }, nodeId);
  if (name === undefined) return key;
  return input === 'seed' ? `${name} (${nodeId})` : `${name} (${nodeId}), ${input}`;
}

/** Job ID -> the previous run of the same workflow. Jobs submitted elsewhere have none. */
export function runsBefore(jobs: Iterable<Job>): ReadonlyMap<string, Job> {
  const ours = [...jobs].filter(({ origin }) => origin !== undefined);
  ours.sort((a, b) => sentAt(a) - sentAt(b));
  const latest = new Map<string, Job>();
  const before = new Map<string, Job>();
  for (const job of ours) {
    const workflow = jobWorkflowName(job);
    const earlier = latest.get(workflow);
    if (earlier) before.set(job.id, earlier);
    latest.set(workflow, job);
  }
  return before;
}

/** The seeds that differ from the previous run, or all, as digits, each once in the order of the prompt. */
export function tellingSeeds(job: Job, before: Job | undefined): readonly string[] {
  if (!job.origin) return [];
  const seeds = Object.entries(job.origin.seeds);
  const other = seeds.filter(([input, seed]) => before?.origin?.seeds[input] !== seed);
  return [...new Set((other.length > 0 ? other : seeds).map(([, seed]) => seed))];
}

export function jobWorkflowName({ id, origin }: Job): string {
  return origin?.sourceUri ?? origin?.label ?? id;
}

function sentAt({ createdAt, startedAt, endedAt }: Job): number {
  return createdAt ?? startedAt ?? endedAt ?? 0;
}

interface Words {
  /** Missing: the server itself. */
  readonly nodeId?: string;
  readonly text: string;
  readonly at: number;
}

/** The messages in order; for each node its last one, unless it is also an output. */
export function jobMessages(job: Job): readonly Words[] {
  const outputs = new Set(job.texts.map(({ nodeId, text }) => `${nodeId}\n${text.trim()}`));
  const ofNodes = Object.values(job.nodes).flatMap(({ nodeId, text = '', textAt }): Words[] => {
    const said = text.trim();
    if (said === '' || outputs.has(`${nodeId}\n${said}`)) return [];
    return [{ nodeId, text: nodeText(said), at: textAt ?? 0 }];
  });
  const { notices = [] } = job;
  return [...notices, ...ofNodes].sort((a, b) => a.at - b.at);
}

interface JobProgress {
  readonly nodesDone: number;
  readonly nodesTotal: number;
  /** Steps of the node that runs now; missing for nodes without steps. */
  readonly step?: number | undefined;
  readonly steps?: number | undefined;
  /** 0 to 1 over the entire job; 1 only when completed. */
  readonly fraction: number;
}

export function jobProgress(job: Job): JobProgress {
  const nodes = Object.values(job.nodes);
  const named = job.origin ? Object.keys(job.origin.nodeNames).length : 0;
  const nodesTotal = Math.max(named, nodes.length);
  const nodesDone = nodes.filter(({ state }) => state === 'finished' || state === 'cached').length;
  if (job.state === 'completed') return { nodesDone, nodesTotal, fraction: 1 };
  const current = steppingNode(job);
  const partly = nodes.reduce(
    (sum, node) => sum + (node.state === 'running' ? nodeShareDone(job, node) : 0),
    0,
  );
  const fraction = nodesTotal === 0 ? 0 : Math.min((nodesDone + partly) / nodesTotal, 0.999);
  return { nodesDone, nodesTotal, step: current?.value, steps: current?.max, fraction };
}

/** A job's progress in a few words, such as `7/12 nodes, step 14/20`; empty when unknown. */
export function describeProgress(job: Job): string {
  const { nodesDone, nodesTotal, step, steps } = jobProgress(job);
  if (nodesTotal === 0 || job.state === 'pending') return '';
  // A completed job skips the branches that nothing needs: their nodes are not missing.
  if (job.state === 'completed') {
    const left = job.origin?.leftOut?.nodes.length;
    if (left === undefined || left === 0) return nodesText(nodesTotal);
    const ran = nodesTotal - left;
    return t`${ran} of ${nodesText(nodesTotal)}`;
  }
  const isStepping = step !== undefined && steps !== undefined;
  return listText([t`${nodesDone}/${nodesTotal} nodes`, isStepping ? t`step ${step}/${steps}` : '']);
}

/** How much of a running job is done, in percent; undefined where its nodes are not known beforehand. */
export function percentDone(job: Job): number | undefined {
  const isListed = job.state === 'running' && job.unlistedSince === undefined;
  const isKnown = job.origin !== undefined && Object.keys(job.origin.nodeNames).length > 0;
  return isListed && isKnown ? Math.floor(jobProgress(job).fraction * 100) : undefined;
}

/** The text of a job's row and its parts; `now` in ms since the epoch. */
export function describeJob(
  job: Job,
  now: number,
): Readonly<Record<'state' | 'progress' | 'elapsed' | 'text', string>> {
  const state = describeState(job);
  const progress = job.state === 'running' && job.unlistedSince === undefined ? describeProgress(job) : '';
  const elapsed = describeElapsed(job, now);
  return { state, progress, elapsed, text: listText([state, progress, elapsed]) };
}

function describeElapsed(job: Job, now: number): string {
  if (job.startedAt === undefined) return '';
  if (!isTerminal(job.state)) return elapsedText((job.unlistedSince ?? now) - job.startedAt);
  return job.endedAt === undefined ? '' : durationText(job.endedAt - job.startedAt);
}

export function jobLabel({ id, origin }: Pick<Job, 'id' | 'origin'>): string {
  return origin?.label ?? startOfSentence(t`job ${id.slice(0, 8)}`);
}

export function jobLabelInSentence({ id, origin }: Pick<Job, 'id' | 'origin'>): string {
  return origin?.label ?? t`job ${id.slice(0, 8)}`;
}

/** The running node whose steps are worth telling: the current one, else any that steps. */
function steppingNode(job: Job): JobNode | undefined {
  if (isTerminal(job.state)) return undefined;
  const current = job.currentNodeId === undefined ? undefined : jobNode(job.nodes, job.currentNodeId);
  if (current && steps(current)) return current;
  return Object.values(job.nodes).find(steps);
}

function steps(node: JobNode): boolean {
  return node.state === 'running' && node.max > 1 && !iterationsIn(node.text);
}
