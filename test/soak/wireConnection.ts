import type { Socket } from 'node:net';
import type { WireFault } from './wireFaults';

/** Bytes of a dripping answer that arrive at once, and the pause after them (milliseconds). */
const drop = { bytes: 16, pause: 1 };

/** One connection of a client, joined to one of the server. */
export class WireConnection {
  readonly closed: Promise<void>;
  #delivered: Promise<void> = Promise.resolve();
  #fault: WireFault | undefined;
  /** Bytes of the answer that may still pass. */
  #left = 0;
  #isOver = false;
  /** Receives the client's data until the request is complete. */
  #collect: ((chunk: Buffer) => void) | undefined;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly connectAgain: () => Socket,
    private readonly strike: (method: string, path: string) => WireFault | undefined,
  ) {
    this.closed = new Promise((resolve) => server.once('close', () => resolve()));
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on('error', () => this.destroy());
    server.on('error', () => this.destroy());
    client.on('data', (chunk: Buffer) => {
      if (this.#collect) this.#collect(chunk);
      else void this.#ask(chunk);
    });
    server.on('data', (chunk: Buffer) => void this.#answer(chunk));
    client.on('end', () => {
      void this.#delivered.then(() => server.end());
    });
    server.on('end', () => {
      if (!this.#isOver) client.end();
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    server.once('connect', () => client.resume());
  }

  /** Resolves when the held data has reached the server. */
  get delivered(): Promise<void> {
    return this.#delivered;
  }

  destroy(): void {
    this.client.destroy();
    this.server.destroy();
  }

  async #ask(chunk: Buffer): Promise<void> {
    // Clients write the head of a request at once, and never two requests together.
    const head = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/.exec(chunk.toString('latin1', 0, 2_000));
    const fault = head ? this.strike(head[1] ?? '', head[2] ?? '') : undefined;
    if (fault) {
      this.#fault = fault;
      this.#left = fault.bytes;
    } else if (head && this.#fault?.kind === 'drip') {
      this.#fault = undefined;
    }
    switch (fault?.kind) {
      case 'refuse':
        this.#reset();
        return;
      case 'delay':
        this.client.pause();
        await pause(fault.ms);
        this.#pass(chunk, this.client, this.server);
        this.client.resume();
        return;
      case 'late':
        await this.#deliverLate(chunk, fault.ms);
        return;
      case 'halfCloseToServer':
        this.server.end(await this.#wholeRequest(chunk));
        return;
      default:
        this.#pass(chunk, this.client, this.server);
    }
  }

  async #answer(chunk: Buffer): Promise<void> {
    const fault = this.#fault;
    if (this.#isOver) return;
    if (fault?.kind === 'drip') {
      await this.#drip(chunk);
      return;
    }
    if (fault?.kind !== 'cut' && fault?.kind !== 'stall' && fault?.kind !== 'halfCloseToClient') {
      this.#pass(chunk, this.server, this.client);
      return;
    }
    const passing = chunk.subarray(0, this.#left);
    this.#left -= passing.byteLength;
    this.#pass(passing, this.server, this.client);
    if (passing.byteLength === chunk.byteLength && this.#left > 0) return;
    this.#isOver = true;
    if (fault.kind === 'halfCloseToClient') this.client.end();
    if (fault.kind === 'stall') await pause(fault.ms);
    if (fault.kind !== 'halfCloseToClient') this.#reset();
  }

  /**
   * The request must be complete before the client is disconnected. It continues on a separate connection: a server
   * ends an idle one after a while.
   */
  async #deliverLate(chunk: Buffer, ms: number): Promise<void> {
    let done: () => void = () => undefined;
    this.#delivered = new Promise((resolve) => {
      done = resolve;
    });
    const request = await this.#wholeRequest(chunk);
    this.#reset();
    await pause(ms);
    const server = this.connectAgain();
    server.once('data', () => server.destroy());
    server.once('error', () => server.destroy());
    server.once('close', done);
    server.write(request);
  }

  /** The request that starts like this, with its body, or as much as arrived before the client left. */
  #wholeRequest(beginning: Buffer): Promise<Buffer> {
    return new Promise((resolve) => {
      let request = Buffer.alloc(0);
      const finish = (): void => {
        this.#collect = undefined;
        resolve(request);
      };
      this.#collect = (chunk) => {
        request = Buffer.concat([request, chunk]);
        if (isWhole(request)) finish();
      };
      this.client.once('close', finish);
      this.#collect(beginning);
    });
  }

  async #drip(chunk: Buffer): Promise<void> {
    this.server.pause();
    const dripping = Math.min(this.#left, chunk.byteLength);
    for (let at = 0; at < dripping && !this.client.destroyed; at += drop.bytes) {
      this.client.write(chunk.subarray(at, Math.min(at + drop.bytes, dripping)));
      await pause(drop.pause);
    }
    this.#left -= dripping;
    this.#pass(chunk.subarray(dripping), this.server, this.client);
    this.server.resume();
  }

  #pass(chunk: Buffer, from: Socket, to: Socket): void {
    if (chunk.byteLength === 0 || to.destroyed || to.writableEnded || to.write(chunk)) return;
    from.pause();
    to.once('drain', () => from.resume());
  }

  #reset(): void {
    this.client.resetAndDestroy();
    this.server.destroy();
  }
}

function isWhole(request: Buffer): boolean {
  const end = request.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(request.toString('latin1', 0, end))?.[1];
  return request.byteLength >= end + 4 + Number(length ?? 0);
}

/** Not from timers/promises: the runner must be able to exit during a wait. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
