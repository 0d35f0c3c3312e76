import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { filterRows } from '../../../src/core/gallery/galleryFilter';
import { RunLedger } from '../../../src/core/runLife/runLedger';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { writeGalleryRuns } from '../galleryRuns';
import { reachableBytes } from '../heap';
import type { BenchRow, Measurement } from '../row';
import { mb } from '../timing';

const runs = 10_000;

async function opening(folder: string): Promise<Measurement> {
  const idle = reachableBytes();
  const ledger = new RunLedger([new NodeFolder(folder)]);
  const start = performance.now();
  let firstMs = 0;
  const pages = ledger.read(50, 500);
  while ((await pages.next()).done !== true) {
    if (firstMs === 0 && ledger.files.length > 0) firstMs = performance.now() - start;
  }
  const allMs = performance.now() - start;
  const heldBytes = reachableBytes() - idle;
  const filtered = performance.now();
  const found = filterRows(ledger.files, { text: 'animal 9999' }, () => false).length;
  const filterMs = performance.now() - filtered;
  if (ledger.files.length !== runs || found !== 1) throw new Error('The ledger is not complete.');
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
      await writeGalleryRuns(folder, runs, (file) => writeFile(file, ''));
      return [await opening(folder)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
