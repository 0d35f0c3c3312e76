import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { WireConnection } from './wireConnection';
import type { WireFault, WireFaultKind } from './wireFaults';

interface Armed {
  readonly fault: WireFault;
  /** How many requests of its kind pass before it strikes. */
  skip: number;
}

/**
 * TCP proxies on this machine, in front of the server and of its storage host, that break connections as networks do.
 * Each fault strikes once, at its request.
 */
export class FaultProxy {
  readonly #servers: Server[] = [];
  readonly #connections = new Set<WireConnection>();
  readonly struck: WireFaultKind[] = [];
  #armed: Armed[];

  constructor(faults: readonly WireFault[]) {
    this.#armed = faults.map((fault) => ({ fault, skip: fault.skip }));
  }

  /** Starts a proxy for an origin; returns the address to use instead. */
  async standBefore(origin: string): Promise<string> {
    const { hostname, port } = new URL(origin);
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      this.#join(client, () => connect({ host: hostname, port: Number(port), allowHalfOpen: true }));
    });
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  calm(): void {
    this.#armed = [];
  }

  /** Resolves when no request is held back any more; rejects if one still is after half a minute. */
  async settled(): Promise<void> {
    const delivered = Promise.all([...this.#connections].map((connection) => connection.delivered));
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The proxy still holds a request back.')), 30_000);
    });
    try {
      await Promise.race([delivered, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  #join(client: Socket, connectServer: () => Socket): void {
    const strike = (method: string, path: string) => this.#strike(method, path);
    const connection = new WireConnection(client, connectServer(), connectServer, strike);
    this.#connections.add(connection);
    void connection.closed.then(() => connection.delivered).then(() => this.#connections.delete(connection));
  }

  #strike(method: string, path: string): WireFault | undefined {
    for (const armed of this.#armed) {
      if (!armed.fault.target.fits(method, path)) continue;
      if (armed.skip-- > 0) continue;
      this.#armed = this.#armed.filter((other) => other !== armed);
      this.struck.push(armed.fault.kind);
      return armed.fault;
    }
    return undefined;
  }
}
