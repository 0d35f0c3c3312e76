import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { recordName, runPrefix } from '../../../src/core/outputs/outputNames';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { RunIndex } from '../../../src/core/runLife/runIndex';
import { RunStore } from '../../../src/core/runLife/runStore';
import { type BenchRow, mb, type Measurement, ms, reachableBytes, watchLoop } from '../measure';

const runs = 10_000;

/**
 * Run records like those of a text-to-image workflow, each with one output.
 *
 * @param writeOutput writes the file of the output with this number
 */
export async function writeRuns(
  folder: string,
  writeOutput: (file: string, number: number) => Promise<void>,
): Promise<void> {
  const start = new Date(2026, 0, 1).getTime();
  for (let number = 0; number < runs; number++) {
    const sentAt = start + number * 60_000;
    const prefix = runPrefix('portrait.json', sentAt);
    const name = `${prefix}-image.png`;
    const file = { name, node: '9', area: 'output', original: name, sha256: String(number), bytes: 0 };
    const inputs = { text: `a picture of animal ${number}, ${'in detail, '.repeat(40)}`, clip: ['4', 1] };
    const nodes = Array.from({ length: 12 }, (_, id) => [id, { class_type: 'CLIPTextEncode', inputs }]);
    const sent = sendingRecord({
      server: 'http://127.0.0.1:8188',
      label: 'portrait.json',
      promptText: JSON.stringify(Object.fromEntries(nodes)),
      seeds: { '3.seed': String(number) },
      sentAt,
    });
    const record = { ...sent, state: 'saved' as const, expected: [file], files: [file] };
    await writeOutput(path.join(folder, name), number);
    await writeFile(path.join(folder, recordName(prefix)), writeRunRecord(record));
  }
}

async function reading(folder: string): Promise<Measurement> {
  const idle = reachableBytes();
  const store = new RunStore(new JobStore());
  const index = new RunIndex(store);
  index.add(folder, new NodeFolder(folder));
  index.widen();
  const stop = watchLoop();
  const start = performance.now();
  let firstMs = 0;
  const pages = index.read(50, 500);
  while ((await pages.next()).done !== true)
    if (firstMs === 0 && store.runs.length > 0) firstMs = performance.now() - start;
  const allMs = performance.now() - start;
  const blockedMs = stop();
  const heldBytes = reachableBytes() - idle;
  if (store.runs.length !== runs) throw new Error('Runs are missing.');
  return {
    what: `${runs} run records at the start: first rows`,
    bar: '< 500 ms, no block above 50 ms, at most 15 MB',
    value: `${ms(firstMs)}, all ${ms(allMs)}, blocked at most ${ms(blockedMs)}, ${mb(heldBytes)} held`,
    held: firstMs < 500 && blockedMs < 50 && heldBytes <= 15 * 2 ** 20,
    numbers: { firstMs, allMs, blockedMs, heldBytes },
  };
}

export const records: BenchRow = {
  name: 'records',
  measure: async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'comfy-deck-bench-'));
    try {
      await writeRuns(folder, (file) => writeFile(file, ''));
      return [await reading(folder)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
