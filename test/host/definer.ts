import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server with only the given node types, which records the routes that were requested. */
export class Definer {
  readonly asked: string[] = [];
  readonly classes = new Map<string, object>();
  #server: Server | undefined;
  #port = 0;

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  knows(...names: readonly string[]): void {
    for (const name of names) {
      this.classes.set(name, {
        input: { required: { images: ['IMAGE'] } },
        output: ['IMAGE'],
        output_node: true,
        name,
        category: 'test',
      });
    }
  }

  /** The answer to a request for all node types. */
  definitionsText(): string {
    return JSON.stringify(this.#answer('/object_info'));
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*$/, '').replace(/^\/api/, '');
      this.asked.push(path);
      const answer = this.#answer(path);
      const type = answer === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': type });
      response.end(answer === undefined ? '404: Not Found' : JSON.stringify(answer));
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  #answer(path: string): unknown {
    if (path === '/system_stats') return { system: { comfyui_version: '0.1', os: 'posix' }, devices: [] };
    if (path === '/queue') return { queue_running: [], queue_pending: [] };
    if (path === '/history') return {};
    if (path === '/object_info') return Object.fromEntries(this.classes);
    const one = /^\/object_info\/(.+)$/.exec(path)?.[1];
    if (one === undefined) return undefined;
    const found = this.classes.get(one);
    return found ? { [one]: found } : {};
  }
}
