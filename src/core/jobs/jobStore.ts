import type { Job } from './job';
import type { JobObservation } from './jobObservation';

export interface JobChange {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export declare class JobStore {
  constructor(options?: { readonly limit?: number });
  jobs(): readonly Job[];
  get(id: string): Job | undefined;
  observe(observation: JobObservation): void;
  remove(id: string): void;
  restore(jobs: Iterable<Job>): void;
  onDidChange(listener: (change: JobChange) => void): () => void;
}
