import type { Job } from './job';

/** Job ID -> the previous run of the same workflow. Jobs submitted elsewhere have none. */
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
 * The seeds that identify a run, as digits: those that differ from the previous run; all of them if there is none, or
 * if nothing changed. Each once, in the order of the prompt.
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
