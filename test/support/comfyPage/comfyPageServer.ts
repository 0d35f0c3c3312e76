import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { WebSocket } from 'ws';
import { type Arrival, type Loopback, loopback, type LoopbackOptions, sendJson } from '../loopback';

const html = `<!doctype html><html><head><title>ComfyUI</title><style>
body { margin: 0; background: #eee; font: 13px sans-serif } .dark-theme body { background: #222; color: #ddd }
main { position: relative; height: 92vh; overflow: hidden } nav { padding: 4px }
section { position: absolute; width: 200px; background: #fff; border: 1px solid #888 } .dark-theme section { background: #353535 }
h1 { margin: 0; padding: 4px; font-size: 13px; background: #8884; cursor: move; touch-action: none } input { width: 90%; margin: 4px }
</style></head><body><script type="module" src="page.js"></script></body></html>`;

export interface ComfyPageServer extends Loopback {
  /** Settings as the server keeps them; the page takes its version from `Test.Version`. */
  readonly settings: Record<string, unknown>;
  /** Answers in place of the page's own, by path. */
  readonly answers: Map<string, (response: ServerResponse) => void>;
}

/**
 * A ComfyUI server that has nothing but a page: a small one that behaves like the real one.
 * @param options.behind the address of a server that answers all the rest
 */
export async function comfyPageServer(
  options: Pick<LoopbackOptions, 'port'> & { readonly behind?: string } = {},
): Promise<ComfyPageServer> {
  const { behind } = options;
  const settings: Record<string, unknown> = { 'Comfy.Workflow.Persist': true };
  const answers: ComfyPageServer['answers'] = new Map();
  const passOn = async ({ method, target, headers, body }: Arrival, response: ServerResponse) => {
    const { 'content-type': type = 'text/plain' } = headers;
    const sent = method === 'GET' ? {} : { body, headers: { 'content-type': type } };
    const answer = await fetch(behind + target, { method, ...sent });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const socket = (page: WebSocket, { target }: Omit<Arrival, 'body'>): void => {
    if (behind === undefined) return;
    const there = new WebSocket(behind.replace('http', 'ws') + target);
    there.on('message', (data, isBinary) => page.send(data, { binary: isBinary }));
    page.on('close', () => there.close());
  };
  const answer = (arrival: Arrival, response: ServerResponse): void => {
    const { method, path } = arrival;
    const own = answers.get(path);
    if (own) own(response);
    else if (path === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    else if (path === '/page.js') {
      const script = readFileSync('test/support/comfyPage/page.mjs');
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else if (path === '/api/settings') sendJson(response, 200, settings);
    else if (path === '/api/extensions') sendJson(response, 200, []);
    else if (behind === undefined && method === 'GET' && path === '/api/system_stats')
      sendJson(response, 200, { system: {}, devices: [] });
    else if (behind !== undefined) void passOn(arrival, response);
    else response.writeHead(404).end();
  };
  const server = await loopback({ ...options, answer, socket });
  return { ...server, settings, answers };
}
