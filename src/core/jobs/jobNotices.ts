import type { Job, JobNotice } from './job';

/** Servers repeat themselves: the latest report counts. */
const mostNotices = 20;
export const longestNotice = 2_000;

/** The job with the server's messages about it, each once. */
export function withNotice(job: Job, told: string, at: number): Job {
  const text = told.trim().slice(0, longestNotice);
  const known = job.notices ?? [];
  const old = known.find((notice) => notice.text === text);
  if (text === '' || (old && old.at >= at)) return job;
  const others = known.filter((notice) => notice !== old);
  return { ...job, notices: [...others, { text, at }].sort(byTime).slice(-mostNotices) };
}

function byTime(a: JobNotice, b: JobNotice): number {
  return a.at - b.at || (a.text < b.text ? -1 : 1);
}
