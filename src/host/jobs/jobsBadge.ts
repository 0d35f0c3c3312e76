import type { Job } from '../../core/jobs/job';
import { shown, type Shown } from '../../core/safety/shownText';

export interface BadgeFacts {
  /** Whether the view shows a job with its current filter. */
  readonly isShown: (job: Job) => boolean;
  /** Whether an origin is that of the selected server. */
  readonly isCurrent: (origin: string) => boolean;
  /** Whether a server is known not to answer or to refuse access. */
  readonly isSilent: (origin: string) => boolean;
}

/** What is in progress; undefined for nothing. */
export function badgeOf(
  live: readonly Job[],
  facts: BadgeFacts,
): { readonly value: number; readonly tooltip: Shown } | undefined {
  const counted = live.filter((job) => isWaitedFor(job, facts));
  if (counted.length === 0) return undefined;
  const running = counted.filter(({ state }) => state === 'running').length;
  return { value: counted.length, tooltip: shown`${running} running, ${counted.length - running} queued` };
}

/** A job on an unselected server that does not answer is shown, but not counted. */
function isWaitedFor(job: Job, { isShown, isCurrent, isSilent }: BadgeFacts): boolean {
  return isShown(job) && (isCurrent(job.server) || !isSilent(job.server));
}
