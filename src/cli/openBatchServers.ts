import type { BatchServer } from '../core/batch/batchWork';
import { JobStore } from '../core/jobs/jobStore';
import type { ClosableStack } from './closableStack';
import { openSession, type SessionParts } from './openSession';
import { serverOf, type RunServer } from './runServer';
import type { Terminal } from './terminal';

/** A server of a batch, with what closes it. */
export interface OpenServer extends BatchServer {
  readonly isSandbox: boolean;
  /** The account key that this server may get. */
  readonly key: string | undefined;
  readonly url: string;
  close(): Promise<void>;
}

interface Opening extends Pick<SessionParts, 'secrets' | 'say'> {
  readonly http: ClosableStack;
  readonly terminal: Terminal;
  readonly window: number;
  /** The key for an address, if it may have one. */
  readonly keyOf: (url: string) => string | undefined;
}

/** Opens sessions; asks nothing of the servers. */
export async function openBatchServers(
  addresses: readonly string[],
  opening: Opening,
): Promise<OpenServer[]> {
  const servers: OpenServer[] = [];
  for (const address of addresses) servers.push(opened(await serverOf(address, opening.terminal), opening));
  return servers;
}

function opened(server: RunServer, { http, secrets, say, window, keyOf }: Opening): OpenServer {
  // The sandbox never gets a real key.
  const key = server.isSandbox ? undefined : keyOf(server.url);
  const { name, url, isSandbox } = server;
  const session = openSession({ server: url, name, key, http, store: new JobStore(), secrets, say });
  return {
    name,
    url,
    isSandbox,
    session,
    window,
    key: isSandbox ? 'sandbox' : key,
    close: async () => {
      await session.dispose();
      await server.close();
    },
  };
}
