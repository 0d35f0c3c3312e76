import type { Job } from '../../core/jobs/job';
import { groupJobs } from '../../core/jobs/jobGroups';
import { jobWorkflowName } from '../../core/jobs/jobWords';
import { startOfSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import { groupByKey } from '../../core/workflow/graph/grouped';

export interface TreeGroup {
  /** `running`, `queued`, `elsewhere`, or `ended:` with the day or workflow. */
  readonly id: string;
  readonly label: string;
  readonly jobs: readonly Job[];
  readonly isCollapsed?: true;
}

export interface TreeChoice {
  /** Including jobs not submitted from this machine. */
  readonly all: boolean;
  readonly by: 'day' | 'workflow';
}

/** Running jobs, the queue in the server's order, then ended jobs. Other people's come last, collapsed. */
export function treeGroups(
  jobs: Iterable<Job>,
  now: number,
  { all, by }: TreeChoice = { all: true, by: 'day' },
): TreeGroup[] {
  const known = [...jobs];
  const ours = known.filter(isOurs);
  const { running, queued, finished } = groupJobs(all ? known : ours, now);
  const ended = finished.map(({ day, label, jobs }) => {
    return { id: `ended:${day}`, label: t`Finished, ${label}`, jobs: jobs.filter(isOurs) };
  });
  const others = finished.flatMap((day) => day.jobs.filter((job) => !isOurs(job)));
  const groups: TreeGroup[] = [
    { id: 'running', label: startOfSentence(t`running`), jobs: running },
    { id: 'queued', label: startOfSentence(t`queued`), jobs: queued },
    ...(by === 'day' ? ended : byWorkflow(ended.flatMap((day) => day.jobs))),
    { id: 'elsewhere', label: t`Finished, Submitted Elsewhere`, jobs: others, isCollapsed: true },
  ];
  return groups.filter((group) => group.jobs.length > 0);
}

export function isOurs({ origin }: Job): boolean {
  return origin !== undefined;
}

function byWorkflow(jobs: readonly Job[]): TreeGroup[] {
  const workflows = groupByKey(jobs, jobWorkflowName);
  const named = [...workflows].map(([key, jobs]) => ({ key, jobs, name: jobs[0]?.origin?.label ?? key }));
  return named.map(({ key, jobs, name }) => {
    const isShared = named.some((other) => other.key !== key && other.name === name);
    return { id: `ended:${key}`, label: isShared ? withFolder(key, name) : name, jobs };
  });
}

/** For files with the same name, the folder distinguishes them. */
function withFolder(uri: string, name: string): string {
  const folder = uri.split('/').at(-2);
  return folder === undefined || folder === '' ? name : `${decoded(folder)}/${name}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
