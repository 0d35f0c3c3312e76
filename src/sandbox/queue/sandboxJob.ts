import type { ExactObject } from '../../core/json/exactValue';
import type { RunResult } from '../execution/runEvent';

/** A submission as accepted. `extraData` contains no credentials. */
export interface AcceptedPrompt {
  readonly id: string;
  /** Place in the queue: the lower goes first. */
  readonly number: number;
  /** As submitted, with every digit: returned by queue, history and jobs. */
  readonly prompt: ExactObject;
  readonly extraData: ExactObject;
  readonly partnerKey?: string | undefined;
  readonly clientId?: string | undefined;
  /** The output nodes to run. */
  readonly targets: readonly string[];
  readonly previews: boolean;
  /** Milliseconds since 1970. */
  readonly createTime: number;
}

export interface SandboxJob extends Omit<AcceptedPrompt, 'partnerKey'> {
  /** For the run only: removed when it ends. */
  partnerKey?: string | undefined;
  state: 'pending' | 'running' | 'ended';
  startTime?: number;
  endTime?: number;
  /** Set once the job has ended. */
  result?: RunResult;
}

/** The five states of the jobs endpoints (protocol 2.1). */
export type JobWord = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

export const jobWords: readonly JobWord[] = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'];

/** The state of a job: if it has ended, from its messages first and its result second (protocol 4.3). */
export function jobWord(job: SandboxJob): JobWord {
  if (job.state === 'pending') return 'pending';
  if (job.state === 'running' || !job.result) return 'in_progress';
  if (hasMessage(job, 'execution_interrupted') || job.result.status === 'interrupted') return 'cancelled';
  if (hasMessage(job, 'execution_error') || job.result.status === 'error') return 'failed';
  return 'completed';
}

function hasMessage(job: SandboxJob, type: string): boolean {
  return job.result?.messages.some(([name]) => name === type) ?? false;
}

/** The failure record of a job that failed. */
export function jobFailure(job: SandboxJob): Readonly<Record<string, unknown>> | undefined {
  return job.result?.messages.find(([name]) => name === 'execution_error')?.[1];
}
