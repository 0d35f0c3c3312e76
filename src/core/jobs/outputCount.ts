import type { JobDetail } from '../protocol/jobRecord';
import type { Job } from './job';

/** The number of outputs in a record, as servers count: each item of each list that a node returned. */
export function listedOutputs({ outputs = {} }: Pick<JobDetail, 'outputs'>): number {
  let sum = 0;
  for (const record of Object.values(outputs))
    for (const [key, list] of Object.entries(record))
      if (Array.isArray(list) && key !== 'animated') sum += list.length;
  return sum;
}

/** How many outputs a server counts for a job and how many it has listed; undefined when none is missing. */
export function missingOutputs(job: Job): { readonly counted: number; readonly listed: number } | undefined {
  const counted = job.outputsCount ?? 0;
  // Events may report outputs that the record does not list yet.
  const listed = Math.max(job.outputsListed ?? 0, job.outputs.length + job.texts.length);
  return counted > listed ? { counted, listed } : undefined;
}
