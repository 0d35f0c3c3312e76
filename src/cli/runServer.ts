import { t } from '../core/safety/localize';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox';
import type { Terminal } from './terminal';

/** The server of a run, and what to close after it. */
export interface RunServer {
  readonly url: string;
  readonly name: string;
  readonly isSandbox: boolean;
  close(): Promise<void>;
}

/** @param server an address, or `sandbox` to start one */
export async function startServer(
  server: string,
  { columns }: Pick<Terminal, 'columns'>,
): Promise<RunServer> {
  if (server !== 'sandbox') {
    return { url: server, name: server, isSandbox: false, close: () => Promise.resolve() };
  }
  // At human speed only if a person is watching.
  const sandbox = await startSandboxServer({ timing: columns === undefined ? 'fast' : 'human' });
  return { url: sandbox.url, name: t`Sandbox`, isSandbox: true, close: () => sandbox.close() };
}

/** The sandbox is loaded only by the commands that start one. */
export async function startSandboxServer(options: SandboxOptions): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/sandbox');
  return startSandbox(options);
}
