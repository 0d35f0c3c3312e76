import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Lines of the running half by folder, at most: whoever takes some away lowers them. */
const ceilings = `
  cli 6519, core/batch 3403, core/comparison 603, core/diff 1047, core/gallery 145
  core/jobs 3552, core/outputs 1654, core/records 1882, core/runLife 2984, core/runs 2168
  host/batch 2499, host/gallery 845, host/jobs 1984, host/outputs 343
  host/preview 619, host/records 887, host/runs 3350, host/tasks 367
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
