import type { Job, JobTime } from './job';

/**
 * A time in milliseconds; undefined if it can't be one. A value that would be before 1973 is in seconds: one copy of
 * the contract says so (protocol 2.1).
 */
function asMilliseconds(time: number | undefined): number | undefined {
  if (time === undefined || !Number.isFinite(time) || time <= 0) return undefined;
  const milliseconds = time < 1e11 ? Math.round(time * 1000) : time;
  // A `Date` can't hold more, and throws when formatted.
  return milliseconds <= 8.64e15 ? milliseconds : undefined;
}

/** The job with a time reported by the server. */
export function withToldTime(job: Job, name: JobTime, time: number | undefined): Job {
  const told = asMilliseconds(time);
  if (told === undefined) return job;
  const known = job[name];
  if (known === undefined) return { ...job, [name]: told };
  if (job.ownTimes?.includes(name)) {
    const others = job.ownTimes.filter((own) => own !== name);
    return { ...job, ownTimes: others.length > 0 ? others : undefined, [name]: told };
  }
  const counts = name === 'endedAt' ? Math.max(known, told) : Math.min(known, told);
  return counts === known ? job : { ...job, [name]: counts };
}

/** The job with a time by our own clock, until the server reports one. */
export function withOwnTime(job: Job, name: JobTime, at: number): Job {
  const known = job[name];
  const ownTimes = job.ownTimes ?? [];
  if (known === undefined) return { ...job, [name]: at, ownTimes: [...ownTimes, name].sort() };
  return ownTimes.includes(name) && at < known ? { ...job, [name]: at } : job;
}
