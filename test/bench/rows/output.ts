import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ExecutionClient } from '../../../src/core/client/execution';
import { fetchStack } from '../../../src/core/client/fetchStack';
import { Transport } from '../../../src/core/client/transport';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { saveAlone } from '../../support/saveAlone';
import { probeCapabilities } from '../../../src/core/server/probeCapabilities';
import { unchanged } from '../../support/unchanged';
import { stored } from '../../unit/jobs/observations';
import { type BenchRow, mb, type Measurement, startHelper } from '../measure';

const size = 2 ** 30;

/** A helper: a server whose one output has a gigabyte. Reports its address. */
export function serveHugeFile(): void {
  const piece = Buffer.alloc(2 ** 16, 7);
  const pieces = function* () {
    for (let sent = 0; sent < size; sent += piece.length) yield piece;
  };
  const server = createServer((request, response) => {
    if (request.url?.includes('/view') !== true) return void response.writeHead(404).end('{}');
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': size });
    Readable.from(pieces()).pipe(response);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

/** The maximum memory of the process during the work, above its idle memory. */
async function peakBytes(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  await work();
  clearInterval(timer);
  return peak - idle;
}

async function saving(url: string, folder: string): Promise<Measurement> {
  const transport = new Transport({ baseUrl: url, http: fetchStack(globalThis) });
  const file = { filename: 'huge.png', subfolder: '', area: 'output', nodeId: '9', media: 'image' } as const;
  const job = { ...stored('completed', 'job'), server: url, outputs: [file] };
  const plainBytes = await peakBytes(async () => {
    const { body } = await fetch(`${url}/api/view?filename=huge.png&type=output`);
    if (!body) throw new Error('The server sent no file.');
    await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(path.join(folder, 'plain')));
  });
  const oursBytes = await peakBytes(() =>
    saveAlone({
      job,
      client: new ExecutionClient(transport, () => probeCapabilities(transport)),
      folder: new NodeFolder(folder),
      record: { hide: unchanged },
      signal: new AbortController().signal,
    }),
  );
  return {
    what: 'an output of 1 GB saved: memory above idle',
    bar: '< 64 MB',
    value: `${mb(oursBytes)}; fetch piped into a file ${mb(plainBytes)}`,
    held: oursBytes < 64 * 2 ** 20,
    numbers: { oursBytes, plainBytes },
  };
}

export const output: BenchRow = {
  name: 'output',
  measure: async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'comfy-deck-bench-'));
    const [helper, url] = await startHelper('serveHugeFile');
    try {
      return [await saving(String(url), folder)];
    } finally {
      helper.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
