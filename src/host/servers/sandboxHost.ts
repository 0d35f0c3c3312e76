import * as vscode from 'vscode';
import type { Sandbox } from '../../sandbox/sandbox';
import type { Log } from '../platform/log';

/** The port stays the same for the lifetime of the window, so jobs and addresses survive a restart. */
export class SandboxHost implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #running: Promise<Sandbox> | undefined;
  #url: string | undefined;
  #port = 0;

  constructor(private readonly log: Log) {}

  /** Address while it runs. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Starts it if necessary; returns its address. */
  async start(): Promise<string> {
    this.#running ??= this.#launch();
    try {
      const { url } = await this.#running;
      return url;
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  /** Its node definitions, available even if it is not running. */
  async definitions(): Promise<string> {
    const { definitionsText, sandboxDefinitions } = await import('../../sandbox/nodes/nodeSet');
    return definitionsText(sandboxDefinitions());
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    this.#url = undefined;
    this.#changed.fire();
    await (await running).close();
    this.log.info('The sandbox has stopped.');
  }

  dispose(): void {
    this.#changed.dispose();
    void this.stop();
  }

  async #launch(): Promise<Sandbox> {
    const { startSandbox } = await import('../../sandbox/sandbox');
    const options = { dialect: 'cloud', timing: 'human' } as const;
    const sandbox = await startSandbox({ ...options, port: this.#port }).catch((error: unknown) => {
      if (this.#port === 0) throw error;
      // Another process took the port while the sandbox was stopped.
      return startSandbox({ ...options, port: 0 });
    });
    this.#port = Number(new URL(sandbox.url).port);
    this.#url = sandbox.url;
    this.log.info(`The sandbox is running at ${sandbox.url}.`);
    this.#changed.fire();
    return sandbox;
  }
}
