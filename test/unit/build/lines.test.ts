import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Lines of the running half by folder, at most: whoever takes some away lowers them. */
const ceilings = `
  cli 6702, core/batch 3455, core/comparison 631, core/diff 1054, core/gallery 153
  core/jobs 3729, core/outputs 1691, core/records 1957, core/runLife 2758, core/runs 2493
  host/batch 2577, host/gallery 914, host/jobs 2094, host/ledger 189, host/outputs 419
  host/preview 647, host/records 999, host/runs 3608, host/tasks 387
`;

const folders = [...ceilings.matchAll(/(\S+) (\d+)/g)].map(
  ([, folder = '', most]) => [folder, most] as const,
);

test.each(folders)('%s has at most %s lines', (folder, most) => {
  const files = readdirSync(path.join('src', folder), { recursive: true, encoding: 'utf8' });
  const texts = files.filter((file) => file.endsWith('.ts'));
  const lines = texts.flatMap((file) => readFileSync(path.join('src', folder, file), 'utf8').match(/\n/g));
  expect(lines.length).toBeLessThanOrEqual(Number(most));
});
