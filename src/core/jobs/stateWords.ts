import { isTerminal, type Job, type JobNodeState, type JobState } from './job';
import { completedWords } from './leftOutWords';
import { unheardOutputs } from './unheardOutputs';
import { t } from '../safety/localize';

/** A state of a job in one word. */
export const jobStateWords: Readonly<Record<JobState, string>> = {
  pending: t`queued`,
  running: t`running`,
  completed: t`completed`,
  failed: t`failed`,
  cancelled: t`cancelled`,
  lost: t`lost`,
};

/** A state of a node in one word. */
export const nodeStateWords: Readonly<Record<JobNodeState, string>> = {
  pending: t`waiting`,
  running: t`running`,
  finished: t`completed`,
  cached: t`cached`,
  error: t`failed`,
};

/** A job's state or end, with details: `queued, number 2`. */
export function describeState(job: Job): string {
  if (job.cancelling && !isTerminal(job.state)) return t`cancelling`;
  if (unheardOutputs(job) === 'unknown') return t`outputs unknown`;
  if (job.state === 'completed') return completedWords(job);
  if (job.state === 'lost') return lostWords(job);
  const { queuePosition } = job;
  if (job.state === 'pending' && queuePosition !== undefined) return t`queued, number ${queuePosition}`;
  return jobStateWords[job.state];
}

/** What is known about our job that its server no longer knows. */
export function lostWords(job: Job): string {
  return job.startedAt === undefined
    ? t`removed from the queue, or the server was restarted`
    : t`the server was restarted, or it removed the job`;
}

/** A node's progress or end: `done in 1.9 s`. @param took how long it ran, if known */
export function describeNodeState(state: JobNodeState, took?: string): string {
  if (took === undefined || (state !== 'finished' && state !== 'error')) return nodeStateWords[state];
  return state === 'error' ? t`failed after ${took}` : t`completed in ${took}`;
}
