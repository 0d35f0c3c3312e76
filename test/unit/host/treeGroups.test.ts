import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
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
