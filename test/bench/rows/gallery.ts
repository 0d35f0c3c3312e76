import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { filterRows } from '../../../src/core/gallery/galleryFilter';
import { GalleryIndex } from '../../../src/core/gallery/galleryIndex';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { recordName, runPrefix } from '../../../src/core/outputs/outputNames';
import { sendingRecord } from '../../../src/core/outputs/recordSteps';
import { writeRunRecord } from '../../../src/core/outputs/runRecord';
import { reachableBytes } from '../heap';
import type { BenchRow, Measurement } from '../row';
import { mb } from '../timing';

const runs = 10_000;

/** Run records like those of a text-to-image workflow, each with one empty output. */
async function writeRuns(folder: string): Promise<void> {
  const start = new Date(2026, 0, 1).getTime();
  for (let number = 0; number < runs; number++) {
    const sentAt = start + number * 60_000;
    const prefix = runPrefix('portrait.json', sentAt);
    const name = `${prefix}-image.png`;
    const file = { name, node: '9', area: 'output', original: name, sha256: String(number), bytes: 0 };
    const inputs = { text: `a picture of animal ${number}, ${'in detail, '.repeat(40)}`, clip: ['4', 1] };
    const nodes = Array.from({ length: 12 }, (_, id) => [id, { class_type: 'CLIPTextEncode', inputs }]);
    const promptText = JSON.stringify(Object.fromEntries(nodes));
    const seeds = { '3.seed': String(number) };
    const sent = sendingRecord({
      server: 'http://127.0.0.1:8188',
      label: 'portrait.json',
      promptText,
      seeds,
      sentAt,
    });
    await writeFile(path.join(folder, name), '');
    await writeFile(
      path.join(folder, recordName(prefix)),
      writeRunRecord({ ...sent, state: 'saved', expected: [file], files: [file] }),
    );
  }
}

async function opening(folder: string): Promise<Measurement> {
  const idle = reachableBytes();
  const index = new GalleryIndex([new NodeFolder(folder)]);
  const start = performance.now();
  let firstMs = 0;
  const pages = index.read(50, 500);
  while ((await pages.next()).done !== true) {
    if (firstMs === 0 && index.rows.length > 0) firstMs = performance.now() - start;
  }
  const allMs = performance.now() - start;
  const heldBytes = reachableBytes() - idle;
  const filtered = performance.now();
  const found = filterRows(index.rows, { text: 'animal 9999' }, () => false).length;
  const filterMs = performance.now() - filtered;
  if (index.rows.length !== runs || found !== 1) throw new Error('The index is not complete.');
  return {
    what: 'gallery of 10,000 outputs: first page',
    bar: '< 1 s',
    value: `${firstMs.toFixed(0)} ms; all ${(allMs / 1000).toFixed(1)} s, ${mb(heldBytes)} held; filter ${filterMs.toFixed(0)} ms`,
    held: firstMs < 1_000,
    numbers: { firstMs, allMs, heldBytes, filterMs },
  };
}

export const gallery: BenchRow = {
  name: 'gallery',
  measure: async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'comfy-deck-bench-'));
    try {
      await writeRuns(folder);
      return [await opening(folder)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
