import { givenName, type Job } from '../core/jobs/job';
import type { CancelResult } from '../core/jobs/cancelJobs';
import { lostSentence } from '../core/jobs/jobWords';
import { tellFailure } from '../core/jobs/failureText';
import type { Trouble } from './commandProblem';
import { failureFields } from './commandReport';
import { t } from '../core/safety/localize';

export const cancelWords = (): Readonly<Record<Exclude<CancelResult, 'stillRunning'>, string>> => ({
  cancelled: t`The job was cancelled on the server.`,
  alreadyEnded: t`The job had already finished.`,
  notFound: t`The server no longer has the job.`,
});

/** Why a job did not complete. */
export function troubleOfJob(job: Job): Trouble {
  if (job.state === 'lost') {
    return {
      message: lostSentence(job),
      nextAction: t`It may have finished first. Check the server for outputs before you run it again.`,
    };
  }
  if (job.state === 'cancelled') {
    return {
      message: t`The run was cancelled.`,
      nextAction: t`Run it again if you didn't mean to cancel it.`,
    };
  }
  if (!job.failure) return { message: t`The run failed.`, nextAction: t`Check the server log.` };
  const { nodeId, nodeType = nodeId && givenName(job.origin, nodeId) } = job.failure;
  const { message, nextAction } = tellFailure({ ...job.failure, nodeType });
  return { message, nextAction, ...failureFields(job.failure) };
}

/** Of a job that completed and made nothing. */
export function noOutputsWords({ eventsOnly, blocked }: Job): string {
  if (blocked.length > 0) return t`The job completed without outputs, because its branches were blocked.`;
  return eventsOnly
    ? t`The job completed without outputs.`
    : t`The server lists no outputs for the job, even after a second request.`;
}
