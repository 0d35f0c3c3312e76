import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { agreementFolder, readAgreements } from '../../support/agreement';
import type { BenchRow, Measurement } from '../row';

/** The corpus tests that count how often our result matches real programs; only they compare. */
const tests = ['verdicts', 'conversions', 'templates', 'sandbox-transcripts'].map(
  (name) => `test/corpus/${name}.test.ts`,
);

const bars: readonly (readonly [name: RegExp, what: string, bar: number])[] = [
  [/^verdicts/, "the real server's verdict predicted", 1],
  [/^conversions/, 'graph -> prompt as the real frontend makes it', 0.99],
  [/^templates/, 'official templates as the real frontend makes them', 1],
  [/^transcripts/, 'sandbox against recordings of real servers', 0.98],
];

function percent(share: number): string {
  // Only a full match is 100 %.
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}

async function compared(): Promise<Measurement[]> {
  await rm(agreementFolder, { recursive: true, force: true });
  const vitest = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--configLoader', 'runner', ...tests],
    {
      stdio: 'ignore',
    },
  );
  await once(vitest, 'exit');
  return readAgreements().map(({ name, alike, all }) => {
    const [, what, bar] = bars.find(([pattern]) => pattern.test(name)) ?? [undefined, name, undefined];
    const share = alike / all;
    return {
      what: `${what} (${name})`,
      bar: bar === undefined ? '' : bar === 1 ? '100 %' : `>= ${bar * 100} %`,
      value: `${alike} of ${all}, ${percent(share)}`,
      held: bar === undefined ? undefined : share >= bar,
      numbers: { alike, all },
    };
  });
}

export const agreement: BenchRow = { name: 'agreement', untimed: true, measure: compared };
