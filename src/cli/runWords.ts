import type { Job } from '../core/jobs/job';
import type { CancelResult } from '../core/jobs/cancelJobs';
import { endSentence } from '../core/protocol/endSentence';
import { explainFailure } from '../core/protocol/failureExplanation';
import type { Trouble } from './runReport';
import { plainText } from './terminal';

export const cancelWords: Readonly<Record<CancelResult, string>> = {
  cancelled: 'The job is cancelled on the server.',
  alreadyEnded: 'The job had ended before it could be cancelled.',
  stillRunning: 'The server took the request, but the job still runs there.',
  notFound: 'The server no longer knows the job.',
};

/** What a thrown error says, and what to do if it knows. */
export function troubleOf(error: unknown): Trouble {
  const message = error instanceof Error ? error.message : String(error);
  const nextAction =
    typeof error === 'object' && error !== null && 'nextAction' in error ? String(error.nextAction) : '';
  return { message: sentence(message), nextAction };
}

/** Why a job did not come to its end. */
export function troubleOfJob(job: Job): Trouble {
  if (job.state === 'lost') {
    return {
      message: 'The server no longer knows the job; it was probably restarted.',
      nextAction: 'Run the workflow again.',
    };
  }
  if (!job.failure) return { message: 'The job failed.', nextAction: 'Look at the log of the server.' };
  const { title, nextAction } = explainFailure(job.failure);
  return { message: sentence(title), nextAction };
}

export function sentence(text: string): string {
  return endSentence(plainText(text));
}
