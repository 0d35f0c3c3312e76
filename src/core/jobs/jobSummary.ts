import { isTerminal, type Job, type JobNode, nodeIn } from './job';
import { iterationsIn, shareOf } from './iteration';
import { describeState } from './stateWords';
import { listText, plural, t } from '../safety/localize';
import { durationText } from '../safety/timeText';

export interface JobProgress {
  /** Nodes that are done, cached ones included. */
  readonly nodesDone: number;
  /** Nodes of the submitted prompt; for a job submitted elsewhere, the nodes seen so far. */
  readonly nodesTotal: number;
  /** Steps of the node that runs now; missing for nodes without steps. */
  readonly step?: number | undefined;
  readonly steps?: number | undefined;
  /** 0 to 1 over the entire job; 1 only when completed. */
  readonly fraction: number;
}

/** How far a job is, as numbers for a bar. */
export function jobProgress(job: Job): JobProgress {
  const nodes = Object.values(job.nodes);
  const named = job.origin ? Object.keys(job.origin.nodeNames).length : 0;
  const nodesTotal = Math.max(named, nodes.length);
  const nodesDone = nodes.filter(isDone).length;
  if (job.state === 'completed') return { nodesDone, nodesTotal, fraction: 1 };
  const current = steppingNode(job);
  const partly = nodes.reduce((sum, node) => sum + (node.state === 'running' ? shareOf(job, node) : 0), 0);
  const fraction = nodesTotal === 0 ? 0 : Math.min((nodesDone + partly) / nodesTotal, 0.999);
  return {
    nodesDone,
    nodesTotal,
    step: current?.value,
    steps: current?.max,
    fraction,
  };
}

/** A job's progress in a few words, such as `7/12 nodes, step 14/20`; empty when unknown. */
export function describeProgress(job: Job): string {
  const { nodesDone, nodesTotal, step, steps } = jobProgress(job);
  if (nodesTotal === 0 || job.state === 'pending') return '';
  // A completed job skips the branches that nothing needs: their nodes are not missing.
  if (job.state === 'completed') {
    const left = job.origin?.leftOut?.nodes.length ?? 0;
    if (left === 0) return plural(nodesTotal, t`1 node`, t`${nodesTotal} nodes`);
    const ran = nodesTotal - left;
    return plural(nodesTotal, t`${ran} of 1 node`, t`${ran} of ${nodesTotal} nodes`);
  }
  return step === undefined || steps === undefined
    ? t`${nodesDone}/${nodesTotal} nodes`
    : t`${nodesDone}/${nodesTotal} nodes, step ${step}/${steps}`;
}

/** How much of a running job is done, in percent; undefined where its nodes are not known beforehand. */
export function percentDone(job: Job): number | undefined {
  const isKnown = job.state === 'running' && Object.keys(job.origin?.nodeNames ?? {}).length > 0;
  return isKnown ? Math.floor(jobProgress(job).fraction * 100) : undefined;
}

export interface JobDescription {
  /** The job's state in one or two words. */
  readonly state: string;
  /** `7/12 nodes, step 14/20`; empty when there is no progress. */
  readonly progress: string;
  /** Elapsed time while it runs, duration when it has ended; empty before it started. */
  readonly elapsed: string;
  /** The non-empty parts above, joined. */
  readonly text: string;
}

/** The text of a job's row; `now` in ms since the epoch. */
export function describeJob(job: Job, now: number): JobDescription {
  const state = describeState(job);
  const progress = job.state === 'running' ? describeProgress(job) : '';
  const elapsed = describeElapsed(job, now);
  return { state, progress, elapsed, text: listText([state, progress, elapsed]) };
}

function describeElapsed(job: Job, now: number): string {
  if (job.startedAt === undefined) return '';
  const end = isTerminal(job.state) ? job.endedAt : now;
  // The clock of the server may be ahead of ours.
  return end === undefined ? '' : durationText(Math.max(0, end - job.startedAt));
}

/** A job's name: its workflow, or the start of its ID. */
export function jobLabel({ id, origin }: Pick<Job, 'id' | 'origin'>): string {
  return origin?.label ?? t`Job ${id.slice(0, 8)}`;
}

/** Within a sentence. */
export function labelOf({ id, origin }: Pick<Job, 'id' | 'origin'>): string {
  return origin?.label ?? t`job ${id.slice(0, 8)}`;
}

function isDone(node: JobNode): boolean {
  return node.state === 'finished' || node.state === 'cached';
}

/** The running node whose steps are worth telling: the current one, else any that steps. */
function steppingNode(job: Job): JobNode | undefined {
  if (isTerminal(job.state)) return undefined;
  const current = job.currentNodeId === undefined ? undefined : nodeIn(job.nodes, job.currentNodeId);
  if (current && steps(current)) return current;
  return Object.values(job.nodes).find(steps);
}

function steps(node: JobNode): boolean {
  return node.state === 'running' && node.max > 1 && !iterationsIn(node.text);
}
