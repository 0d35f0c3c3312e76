import type { Job, JobOrigin } from '../jobs/job';
import { embeddedValidation } from '../protocol/errorBody';

/** What a saved text asks for, and which file it is of. */
export interface AskedPrompt {
  /** URI text. */
  readonly file: string;
  /** SHA-256 (hex) of the text. */
  readonly sourceHash: string;
  /** Hash of the prompt; undefined if unknown. */
  readonly promptHash: string | undefined;
}

type Source = Pick<JobOrigin, 'sourceUri' | 'sourceHash' | 'promptHash'>;

/**
 * What is known about earlier runs of a file's prompt. `sameAsRun`: it ran last or, if the previous save had the same
 * prompt, at any time. `unclear`: it was sent, but whether the server has it is unknown. A refusal after acceptance is
 * not a run.
 */
export function earlierRun(
  asked: AskedPrompt,
  isLast: boolean,
  jobs: readonly Job[],
  unanswered: readonly Source[],
): 'sameAsRun' | 'unclear' | undefined {
  if (unanswered.some((origin) => isOf(origin, asked) && asksTheSame(origin, asked))) return 'unclear';
  const own = jobs.filter(({ origin }) => origin && isOf(origin, asked));
  const same = newest(own.filter(({ origin }) => origin && asksTheSame(origin, asked)));
  // Removed from the list by the user: it still ran.
  if (!same) return isLast ? 'sameAsRun' : undefined;
  if (!isLast && same !== newest(own)) return undefined;
  return wasRefusedLate(same) ? undefined : 'sameAsRun';
}

function isOf({ sourceUri }: Source, { file }: AskedPrompt): boolean {
  return sourceUri === file;
}

/** Jobs of earlier versions know the text alone. */
function asksTheSame(origin: Source, asked: AskedPrompt): boolean {
  if (origin.sourceHash === asked.sourceHash) return true;
  return origin.promptHash !== undefined && origin.promptHash === asked.promptHash;
}

/** Of jobs without a time, the one added last. */
function newest(jobs: readonly Job[]): Job | undefined {
  return jobs.reduce<Job | undefined>(
    (latest, job) => ((job.createdAt ?? 0) >= (latest?.createdAt ?? 0) ? job : latest),
    undefined,
  );
}

/** A failed node's message may look like a refusal: it has run, and may have cost. */
function wasRefusedLate({ failure }: Job): boolean {
  if (!failure || failure.nodeId !== undefined) return false;
  return embeddedValidation(failure.message)?.nodeErrors !== undefined;
}
