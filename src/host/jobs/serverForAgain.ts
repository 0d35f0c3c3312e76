import type { Job } from '../../core/jobs/job';
import type { RunSession } from '../../core/runs/runSession';
import { Shown, shown } from '../../core/safety/shownText';
import { ask } from '../platform/show';
import type { Servers } from '../servers/servers';
import { labelOf } from './stopJobs';

/** Where a job runs again: on a session, on the selected server, or not at all. */
export type AgainOn = RunSession | 'selected' | 'declined';

type AgainServers = Pick<
  Servers,
  'current' | 'currentOrigin' | 'sessionOf' | 'nameOf' | 'isOfSandbox' | 'sandboxSession'
>;

/** Asks, naming both, when the job's server is not the selected one. */
export async function serverForAgain(servers: AgainServers, job: Job): Promise<AgainOn> {
  const selected = servers.current();
  if (selected && servers.currentOrigin() === job.server) return 'selected';
  const isSandbox = servers.isOfSandbox(job);
  // Any sandbox will do: that of an earlier window is gone.
  if (isSandbox && selected?.kind === 'sandbox') return 'selected';
  const own = isSandbox ? 'sandbox' : await servers.sessionOf(job.server);
  const open = (): Promise<RunSession> | AgainOn =>
    own === 'sandbox' ? servers.sandboxSession() : (own ?? 'selected');
  if (!selected) return open();
  const before = servers.nameOf(job.server);
  const where = selected.url === undefined ? selected.name : `${selected.name} (${selected.url})`;
  const here = { label: shown`Run on ${selected.name}`, isHere: true };
  const there = own && { label: shown`Run on ${before}`, isHere: false };
  const ranOn = isSandbox || before === job.server ? before : `${before} (${job.server})`;
  const answer = await ask(
    {
      message: shown`Run ${labelOf(job)} again on ${selected.name}?`,
      detail: Shown.join([
        shown`It ran on ${ranOn}.`,
        own ? undefined : shown`That server has been removed.`,
        shown`The selected server is ${where}.`,
      ]),
    },
    ...(there ? [there, here] : [here]),
  );
  if (!answer) return 'declined';
  return answer.isHere ? 'selected' : open();
}
