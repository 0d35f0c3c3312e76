import { expect, it, vi } from 'vitest';
import type { Uri } from 'vscode';
import type { WindowBatches } from '../../../src/host/batch/windowBatches';
import { batchTask } from '../../../src/host/tasks/batchTask';

vi.mock('vscode', () => ({}));

it('a task asks nobody about a batch whose outputs could not be found', async () => {
  const started: unknown[] = [];
  const start: WindowBatches['start'] = (...args) => {
    started.push(args);
    return Promise.resolve(undefined);
  };
  const lines: string[] = [];
  const file = { path: '/w/rows.batch.json' } as unknown as Uri;
  const { signal } = new AbortController();
  const output = {
    line: (words: { line(): string }) => lines.push(words.line()),
    signal,
    interrupted: signal,
  };
  expect(await batchTask([file], { start } as unknown as WindowBatches, output)).toBe(1);
  expect(started).toEqual([[file, undefined, true]]);
  expect(lines).toEqual(['rows.batch.json: not submitted.']);
});
