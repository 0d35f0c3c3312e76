import type { Job, JobTime } from './job';

/**
 * A time as milliseconds; undefined where it can be none. What would lie before 1973 in milliseconds is meant in
 * seconds: one copy of the contract speaks of them (protocol 2.1).
 */
function asMilliseconds(time: number | undefined): number | undefined {
  if (time === undefined || !Number.isFinite(time) || time <= 0) return undefined;
  const milliseconds = time < 1e11 ? Math.round(time * 1000) : time;
  // A `Date` holds no more, and throws where it is put into words.
  return milliseconds <= 8.64e15 ? milliseconds : undefined;
}

/** The job with a time that the server told. */
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

/** The job with a time by our own clock, for as long as the server tells none. */
export function withOwnTime(job: Job, name: JobTime, at: number): Job {
  const known = job[name];
  const ownTimes = job.ownTimes ?? [];
  if (known === undefined) return { ...job, [name]: at, ownTimes: [...ownTimes, name].sort() };
  return ownTimes.includes(name) && at < known ? { ...job, [name]: at } : job;
}
