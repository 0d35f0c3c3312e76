import type { Job } from './job';

/** Where jobs are kept while the window is closed. */
export interface JobMemory {
  load(): Promise<readonly Job[]>;
  save(jobs: readonly Job[]): Promise<void>;
}

export declare function writeJobs(jobs: readonly Job[], limit?: number): string;
export declare function readJobs(text: string): readonly Job[];
