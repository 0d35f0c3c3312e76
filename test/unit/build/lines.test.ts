import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Lines of the running half by folder, at most: whoever takes some away lowers them. */
const ceilings = `
  cli 6701, core/batch 3480, core/comparison 631, core/diff 1054, core/gallery 138
  core/jobs 3747, core/outputs 1691, core/records 1998, core/runLife 2407, core/runs 2487
  host/batch 2673, host/gallery 913, host/jobs 2217, host/ledger 512, host/outputs 480
  host/preview 652, host/records 1006, host/runs 3218, host/tasks 387
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
