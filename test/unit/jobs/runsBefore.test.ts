import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { runsBefore, tellingSeeds } from '../../../src/core/jobs/jobWords';
import { origin, start, stored, storedElsewhere } from './observations';

function run(id: string, createdAt: number, seeds: Readonly<Record<string, string>> = {}): Job {
  return { ...stored('completed', id), createdAt, origin: { ...origin, sourceUri: 'file:///w.json', seeds } };
}

describe('the run before a run', () => {
  it('is the latest one of the same file, in whatever order they are known', () => {
    const runs = [run('c', start + 2), run('a', start), run('b', start + 1)];
    const before = runsBefore([...runs, storedElsewhere('completed', 'd')]);
    expect([...before].map(([id, job]) => [id, job.id])).toEqual([
      ['b', 'a'],
      ['c', 'b'],
    ]);
  });

  it('is not one of another file with the same name', () => {
    const other: Job = {
      ...run('b', start + 1),
      origin: { ...origin, sourceUri: 'file:///other/w.json' },
    };
    expect(runsBefore([run('a', start), other]).size).toBe(0);
  });

  it('leaves each changed seed once, to identify the run', () => {
    const first = run('a', start, { '1.seed': '7', '2.noise_seed': '9' });
    expect(tellingSeeds(first, undefined)).toEqual(['7', '9']);
    const second = run('b', start, { '1.seed': '7', '2.noise_seed': '10' });
    expect(tellingSeeds(second, first)).toEqual(['10']);
    expect(tellingSeeds(run('c', start, { '1.seed': '7', '2.noise_seed': '7' }), undefined)).toEqual(['7']);
    expect(tellingSeeds(first, first)).toEqual(['7', '9']);
  });
});
