import type { Job } from '../../core/jobs/job';
import { groupJobs } from '../../core/jobs/jobGroups';

/** A heading of the jobs tree with the jobs below it, in the order in which they are shown. */
export interface TreeGroup {
  /** `running`, `queued`, or `ended:` and the day. */
  readonly id: string;
  readonly label: string;
  readonly jobs: readonly Job[];
}

/** Running first, then the queue in the server's order, then the days on which jobs have ended. */
export function treeGroups(jobs: Iterable<Job>, now: number): TreeGroup[] {
  const { running, queued, finished } = groupJobs(jobs, now);
  const groups = [
    { id: 'running', label: 'Running', jobs: running },
    { id: 'queued', label: 'Queued', jobs: queued },
    ...finished.map(({ day, label, jobs: ended }) => ({
      id: `ended:${day}`,
      label: `Finished, ${label}`,
      jobs: ended,
    })),
  ];
  return groups.filter((group) => group.jobs.length > 0);
}
