import { createHash } from 'node:crypto';
import type { RunPointer } from './runPointer';

/** IDs come from servers and may contain anything: a hash is always a valid file name. */
const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 40);

/** A pointer's name while something is owed: of the prompt, which is known before the job. */
export function pointerId({ promptId, jobId }: Pick<RunPointer, 'promptId' | 'jobId'>): string {
  return promptId !== undefined && /^[\da-f-]{36}$/.test(promptId)
    ? promptId
    : hashOf(promptId ?? jobId ?? '');
}

/** Names in the storage. */
export const pointerFiles = {
  owedPrefix: 'pointer-owed-',
  owed: (id: string) => `pointer-owed-${id}.json`,
  ofJob: (jobId: string) => `pointer-job-${hashOf(jobId)}.json`,
} as const;
