import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
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

/** A ComfyUI server that has nothing but a page: a small one that behaves like the real one. */
export async function comfyPageServer(options: Pick<LoopbackOptions, 'port'> = {}): Promise<ComfyPageServer> {
  const settings: Record<string, unknown> = { 'Comfy.Workflow.Persist': true };
  const answers: ComfyPageServer['answers'] = new Map();
  const answer = ({ method, path }: Arrival, response: ServerResponse): void => {
    const own = answers.get(path);
    if (own) own(response);
    else if (path === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    else if (path === '/page.js') {
      const script = readFileSync('test/support/comfyPage/page.mjs');
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else if (path === '/api/settings') sendJson(response, 200, settings);
    else if (path === '/api/extensions') sendJson(response, 200, []);
    else if (method === 'GET' && path === '/api/system_stats')
      sendJson(response, 200, { system: {}, devices: [] });
    else response.writeHead(404).end();
  };
  const server = await loopback({ ...options, answer });
  return { ...server, settings, answers };
}
