import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { probeCapabilities } from '../../../src/core/server/probeCapabilities';
import { ExecutionClient } from '../../../src/core/client/execution';
import { fetchStack } from '../../../src/core/client/fetchStack';
import { Transport } from '../../../src/core/client/transport';
import type { Job } from '../../../src/core/jobs/job';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { saveOutputs } from '../../../src/core/runLife/saveOutputs';
import { HelperProcess } from '../helperProcess';
import type { BenchRow, Measurement } from '../row';
import { mb } from '../timing';
import { unchanged } from '../../support/unchanged';

interface Cost {
  /** Above idle. */
  readonly peakBytes: number;
  readonly seconds: number;
}

/** The maximum memory of the process during the work, above its idle memory. */
async function costOf(idle: number, work: () => Promise<unknown>): Promise<Cost> {
  globalThis.gc?.();
  let peak = idle;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const start = performance.now();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { peakBytes: peak - idle, seconds: (performance.now() - start) / 1000 };
}

function jobOf(url: string): Job {
  const file = { filename: 'huge.png', subfolder: '', area: 'output', nodeId: '9', media: 'image' } as const;
  return {
    id: 'job',
    server: url,
    state: 'completed',
    cancelling: false,
    nodes: {},
    outputs: [file],
    texts: [],
    blocked: [],
  };
}

async function saving(url: string, folder: string): Promise<Measurement> {
  const transport = new Transport({ baseUrl: url, http: fetchStack(globalThis) });
  const client = new ExecutionClient(transport, () => probeCapabilities(transport));
  const save = (): Promise<unknown> =>
    saveOutputs({
      job: jobOf(url),
      client,
      folder: new NodeFolder(folder),
      record: { hide: unchanged },
      signal: new AbortController().signal,
    });
  await client.jobs();
  globalThis.gc?.();
  const idle = process.memoryUsage.rss();
  const plain = await costOf(idle, async () => {
    const { body } = await fetch(`${url}/api/view?filename=huge.png&type=output`);
    if (!body) throw new Error('The server sent no file.');
    await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(path.join(folder, 'plain')));
  });
  const ours = await costOf(idle, save);
  return {
    what: 'an output of 1 GB saved: memory above idle',
    bar: '< 64 MB',
    value: `${mb(ours.peakBytes)}, ${ours.seconds.toFixed(1)} s with its hash`,
    yardstick: `fetch piped into a file: ${mb(plain.peakBytes)}, ${plain.seconds.toFixed(1)} s`,
    held: ours.peakBytes < 64 * 2 ** 20,
    numbers: {
      peakBytes: ours.peakBytes,
      seconds: ours.seconds,
      plainPeakBytes: plain.peakBytes,
      plainSeconds: plain.seconds,
    },
  };
}

export const hugeOutput: BenchRow = {
  name: 'huge-output',
  measure: async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'comfy-deck-bench-'));
    const server = await HelperProcess.start('hugeFile');
    try {
      return [await saving(String(server.told), folder)];
    } finally {
      server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
