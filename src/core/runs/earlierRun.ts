import type { Job, JobOrigin } from '../jobs/job';
import { embeddedValidation } from '../protocol/errorBody';

/** What a saved text asks for, and which file it is of. */
export interface AskedPrompt {
  /** URI text. */
  readonly file: string;
  /** SHA-256 (hex) of the text. */
  readonly sourceHash: string;
  /** Of what it asks for; undefined where nobody can tell. */
  readonly promptHash: string | undefined;
}

/**
 * What is known of earlier runs of a prompt of a file. `sameAsRun`: it ran last, or, where the save before asked for the
 * same, at any time. `unclear`: it was sent, and it is not known whether the server has it. A refusal that came only
 * after the job was taken is no run.
 */
export function earlierRun(
  asked: AskedPrompt,
  isLast: boolean,
  jobs: readonly Job[],
  unanswered: readonly JobOrigin[],
): 'sameAsRun' | 'unclear' | undefined {
  if (unanswered.some((origin) => isOf(origin, asked) && asksTheSame(origin, asked))) return 'unclear';
  const own = jobs.filter(({ origin }) => origin && isOf(origin, asked));
  const same = newest(own.filter(({ origin }) => origin && asksTheSame(origin, asked)));
  // Taken from the list by its user: it has run all the same.
  if (!same) return isLast ? 'sameAsRun' : undefined;
  if (!isLast && same !== newest(own)) return undefined;
  return wasRefusedLate(same) ? undefined : 'sameAsRun';
}

function isOf({ sourceUri }: JobOrigin, { file }: AskedPrompt): boolean {
  return sourceUri === file;
}

/** Jobs of earlier versions know the text alone. */
function asksTheSame(origin: JobOrigin, asked: AskedPrompt): boolean {
  if (origin.sourceHash === asked.sourceHash) return true;
  return origin.promptHash !== undefined && origin.promptHash === asked.promptHash;
}

/** Of jobs without a time the one that became known last. */
function newest(jobs: readonly Job[]): Job | undefined {
  return jobs.reduce<Job | undefined>(
    (latest, job) => ((job.createdAt ?? 0) >= (latest?.createdAt ?? 0) ? job : latest),
    undefined,
  );
}

/** Words of a node that failed may look like a refusal: it has run, and may have cost. */
function wasRefusedLate({ failure }: Job): boolean {
  if (!failure || failure.nodeId !== undefined) return false;
  return embeddedValidation(failure.message)?.nodeErrors !== undefined;
}
