import type { HttpStack } from '../core/client/httpStack';
import { Transport } from '../core/client/transport';
import { isTerminal } from '../core/jobs/job';
import { JobStore } from '../core/jobs/jobStore';
import { RunSession } from '../core/runLife/runSession';
import type { RunReport } from './runReport';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox';
import { t } from '../core/safety/localize';
import type { CommandContext, Terminal } from './terminal';

/** A server that a command asks, or starts, with its session; the command closes it. */
export class CommandServer {
  readonly name: string;
  readonly url: string;
  readonly isSandbox: boolean;
  readonly key: string | undefined;
  readonly store = new JobStore();
  readonly session: RunSession;
  #unfollow = (): void => undefined;

  private constructor(
    private readonly server: RunServer,
    key: string | undefined,
    http: HttpStack,
    { secrets }: CommandContext,
    onNotice: ((sentence: string) => void) | undefined,
  ) {
    const { name, url, isSandbox } = server;
    this.name = name;
    this.url = url;
    this.isSandbox = isSandbox;
    // The sandbox accepts any key, and never gets a real one.
    this.key = isSandbox ? 'sandbox' : key;
    const credential =
      isSandbox || key === undefined
        ? undefined
        : () => Promise.resolve({ kind: 'apiKey', value: key } as const);
    this.session = new RunSession({
      server: { id: url, name, url },
      transport: new Transport({ baseUrl: url, http, credential, secrets, onNotice }),
      store: this.store,
    });
  }

  /** Sends no request yet. @param say tells a person what happens during a request, in one sentence */
  static async open(
    server: string,
    key: string | undefined,
    context: CommandContext,
    say?: (sentence: string) => void,
  ): Promise<CommandServer> {
    const [http, started] = [await context.http(), await startServer(server, context.terminal)];
    return new CommandServer(started, key, http, context, say);
  }

  /** For work with a server that is closed after it. */
  static async use<T>(
    server: string,
    key: string | undefined,
    context: CommandContext,
    work: (opened: CommandServer) => Promise<T>,
    say?: (sentence: string) => void,
  ): Promise<T> {
    const opened = await CommandServer.open(server, key, context, say);
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  }

  follow(jobId: string, report: Pick<RunReport, 'job'>): void {
    this.#unfollow();
    this.#unfollow = this.session.tracker.onDidChangeJob(jobId, (job) => {
      if (!isTerminal(job.state)) report.job(job);
    });
  }

  async close(): Promise<void> {
    this.#unfollow();
    await this.session.dispose();
    await this.server.close();
  }
}

interface RunServer {
  readonly url: string;
  readonly name: string;
  readonly isSandbox: boolean;
  close(): Promise<void>;
}

export async function startServer(
  server: string,
  { columns }: Pick<Terminal, 'columns'>,
): Promise<RunServer> {
  if (server !== 'sandbox') {
    return { url: server, name: server, isSandbox: false, close: () => Promise.resolve() };
  }
  // The sandbox takes human time only if a person is watching.
  const sandbox = await startSandboxServer({ timing: columns === undefined ? 'fast' : 'human' });
  return { url: sandbox.url, name: t`Sandbox`, isSandbox: true, close: () => sandbox.close() };
}

export async function startSandboxServer(options: SandboxOptions): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/sandbox');
  return startSandbox(options);
}
