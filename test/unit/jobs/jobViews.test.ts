import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { groupJobs, jobToFollow } from '../../../src/core/jobs/jobGroups';
import {
  describeJob,
  describeProgress,
  jobMessages,
  jobProgress,
  runsBefore,
  tellingSeeds,
  seedName,
} from '../../../src/core/jobs/jobWords';
import { recordedJob } from '../../../src/core/jobs/reduceJobs';
import {
  begin,
  executing,
  failed,
  origin,
  progressNode,
  progressState,
  reduced,
  run,
  start,
  storedElsewhere,
  success,
  stored,
} from './observations';

const running = reduced(
  run(
    begin,
    progressState(progressNode('1', 'finished'), progressNode('2', 'running', 14, 20)),
    executing('2'),
  ),
);

function job(id: string, state: Job['state'], more: Partial<Job> = {}): Job {
  return { ...storedElsewhere(state, id), createdAt: undefined, ...more };
}

describe('progress', () => {
  it('counts nodes of the submitted prompt and steps of the running node', () => {
    expect(jobProgress(running)).toEqual({
      nodesDone: 1,
      nodesTotal: 3,
      step: 14,
      steps: 20,
      fraction: 1.7 / 3,
    });
    expect(describeProgress(running)).toBe('1/3 nodes, step 14/20');
  });

  it('counts the nodes seen for a job submitted elsewhere', () => {
    expect(jobProgress({ ...running, origin: undefined })).toMatchObject({ nodesDone: 1, nodesTotal: 2 });
  });

  it('is complete only when the job is, even if branches were not needed', () => {
    const completed = reduced(run(begin, executing('1'), success));
    expect(jobProgress(completed).fraction).toBe(1);
    expect(describeProgress(completed)).toBe('3 nodes');
    const nearly = {
      ...running,
      nodes: Object.fromEntries(
        ['1', '2', '3'].map((nodeId) => [nodeId, { nodeId, state: 'finished' as const, value: 1, max: 1 }]),
      ),
    };
    expect(jobProgress(nearly).fraction).toBeLessThan(1);
  });
});

it.each([
  [job('a', 'pending'), 'queued'],
  [job('a', 'pending', { queuePosition: 3 }), 'queued, number 3'],
  [job('a', 'running', { cancelling: true }), 'cancelling'],
  [job('a', 'running', { startedAt: start - 185_000 }), 'running, 3 min 5 s'],
  [job('a', 'running', { startedAt: start + 5_000 }), 'running, 0 s'],
  [running, 'running, 1/3 nodes, step 14/20, 11 s'],
  [job('a', 'completed', { startedAt: start - 9_000, endedAt: start - 5_000 }), 'completed, 4 s'],
  [job('a', 'completed', { startedAt: start - 9_000 }), 'completed'],
  [reduced(run(begin, failed({}, true), success)), 'completed, some branches blocked, 8 s'],
  [reduced(run(begin, failed())), 'failed, 8 s'],
  [job('a', 'lost'), 'the server was restarted, or it removed the job'],
  [job('a', 'lost', { lostWhy: 'sandboxEnded' }), 'the sandbox stopped with its window or command'],
])('the description of a job is short', (told, text) => {
  expect(describeJob(told, told === running ? start + 12_000 : start).text).toBe(text);
});

describe('the messages of a job', () => {
  const node = { state: 'finished', value: 0, max: 1 } as const;

  it('are those of the server and the last one of each node, in the order of their times', () => {
    const nodes = {
      '1': { ...node, nodeId: '1', text: ' late ', textAt: 30 },
      '2': { ...node, nodeId: '2', text: 'early' },
      '3': { ...node, nodeId: '3', text: '  ' },
    };
    const notices = [{ text: 'between', at: 20 }];
    expect(jobMessages({ ...running, nodes, notices })).toEqual([
      { nodeId: '2', text: 'early', at: 0 },
      { text: 'between', at: 20 },
      { nodeId: '1', text: 'late', at: 30 },
    ]);
  });

  it('are not what is an output of the same node, too', () => {
    const texts = [{ nodeId: '1', text: 'a fox ', index: 0 }];
    const nodes = {
      '1': { ...node, nodeId: '1', text: 'a fox' },
      '2': { ...node, nodeId: '2', text: 'a fox' },
    };
    expect(jobMessages({ ...running, nodes, texts })).toEqual([{ nodeId: '2', text: 'a fox', at: 0 }]);
  });
});

describe('a job that its record tells as ended', () => {
  it('has what the server reported where the record has nothing', () => {
    const recorded = { ...stored('failed'), endedAt: start, outputsCount: 1 };
    const node = { nodeId: '1', state: 'finished', value: 0, max: 1 } as const;
    const failure = { message: 'It failed.', kind: 'error' } as unknown as NonNullable<Job['failure']>;
    const reported = {
      ...{
        ...storedElsewhere('failed'),
        endedAt: start + 1,
        outputsListed: 2,
        nodes: { '1': node },
        failure,
      },
      texts: [{ nodeId: '1', text: 'a fox', index: 0 }],
    };
    expect(recordedJob(recorded, reported)).toMatchObject({
      ...{ origin, endedAt: start + 1, outputsCount: 1, outputsListed: 2, nodes: { '1': node }, failure },
      texts: [{ text: 'a fox' }],
    });
    const known = { ...recorded, failure: { ...failure, message: 'It was full.' }, outputsListed: 3 };
    const other = { ...storedElsewhere('failed'), origin: { ...origin, label: 'x' }, outputsCount: 4 };
    expect(recordedJob(known, { ...other, failure })).toMatchObject({
      ...{ origin, endedAt: start, outputsCount: 4, outputsListed: 3, failure: { message: 'It was full.' } },
    });
    expect(recordedJob({ ...recorded, origin: undefined }, other).origin?.label).toBe('x');
  });
});

