import type { Job } from './job';
import type { JobObservation } from './jobObservation';

export declare function reduceJobs(
  jobs: ReadonlyMap<string, Job>,
  observation: JobObservation,
): ReadonlyMap<string, Job>;
