import { expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { inOrder, runToCompare } from '../../../src/core/records/runsToCompare';

const record = (label: string, sentAt?: string, sourceUri?: string): RunRecord => ({
  format: 3,
  state: 'saved',
  server: 'http://127.0.0.1:8188',
  label,
  sourceUri,
  sentAt,
  seeds: { '3.seed': '18446744073709551615' },
  expected: [],
  files: [],
  texts: [],
});

it('lists runs of the same workflow first, and the newest of each', () => {
  const own = record('a.json', undefined, 'flows/a.json');
  const runs = [
    runToCompare('other, new', record('a.json', '2026-03-14T00:00:00Z', 'more/a.json'), own),
    runToCompare('same, old', record('a.json', '2026-03-01T00:00:00Z', 'flows/a.json'), own),
    runToCompare('same, no time', record('a.json', 'yesterday', 'flows/a.json'), own),
    runToCompare('same, new', record('renamed.json', '2026-03-02T00:00:00Z', 'flows/a.json'), own),
  ];
  expect(inOrder(runs).map(({ place }) => place)).toEqual([
    'same, new',
    'same, old',
    'same, no time',
    'other, new',
  ]);
  expect(runs[0]?.seeds).toEqual(['18446744073709551615']);
});

it('goes by the name of a workflow whose place is unknown', () => {
  expect(runToCompare('', record('a.json'), record('a.json')).isSameWorkflow).toBe(true);
});