describe('groups', () => {
  const now = new Date(2026, 2, 7, 12).getTime();
  const ended = (id: string, ...day: [number, number, number, number?]) =>
    job(id, 'completed', { endedAt: new Date(...day).getTime() });

  it("show running jobs, queued jobs in the server's order, and ended jobs by day, latest first", () => {
    const groups = groupJobs(
      [
        ended('long ago', 2025, 11, 31),
        ended('early', 2026, 2, 7, 1),
        job('second', 'pending', { queuePosition: 2, createdAt: 1 }),
        job('unplaced', 'pending', { createdAt: 2 }),
        job('first', 'pending', { queuePosition: 1, createdAt: 9 }),
        ended('late', 2026, 2, 7, 9),
        job('younger', 'running', { startedAt: 9 }),
        job('older', 'running', { startedAt: 5 }),
        ended('midnight', 2026, 2, 6, 23),
        job('never began', 'cancelled', { createdAt: new Date(2026, 2, 7, 3).getTime() }),
      ],
      now,
    );
    expect(groups.running.map(({ id }) => id)).toEqual(['older', 'younger']);
    expect(groups.queued.map(({ id }) => id)).toEqual(['first', 'second', 'unplaced']);
    expect(groups.finished.map(({ label, day, jobs }) => [label, day, jobs.map(({ id }) => id)])).toEqual([
      ['Today', '2026-03-07', ['late', 'never began', 'early']],
      ['Yesterday', '2026-03-06', ['midnight']],
      ['Dec 31, 2025', '2025-12-31', ['long ago']],
    ]);
  });
});

describe('the job that a view of what runs shows', () => {
  const own = (id: string, state: Job['state'], more: Partial<Job> = {}): Job =>
    job(id, state, { origin, ...more });
  const heard = (): boolean => false;
  const shows = (jobs: readonly Job[], shown?: string, isSilent: (job: Job) => boolean = heard) =>
    jobToFollow(jobs, shown, isSilent)?.id;
  const queued = (id: string, createdAt: number): Job => own(id, 'pending', { createdAt });

  it('is the one that runs, whichever was queued last, and then the next', () => {
    const [a, b, c] = [queued('a', 1), queued('b', 2), queued('c', 3)];
    expect(shows([a, b, c])).toBe('a');
    const aRuns: Job = { ...a, state: 'running', startedAt: 4 };
    expect(shows([aRuns, b, c], 'c')).toBe('a');
    const aEnded: Job = { ...aRuns, state: 'completed', endedAt: 5 };
    expect(shows([aEnded, b, c], 'a')).toBe('a');
    const bRuns: Job = { ...b, state: 'running', startedAt: 6 };
    expect(shows([aEnded, bRuns, c], 'a')).toBe('b');
  });

  it('stays with one that runs while others run, unless its server is silent', () => {
    const jobs = [own('a', 'running', { startedAt: 1 }), own('b', 'running', { startedAt: 2 })];
    expect(shows(jobs, 'b')).toBe('b');
    expect(shows(jobs, 'b', ({ id }) => id === 'b')).toBe('a');
  });

  it('stays with the one that ran when its server fell silent, not with what was queued last', () => {
    const jobs = [own('a', 'running', { createdAt: 1, startedAt: 2 }), queued('b', 3), queued('c', 4)];
    expect(shows(jobs, 'a', () => true)).toBe('a');
    expect(shows(jobs.slice(1), 'b', () => true)).toBe('c');
  });

  it('leaves one that was cancelled before it started, and results older than what was sent', () => {
    const cancelled = own('a', 'cancelled', { createdAt: 1, endedAt: 5 });
    expect(shows([cancelled, queued('b', 2)], 'a')).toBe('b');
    const before = own('a', 'completed', { createdAt: 1, startedAt: 2, endedAt: 3 });
    expect(shows([before, queued('b', 4)], 'a')).toBe('b');
  });

  it('is the result that came last when nothing runs, and never one submitted elsewhere', () => {
    const ended = [3, 9, 6].map((endedAt) => own(`e${endedAt}`, 'completed', { startedAt: 1, endedAt }));
    expect(shows([...ended, job('other', 'running', { startedAt: 10 })], 'e3')).toBe('e9');
    expect(shows([job('other', 'running')])).toBeUndefined();
  });
});

describe('the run before a run', () => {
  function run(id: string, createdAt: number, seeds: Readonly<Record<string, string>> = {}): Job {
    return {
      ...stored('completed', id),
      createdAt,
      origin: { ...origin, sourceUri: 'file:///w.json', seeds },
    };
  }

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

it.each([
  ['3.seed', 'KSampler (3)'],
  ['57:8.noise_seed', 'Noise (57:8), noise_seed'],
  ['9.seed', '9.seed'],
])('the seed %s is called %s', (key, name) => {
  expect(seedName(key, { '3': 'KSampler', '57:8': 'Noise' })).toBe(name);
});
