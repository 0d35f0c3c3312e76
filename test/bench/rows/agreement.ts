import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { agreementFolder, readAgreements } from '../../support/agreement';
import type { BenchRow, Measurement } from '../measure';

/** The corpus tests that count how often our result matches real programs; only they compare. */
const tests = ['verdicts', 'conversions', 'packConversions', 'templates', 'sandbox-transcripts'].map(
  (name) => `test/corpus/${name}.test.ts`,
);

const bars: readonly (readonly [name: RegExp, what: string, bar: number])[] = [
  [/^verdicts/, "the real server's verdict predicted", 1],
  [/^conversions/, 'graph -> prompt as the real page makes it', 0.995],
  [/^packs/, "graph -> prompt with the packs' own JavaScript", 0.99],
  [/^templates/, 'official templates as the real page makes them', 1],
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
    { stdio: 'ignore' },
  );
  await once(vitest, 'exit');
  return readAgreements().flatMap(({ name, alike, all }) => {
    const found = bars.find(([pattern]) => pattern.test(name));
    if (!found) return [];
    const [, what, bar] = found;
    return [
      {
        what: `${what} (${name})`,
        bar: `>= ${bar * 100} %`,
        value: `${alike} of ${all}, ${percent(alike / all)}`,
        held: alike / all >= bar,
        numbers: { alike, all },
      },
    ];
  });
}

export const agreement: BenchRow = { name: 'agreement', patience: 600_000, measure: compared };
