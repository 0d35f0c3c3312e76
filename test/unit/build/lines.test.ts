import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Lines of the running half by folder, at most: whoever takes some away lowers them. */
const ceilings = `
  cli 6703, core/batch 3491, core/comparison 633, core/diff 1059, core/gallery 138
  core/jobs 3747, core/outputs 1679, core/records 1998, core/runLife 2218, core/runs 2496
  host/batch 2672, host/gallery 913, host/jobs 2217, host/ledger 512, host/outputs 480
  host/preview 652, host/records 1006, host/runs 3274, host/tasks 387
`;

test.each([...ceilings.matchAll(/(\S+) (\d+)/g)])('%s, at most', (_, folder = '', most) => {
  const files = readdirSync(path.join('src', folder), { recursive: true, encoding: 'utf8' });
  const texts = files.filter((file) => file.endsWith('.ts'));
  const lines = texts.flatMap((file) => readFileSync(path.join('src', folder, file), 'utf8').match(/\n/g));
  expect(lines.length).toBeLessThanOrEqual(Number(most));
});
