import type { Job, JobFile } from '../../core/jobs/job';
import { jobTime } from '../../core/jobs/jobGroups';

/** A picture from an earlier run. */
export interface EarlierPicture {
  readonly job: Job;
  readonly file: JobFile;
}

/** The picture that the same node made in the previous run of the workflow, if it is on disk. */
export function previousPicture(
  jobs: readonly Job[],
  job: Job,
  file: JobFile,
  isSaved: (jobId: string, file: JobFile) => boolean,
): EarlierPicture | undefined {
  if (file.media !== 'image' || job.origin === undefined) return undefined;
  let newest: EarlierPicture | undefined;
  for (const earlier of jobs) {
    if (earlier.id === job.id || !isSameWorkflow(earlier, job) || jobTime(earlier) >= jobTime(job)) continue;
    if (newest && jobTime(newest.job) >= jobTime(earlier)) continue;
    const picture = earlier.outputs.find((other) => isSamePlace(other, file) && isSaved(earlier.id, other));
    if (picture) newest = { job: earlier, file: picture };
  }
  return newest;
}

function isSameWorkflow({ origin: a }: Job, { origin: b }: Job): boolean {
  if (a === undefined || b === undefined) return false;
  return a.sourceUri === b.sourceUri && a.label === b.label;
}

function isSamePlace(a: JobFile, b: JobFile): boolean {
  return a.media === 'image' && a.nodeId === b.nodeId && (a.index ?? 0) === (b.index ?? 0);
}
