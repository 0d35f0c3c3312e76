import type { RunSession } from '../../core/runLife/runSession';
import { Shown, shown } from '../../core/safety/shownText';
import { ask } from '../platform/show';
import { sandboxName } from '../servers/knownServers';
import type { Servers } from '../servers/servers';

/** Where a run is repeated: on a session, on the selected server, or not at all. */
export type AgainOn = RunSession | 'selected' | 'declined';

type AgainServers = Pick<
  Servers,
  'current' | 'currentOrigin' | 'sessionOf' | 'nameOf' | 'isOfSandbox' | 'sandboxSession'
>;

/** What ran, and the origin of its server. */
interface EarlierRun {
  readonly server: string;
  readonly label: string;
  /** It is known to have run on a sandbox, such as one of another machine. */
  readonly isSandbox?: boolean;
}

/** Asks, naming both, when its server is not the selected one. */
export async function serverForAgain(servers: AgainServers, run: EarlierRun): Promise<AgainOn> {
  const selected = servers.current();
  if (selected && servers.currentOrigin() === run.server) return 'selected';
  const isSandbox = run.isSandbox === true || servers.isOfSandbox(run);
  // Any sandbox will do: that of an earlier window is gone.
  if (isSandbox && selected?.kind === 'sandbox') return 'selected';
  const own = isSandbox ? 'sandbox' : await servers.sessionOf(run.server);
  const open = (): Promise<RunSession> | AgainOn =>
    own === 'sandbox' ? servers.sandboxSession() : (own ?? 'selected');
  if (!selected) return open();
  const before = isSandbox ? sandboxName : servers.nameOf(run.server);
  const where = selected.url === undefined ? selected.name : `${selected.name} (${selected.url})`;
  const here = { label: shown`Run on ${selected.name}`, isHere: true };
  const there = own && { label: shown`Run on ${before}`, isHere: false };
  const ranOn = isSandbox || before === run.server ? before : `${before} (${run.server})`;
  const answer = await ask(
    {
      message: shown`Run ${run.label} again on ${selected.name}?`,
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
