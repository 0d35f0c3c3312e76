import { originOf } from '../../core/client/address';
import { completeAddress } from '../../core/client/completeAddress';
import type { BatchServer } from '../../core/batch/batchWork';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { serverOrigin, type KnownServer } from '../servers/knownServers';
import type { Servers } from '../servers/servers';

/** A server of a batch, on a session of the window. */
export interface HostServer extends BatchServer {
  readonly isSandbox: boolean;
}

/**
 * Sessions of the servers that a batch names. Only those in the settings: a file that came with a workspace must not
 * decide where a workflow is sent.
 * @param names names as in the settings, addresses, `cloud` or `sandbox`
 */
export async function openServers(
  names: readonly string[],
  window: number,
  servers: Servers,
): Promise<HostServer[]> {
  const opened = new Map<string, HostServer>();
  for (const name of names) {
    const server = await openServer(name, window, servers);
    opened.set(server.session.origin, server);
  }
  return [...opened.values()];
}

async function openServer(named: string, window: number, servers: Servers): Promise<HostServer> {
  const known = servers.list().find((server) => isNamed(server, named));
  if (known?.kind === 'sandbox') {
    return { name: known.name, session: await servers.sandboxSession(), window, isSandbox: true };
  }
  const origin = known && serverOrigin(known);
  if (known?.url === undefined || origin === undefined) {
    throw new UserProblem(
      shown`The batch uses the server ${named}, which isn't in your settings.`,
      shown`Add the server, or remove it from the batch file.`,
      [{ label: shown`Add Server`, command: commands.addServer }],
    );
  }
  const { name, url } = known;
  return { name, session: await servers.sessions.open({ name, url, origin }), window, isSandbox: false };
}

function isNamed(server: KnownServer, name: string): boolean {
  if (server.name === name || (server.kind === name && server.kind !== 'own')) return true;
  try {
    return server.url !== undefined && originOf(completeAddress(name)) === originOf(server.url);
  } catch {
    return false;
  }
}
