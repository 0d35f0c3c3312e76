import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultySandbox, startFaultySandbox } from '../support/faults/faultySandbox';
import { FaultProxy } from './faultProxy';
import type { SoakCase } from './soakCase';
import { type MadeJob, picturesNode, soakWorkflow } from './soakPictures';

/** A sandbox behind the fault proxy, and its outputs. */
export class SoakServer {
  readonly #timers: NodeJS.Timeout[] = [];
  #twins = 0;

  private constructor(
    readonly sandbox: FaultySandbox,
    readonly proxy: FaultProxy,
    /** Address of the sandbox itself, without the proxy. */
    private readonly direct: string,
    /** Every job that ran to its end, in that order. */
    private readonly made: readonly MadeJob[],
  ) {}

  static async start(planned: SoakCase): Promise<SoakServer> {
    const proxy = new FaultProxy(planned.wire);
    const made: MadeJob[] = [];
    let direct: string | undefined;
    const sandbox = await startFaultySandbox({
      dialect: planned.dialect,
      nodes: new Map([['SoakPictures', picturesNode(made)]]),
      reachedAs: (own) => {
        direct ??= own;
        return proxy.standBefore(own);
      },
    });
    const server = new SoakServer(sandbox, proxy, direct ?? sandbox.url, made);
    await server.#submitTwin(planned);
    server.#begin(planned.server);
    return server;
  }

  /** Ids of the accepted jobs, without that of the twin. */
  get accepted(): readonly string[] {
    return this.sandbox.seen.accepted.slice(this.#twins);
  }

  /** SHA-256 (hex) of every output of those jobs. */
  get outputs(): readonly string[] {
    return this.made.slice(this.#twins).flatMap(({ hashes }) => hashes);
  }

  async #submitTwin(planned: SoakCase): Promise<void> {
    if (planned.twin === undefined) return;
    this.#twins = 1;
    const answer = await fetch(`${this.direct}/api/prompt`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ prompt: JSON.parse(soakWorkflow(planned)) as unknown }),
    });
    if (!answer.ok) throw new Error(`The sandbox did not take the twin: ${await answer.text()}`);
    if (planned.twin === 'ended') await this.#rest();
  }

  #begin(faults: SoakCase['server']): void {
    for (const { name, options, at, until } of faults) {
      const begin = (): void => this.sandbox.faults.set(name, options);
      const end = (): void => this.sandbox.faults.clear(name);
      if (at === 0) begin();
      else this.#timers.push(setTimeout(begin, at));
      if (until !== undefined) this.#timers.push(setTimeout(end, until));
    }
  }

  async calm(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.proxy.calm();
    this.sandbox.faults.clear();
    await this.proxy.settled();
    await this.#rest();
  }

  /** Whether the server still knows every job that it accepted. */
  async knowsAll(): Promise<boolean> {
    const isCloud = this.sandbox.dialect === 'cloud';
    for (const id of this.accepted) {
      const answer = await fetch(`${this.direct}/api/${isCloud ? 'jobs' : 'history'}/${id}`);
      if (!answer.ok || !(await answer.text()).includes(id)) return false;
    }
    return true;
  }

  async #rest(): Promise<void> {
    const limit = Date.now() + 10_000;
    while (Date.now() < limit) {
      const answer = await fetch(
        `${this.direct}/api/${this.sandbox.dialect === 'cloud' ? 'queue' : 'prompt'}`,
      );
      if (isIdle(await answer.json())) return;
      await sleep(20);
    }
    throw new Error('The sandbox did not come to rest.');
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.proxy.close();
    await this.sandbox.close();
  }
}

function isIdle(answer: unknown): boolean {
  const { exec_info, queue_running, queue_pending } = answer as {
    exec_info?: { queue_remaining: number };
    queue_running?: readonly unknown[];
    queue_pending?: readonly unknown[];
  };
  if (exec_info) return exec_info.queue_remaining === 0;
  return (queue_running?.length ?? 0) + (queue_pending?.length ?? 0) === 0;
}
