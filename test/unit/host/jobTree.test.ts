import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Disposable } from 'vscode';
import { JobTree, refreshEvery, type Row, type TreeSection } from '../../../src/host/jobs/jobTree';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Change = readonly Row[] | undefined;

function section(...ids: readonly string[]) {
  let tell: (change: Change) => unknown = () => undefined;
  const rows = ids.map((id): Row => ({ kind: 'job', id, item: vi.fn<Row['item']>() }));
  const made: TreeSection = {
    roots: () => Promise.resolve(rows),
    onDidChange: (listener) => {
      tell = listener;
      return new Disposable(() => undefined);
    },
  };
  return { ...made, rows, tell: (change: Change) => tell(change) };
}

it('shows the rows of its sections in their order, and refreshes them together, no more often than VS Code bears', async () => {
  const [owed, jobs] = [section('owed'), section('running', 'ended')];
  const onListed = vi.fn<() => void>();
  const tree = new JobTree([owed, jobs], onListed);
  expect(onListed).not.toHaveBeenCalled();
  expect((await tree.getChildren()).map(({ id }) => id)).toEqual(['owed', 'running', 'ended']);
  expect(onListed).toHaveBeenCalledOnce();
  const fired: (readonly string[] | 'all')[] = [];
  tree.onDidChangeTreeData((rows) => fired.push(Array.isArray(rows) ? rows.map(({ id }) => id) : 'all'));
  jobs.tell(jobs.rows.slice(0, 1));
  owed.tell(owed.rows);
  jobs.tell(jobs.rows);
  vi.advanceTimersByTime(refreshEvery);
  expect(fired).toEqual([['running'], ['owed', 'running', 'ended']]);
  jobs.tell(jobs.rows);
  owed.tell(undefined);
  jobs.tell(jobs.rows);
  vi.advanceTimersByTime(refreshEvery);
  expect(fired.slice(2)).toEqual(['all']);
});
