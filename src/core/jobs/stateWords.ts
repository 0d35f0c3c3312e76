import { isTerminal, type Job, type JobNodeState, type JobState } from './job';
import { completedWords } from './leftOutWords';

/** A state of a job in one word. */
export const jobStateWords: Readonly<Record<JobState, string>> = {
  pending: 'queued',
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  lost: 'lost',
};

/** A state of a node in one word. */
export const nodeStateWords: Readonly<Record<JobNodeState, string>> = {
  pending: 'waiting',
  running: 'running',
  finished: 'done',
  cached: 'cached',
  error: 'failed',
};

/** What a job does now, or how it ended, with what there is to say about it: `queued, number 2`. */
export function describeState(job: Job): string {
  if (job.cancelling && !isTerminal(job.state)) return 'cancelling';
  if (job.state === 'completed') return completedWords(job);
  if (job.state === 'lost') return lostWords(job);
  const word = jobStateWords[job.state];
  const { queuePosition } = job;
  return job.state === 'pending' && queuePosition !== undefined ? `${word}, number ${queuePosition}` : word;
}

/** What is known of a job of ours that its server does not know any more. */
export function lostWords(job: Job): string {
  return job.startedAt === undefined
    ? 'removed from the queue, or the server was restarted'
    : 'the server was restarted, or it removed the job';
}

/** How far a node is or how it ended: `done in 1.9 s`. @param took how long it ran, where that is known */
export function describeNodeState(state: JobNodeState, took?: string): string {
  const word = nodeStateWords[state];
  if (took === undefined || (state !== 'finished' && state !== 'error')) return word;
  return `${word} ${state === 'error' ? 'after' : 'in'} ${took}`;
}
