import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { CannotRun } from '../../support/partResult';
import { packageVsix } from '../../support/vsix';
import { chainsGraphText } from '../files';
import { type GraphTimes, graphTimes, movements } from '../graphPanel';
import type { BenchRow, Measurement } from '../row';
import { median, ms } from '../timing';

const chains = 122;
const nodes = chains * 8;
const file = { text: chainsGraphText(chains), value: 'a lighthouse at dusk' };
const how = { windows: 3, movedMs: 4_000, edits: 7 };

async function graphLines(): Promise<readonly Measurement[]> {
  mkdirSync('out', { recursive: true });
  try {
    const { file: vsix } = packageVsix(path.resolve('out/comfy-deck-bench.vsix'));
    return measurements(await graphTimes(vsix, file, how));
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    return [
      { what: `graph of ${nodes} nodes`, bar: '-', value: `not measured: ${error.message}`, numbers: {} },
    ];
  }
}

function measurements({ visible, frames, still, edits }: GraphTimes): readonly Measurement[] {
  const what = `graph of ${nodes} nodes`;
  const [first, later] = [visible.map(([own = NaN]) => own), visible.flatMap((each) => each.slice(1))];
  const firstMs = median(first);
  const rates = movements.map((movement) => median(frames[movement]));
  const slowest = Math.min(...rates);
  const editMs = median(edits);
  return [
    {
      what: `${what}: from its page being ready to its nodes on the screen, first of a window`,
      bar: '< 500 ms',
      value: `${ms(firstMs)}, later ones ${ms(median(later))}`,
      held: firstMs < 500,
      numbers: { firstMs, laterMs: median(later), worstMs: Math.max(...first, ...later) },
    },
    {
      what: `${what}: frames while it moves`,
      bar: '>= 50 a second',
      value: movements.map((movement, index) => `${movement} ${(rates[index] ?? NaN).toFixed(1)}`).join(', '),
      yardstick: `the same page while nothing moves: ${still.toFixed(1)} a second`,
      held: slowest >= 50,
      numbers: { slowestFramesPerSecond: slowest, stillFramesPerSecond: still },
    },
    {
      what: `${what}: from a key in its text to the new value on the screen`,
      bar: '< 100 ms',
      value: `${ms(editMs)} (best ${ms(Math.min(...edits))}, worst ${ms(Math.max(...edits))})`,
      held: editMs < 100,
      numbers: { editMs, bestMs: Math.min(...edits), worstMs: Math.max(...edits) },
    },
  ];
}

export const graph: BenchRow = { name: 'graph', patience: 900_000, measure: graphLines };
