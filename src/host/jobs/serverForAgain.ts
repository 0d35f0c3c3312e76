import type { Job } from '../../core/jobs/job';
import type { ServerSession } from '../../core/runs/serverSession';
import { shown } from '../../core/safety/shownText';
import { ask } from '../platform/show';
import type { Servers } from '../servers/servers';
import { labelOf } from './stopJobs';

/** Where a job runs again: on a session, on the server that is selected, or not at all. */
export type AgainOn = ServerSession | 'selected' | 'declined';

/** Asks, naming both, when the server that a job ran on is not the one that is selected now. */
export async function serverForAgain(
  servers: Pick<Servers, 'current' | 'currentOrigin' | 'sessionOf' | 'nameOf'>,
  job: Job,
): Promise<AgainOn> {
  const selected = servers.current();
  if (selected && servers.currentOrigin() === job.server) return 'selected';
  const own = await servers.sessionOf(job.server);
  if (!selected) return own ?? 'selected';
  const before = servers.nameOf(job.server);
  const where = selected.url === undefined ? selected.name : `${selected.name} (${selected.url})`;
  const here = { label: shown`Run on ${selected.name}`, on: 'selected' as const };
  const there = own && { label: shown`Run on ${before}`, on: own };
  const gone = own ? shown`` : shown` That server is no longer in the list.`;
  const answer = await ask(
    {
      message: shown`Run ${labelOf(job)} again on ${selected.name}?`,
      detail: shown`It ran on ${before} (${job.server}).${gone} The selected server is ${where}.`,
    },
    ...(there ? [there, here] : [here]),
  );
  return answer?.on ?? 'declined';
}
