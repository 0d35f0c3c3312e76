import type { Job } from './job';

/** Job id -> the run of the same workflow that was sent before it. Jobs that were submitted elsewhere have none. */
export function runsBefore(jobs: Iterable<Job>): ReadonlyMap<string, Job> {
  const ours = [...jobs].filter(({ origin }) => origin !== undefined);
  ours.sort((a, b) => sentAt(a) - sentAt(b));
  const latest = new Map<string, Job>();
  const before = new Map<string, Job>();
  for (const job of ours) {
    const workflow = workflowOf(job);
    const earlier = latest.get(workflow);
    if (earlier) before.set(job.id, earlier);
    latest.set(workflow, job);
  }
  return before;
}

/**
 * The seeds by which a run is told apart, as digits: those that are not as in the run before; all of them where there
 * was none before, or where nothing changed. Each once, in the order of the prompt.
 */
export function tellingSeeds(job: Job, before: Job | undefined): readonly string[] {
  const seeds = Object.entries(job.origin?.seeds ?? {});
  const old = before?.origin?.seeds ?? {};
  const other = seeds.filter(([input, seed]) => old[input] !== seed);
  return [...new Set((other.length > 0 ? other : seeds).map(([, seed]) => seed))];
}

/** The file that was run; text without a file is known by its name. */
export function workflowOf({ id, origin }: Job): string {
  return origin?.sourceUri ?? origin?.label ?? id;
}

function sentAt({ createdAt, startedAt, endedAt }: Job): number {
  return createdAt ?? startedAt ?? endedAt ?? 0;
}
