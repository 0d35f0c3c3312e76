import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Disposable } from 'vscode';
import type { Job } from '../../../src/core/jobs/job';
import { JobTree, refreshEvery, type Row, type TreeSection } from '../../../src/host/jobs/jobTree';
import { treeGroups } from '../../../src/host/jobs/treeGroups';
import { origin, start, stored, storedElsewhere } from '../jobs/observations';

const day = 24 * 60 * 60_000;

function run(id: string, endedAt: number, sourceUri = 'file:///w/portrait.json'): Job {
  return { ...stored('completed', id), endedAt, origin: { ...origin, sourceUri } };
}

function shape(groups: ReturnType<typeof treeGroups>): readonly (readonly [string, readonly string[]])[] {
  return groups.map(({ label, jobs }) => [label, jobs.map(({ id }) => id)] as const);
}

describe('the groups of the Jobs view', () => {
  const others = [storedElsewhere('running', 'their-run'), storedElsewhere('completed', 'their-end')];

  it('hide jobs submitted elsewhere', () => {
    const groups = treeGroups([run('mine', start), ...others], start, { all: false, by: 'day' });
    expect(shape(groups)).toEqual([['Finished, Today', ['mine']]]);
    expect(treeGroups(others, start, { all: false, by: 'day' })).toEqual([]);
  });

  it('show them on request: queued ones in the queue, ended ones in a collapsed group', () => {
    const groups = treeGroups([run('mine', start), ...others], start, { all: true, by: 'day' });
    expect(shape(groups)).toEqual([
      ['Running', ['their-run']],
      ['Finished, Today', ['mine']],
      ['Finished, Submitted Elsewhere', ['their-end']],
    ]);
    expect(groups.map(({ isCollapsed }) => isCollapsed ?? false)).toEqual([false, false, true]);
  });

  it('can be workflows, last run first, with folders when names are equal', () => {
    const jobs = [
      run('a', start - 2 * day),
      run('b', start),
      run('c', start - day, 'file:///w/my%20drafts/portrait.json'),
    ];
    expect(shape(treeGroups(jobs, start, { all: false, by: 'workflow' }))).toEqual([
      ['w/portrait.json', ['b', 'a']],
      ['my drafts/portrait.json', ['c']],
    ]);
  });
});

describe('the Jobs view', () => {
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
    const tree = new JobTree([owed, jobs]);
    void tree.listed.then(onListed);
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
});
