import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { CannotRun } from '../../support/partResult';
import { packageVsix } from '../../support/vsix';
import { type Scrolled, scrollGallery } from '../galleryScroll';
import type { BenchRow, Measurement } from '../row';
import { mb } from '../timing';

const outputs = 10_000;
const parts = 6;
const partMs = 10_000;
/** The first parts fill what is kept of thumbnails. */
const filling = 2;
/** Growth below this is what collections and allocators leave over. */
const flatHeap = 2 * 2 ** 20;
const flatProcess = 64 * 2 ** 20;
/** Of the pixels of thumbnails. */
const keptThumbnails = 64 * 2 ** 20;

async function scrolling(): Promise<readonly Measurement[]> {
  mkdirSync('out', { recursive: true });
  const what = `scrolling ${outputs.toLocaleString('en')} outputs in ${(parts * partMs) / 1000} s`;
  try {
    const { file } = packageVsix(path.resolve('out/comfy-deck-bench.vsix'));
    return measurements(what, await scrollGallery(file, outputs, parts, partMs));
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    return [{ what, bar: '-', value: `not measured: ${error.message}`, numbers: {} }];
  }
}

function measurements(
  what: string,
  { parts: measured, still, openedBytes }: Scrolled,
): readonly Measurement[] {
  const rates = measured.map(({ framesPerSecond }) => framesPerSecond);
  const usual = mean(rates);
  const slowest = Math.min(...rates);
  const longestMs = Math.max(...measured.map(({ longestFrame }) => longestFrame));
  const kept = measured.slice(filling);
  const heap = kept.map(({ heapBytes }) => heapBytes);
  const process = kept.map(({ processBytes }) => processBytes);
  const [heapGrowth, processGrowth] = [growth(heap), growth(process)];
  const [heapBytes, processBytes] = [heap.at(-1) ?? 0, process.at(-1) ?? 0];
  const wholeGrowth = processBytes - openedBytes;
  return [
    {
      what: `${what}: frames`,
      bar: '>= 50 a second',
      value: `${usual.toFixed(1)} a second, slowest part ${slowest.toFixed(1)}, longest frame ${longestMs.toFixed(0)} ms`,
      yardstick: `the same page while nothing moves: ${still.toFixed(1)} a second`,
      held: usual >= 50,
      numbers: {
        framesPerSecond: usual,
        slowestFramesPerSecond: slowest,
        stillFramesPerSecond: still,
        longestMs,
      },
    },
    {
      what: `${what}: memory that grows once thumbnails are kept`,
      bar: `< ${mb(flatHeap)} of objects, < ${mb(flatProcess)} of the process, beside ${mb(keptThumbnails)} of thumbnails`,
      value: `${mb(heapGrowth)} to ${mb(heapBytes)}; process ${mb(processGrowth)} to ${mb(processBytes)}, ${mb(wholeGrowth)} more than before`,
      held:
        heapGrowth < flatHeap && processGrowth < flatProcess && wholeGrowth < flatProcess + keptThumbnails,
      numbers: {
        heapGrowthBytes: heapGrowth,
        heapBytes,
        processGrowthBytes: processGrowth,
        processBytes,
        openedBytes,
        ...perPart(measured),
      },
    },
  ];
}

function perPart(measured: Scrolled['parts']): Readonly<Record<string, number>> {
  return Object.fromEntries(
    measured.flatMap(({ heapBytes, processBytes }, part) => [
      [`part${part + 1}HeapBytes`, heapBytes],
      [`part${part + 1}ProcessBytes`, processBytes],
    ]),
  );
}

/** From the first half to the second: collections come and go between parts. */
function growth(bytes: readonly number[]): number {
  const half = bytes.length / 2;
  return mean(bytes.slice(half)) - mean(bytes.slice(0, half));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export const galleryScroll: BenchRow = { name: 'galleryScroll', patience: 600_000, measure: scrolling };
