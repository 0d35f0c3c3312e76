import { isTerminal, type Job } from './job';
import { t } from '../safety/localize';
import { dayText, localDay } from '../safety/timeText';

interface DayOfJobs {
  /** The day in local time, `2026-03-07`: a stable id. */
  readonly day: string;
  readonly label: string;
  readonly jobs: readonly Job[];
}

/** The rows of a jobs view. `now` in ms since the epoch; days are those of the local time zone. */
export function groupJobs(jobs: Iterable<Job>, now: number) {
  const known = [...jobs];
  const running = known.filter(({ state }) => state === 'running');
  const queued = known.filter(({ state }) => state === 'pending');
  const ended = known.filter(({ state }) => isTerminal(state));
  return {
    running: running.sort((a, b) => byNumber(a.startedAt, b.startedAt) || byId(a, b)),
    queued: queued.sort(
      (a, b) =>
        byNumber(a.queuePosition, b.queuePosition) || byNumber(a.createdAt, b.createdAt) || byId(a, b),
    ),
    finished: byDay(ended, now),
  };
}

/**
 * The job of this window that a view of what runs shows: the one shown while it runs, else the one running longest. With
 * none, the result that came last stays in sight until the next starts, unless something was sent since.
 * @param isSilent its server doesn't answer, so whether it runs is not known
 */
export function jobToFollow(
  jobs: Iterable<Job>,
  shownId: string | undefined,
  isSilent: (job: Job) => boolean,
): Job | undefined {
  const ours = [...jobs].filter(({ origin }) => origin !== undefined);
  const live = ours.filter((job) => !isTerminal(job.state) && !isSilent(job));
  const { running, queued } = groupJobs(live, 0);
  const runs = running.find(({ id }) => id === shownId) ?? running[0];
  if (runs) return runs;
  const ended = ours.filter((job) => isTerminal(job.state) && job.startedAt !== undefined);
  const last = newest(ended);
  const since = last ? jobTime(last) : -Infinity;
  if (queued.some(({ createdAt = 0 }) => createdAt > since)) return queued[0];
  if (queued.length > 0) return last;
  // Jobs that ran when their server fell silent probably still do, and those queued behind them wait.
  const silent = ours.filter((job) => !isTerminal(job.state) && isSilent(job));
  const ran = silent.filter(({ state }) => state === 'running');
  const waits = new Set(ran.length > 0 ? silent.filter((job) => !ran.includes(job)) : []);
  return newest(ours.filter((job) => !waits.has(job)));
}

function newest(jobs: readonly Job[]): Job | undefined {
  return jobs.toSorted((a, b) => jobTime(a) - jobTime(b)).at(-1);
}

/** When a job belongs into a list: its end, else the best that is known; ms since the epoch. */
export function jobTime(job: Job): number {
  return job.endedAt ?? job.startedAt ?? job.createdAt ?? 0;
}

function byDay(ended: Job[], now: number): DayOfJobs[] {
  const today = localDay(now);
  const yesterday = localDay(new Date(now).setHours(0, 0, 0, 0) - 1);
  const days = new Map<string, Job[]>();
  for (const job of ended.sort((a, b) => jobTime(b) - jobTime(a) || byId(a, b))) {
    const day = localDay(jobTime(job));
    const jobs = days.get(day);
    if (jobs) jobs.push(job);
    else days.set(day, [job]);
  }
  return [...days].map(([day, jobs]) => ({
    day,
    label: day === today ? t`Today` : day === yesterday ? t`Yesterday` : dayText(jobTime(jobs[0] as Job)),
    jobs,
  }));
}

function byNumber(a: number | undefined, b: number | undefined): number {
  if (a === b) return 0;
  return (a ?? Infinity) - (b ?? Infinity);
}

function byId(a: Job, b: Job): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
