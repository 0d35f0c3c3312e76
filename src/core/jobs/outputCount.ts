import type { JobDetail } from '../protocol/jobRecord';
import type { Job } from './job';

/** The outputs that a record lists, as servers count: each item of each list that a node gave out. */
export function listedOutputs({ outputs = {} }: Pick<JobDetail, 'outputs'>): number {
  const members = Object.values(outputs).flatMap((record) => Object.entries(record));
  return members.reduce(
    (sum, [key, list]) => sum + (Array.isArray(list) && key !== 'animated' ? list.length : 0),
    0,
  );
}

/** How many outputs a server counts of a job and how many it has told; undefined where none is missing. */
export function missingOutputs(job: Job): { readonly counted: number; readonly listed: number } | undefined {
  const counted = job.outputsCount ?? 0;
  // Events tell of outputs that the record may not list yet.
  const listed = Math.max(job.outputsListed ?? 0, job.outputs.length + job.texts.length);
  return counted > listed ? { counted, listed } : undefined;
}
