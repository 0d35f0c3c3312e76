import { expect, it } from 'vitest';
import type { Uri } from 'vscode';
import type { BatchList } from '../../../src/host/batch/batchList';
import { batchTask } from '../../../src/host/tasks/batchTask';

it('a task asks nobody about a batch whose outputs could not be found', async () => {
  const started: unknown[] = [];
  const start = (...args: readonly unknown[]): Promise<undefined> => {
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
  expect(
    await batchTask([file], { loaded: () => Promise.resolve({ start }) } as unknown as BatchList, output),
  ).toBe(1);
  expect(started).toEqual([[file, undefined, true]]);
  expect(lines).toEqual(['rows.batch.json: not submitted.']);
});
