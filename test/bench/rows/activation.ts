import { existsSync, readFileSync, statSync } from 'node:fs';
import { type BenchRow, type Measurement, ms } from '../measure';

/** Stored by the host test, which runs in a real extension host. */
const activationFile = 'out/activation.json';

function measureActivation(): Measurement {
  const what = 'activate() in a real extension host';
  const bar = '< 10 ms';
  if (!existsSync(activationFile)) {
    return { what, bar, value: 'not measured: npm run test:host measures it', numbers: {} };
  }
  const cost = JSON.parse(readFileSync(activationFile, 'utf8')) as { loadMs: number; activateMs: number };
  const when = statSync(activationFile).mtime.toISOString().slice(0, 16);
  return {
    what,
    bar,
    value: `${ms(cost.activateMs)} in the host test of ${when}Z, loading the file ${ms(cost.loadMs)}`,
    held: cost.activateMs < 10,
    numbers: cost,
  };
}

export const activation: BenchRow = { name: 'activation', measure: () => [measureActivation()] };
