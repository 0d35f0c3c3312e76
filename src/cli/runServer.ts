import { startSandboxServer } from './sandboxCommand';
import type { Terminal } from './terminal';
import { t } from '../core/safety/localize';

/** The server of a run, and what to close after it. */
export interface RunServer {
  readonly url: string;
  readonly name: string;
  readonly isSandbox: boolean;
  close(): Promise<void>;
}

/** @param server an address, or `sandbox` to start one */
export async function serverOf(server: string, { columns }: Pick<Terminal, 'columns'>): Promise<RunServer> {
  if (server !== 'sandbox') {
    return { url: server, name: server, isSandbox: false, close: () => Promise.resolve() };
  }
  // At human speed only if a person is watching.
  const timing = columns === undefined ? 'fast' : 'human';
  const sandbox = await startSandboxServer({ timing });
  return { url: sandbox.url, name: t`Sandbox`, isSandbox: true, close: () => sandbox.close() };
}
