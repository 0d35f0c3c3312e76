import { describe, expect, it } from 'vitest';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import type { JobListing } from '../../../src/core/protocol/jobRecord';
import {
  begin,
  detail,
  event,
  executing,
  failed,
  id,
  listing,
  origin,
  reduced,
  reducedAll,
  run,
  server,
  start,
  submitted,
  success,
  reduceJobs,
  failure,
  stored,
} from './observations';
import type { Job } from '../../../src/core/jobs/job';
import { withBlocked, withFailure } from '../../../src/core/jobs/jobEnd';
import type { ExecutionFailure } from '../../../src/core/protocol/serverEvent';

/* What lists, records and queue snapshots say about jobs, without the socket. */

const later = start + 5_000;

function queued(queue: { running?: string[]; pending?: string[] }, at = start, of = server): JobObservation {
  return { kind: 'queued', running: [], pending: [], ...queue, server: of, at };
}

function listed(raw: string, more: Partial<JobListing> = {}, at = later): JobObservation {
  return { kind: 'listed', listing: listing(raw, more), server, at };
}

function recorded(...[raw, more]: Parameters<typeof detail>): JobObservation {
  return { kind: 'detail', detail: detail(raw, more), server, at: later };
}

describe('a place in the queue', () => {
  it('that the queue told counts, though the answer to the submission comes after it', () => {
    expect(reduced([queued({ pending: ['other', id] }), submitted()])).toMatchObject({
      queuePosition: 2,
      origin,
    });
  });

  it('stays when another server tells its queue', () => {
    const elsewhere = queued({}, later, 'http://127.0.0.1:8189');
    expect(reduced([queued({ pending: ['other', id] }), elsewhere])).toMatchObject({ queuePosition: 2 });
  });

  it('is news once: the same queue again changes nothing', () => {
    const queue = queued({ running: ['other'], pending: [id] });
    const jobs = reducedAll([submitted(), queue]);
    expect(reduceJobs(jobs, queue)).toBe(jobs);
  });

  it.each([
    ['waiting', { pending: [id] }],
    ['running', { running: [id] }],
  ])('is not looked at in an old queue that has an ended job %s', (_, queue) => {
    const jobs = reducedAll([listed('completed')]);
    expect(reduceJobs(jobs, queued(queue, later))).toBe(jobs);
  });
});

it.each([
  ['list', listed('in_progress')],
  ['queue', queued({ running: [id] }, later)],
])(
  'a poll that shows a job running tells when it began if it waited in the %s, and not if that is the first to speak of it',
  (_, poll) => {
    expect(reduced([submitted(), poll])).toMatchObject({ state: 'running', startedAt: later });
    const job = reduced([poll]);
    expect(job.state).toBe('running');
    expect(job).not.toHaveProperty('startedAt');
  },
);

describe('the end of a job', () => {
  it('that is known from its cancellation has the time of our own clock', () => {
    const job = reduced([...run(begin), { kind: 'cancelSeen', id, server, at: later }]);
    expect(job).toMatchObject({ state: 'cancelled', endedAt: later, ownTimes: ['createdAt', 'endedAt'] });
  });

  it('that was lost is the last sign of it: the search for it was no run', () => {
    const { startedAt = 0 } = reduced(run(begin));
    const gone = { kind: 'gone', id, server, at: startedAt + 84_000 } as const;
    const lastSeen = startedAt + 12_000;
    expect(reduced([...run(begin), { ...gone, lastSeen }])).toMatchObject({
      state: 'lost',
      endedAt: lastSeen,
    });
    expect(reduced([...run(begin), gone]).endedAt).toBeLessThan(startedAt + 12_000);
    expect(reduced([submitted(), gone]).endedAt).toBe(gone.at);
  });

  it('is not taken from a list in which the job still runs', () => {
    expect(reduced([submitted(), listed('in_progress', { endedAt: later })])).not.toHaveProperty('endedAt');
  });
});

it('a job becomes known from a node that begins', () => {
  expect(reduced([event(executing('1'))])).toMatchObject({ state: 'running', currentNodeId: '1' });
});

describe('a cancellation', () => {
  const asked: JobObservation = { kind: 'cancelAsked', id, server, at: later };

  it.each([
    ['asked for twice', [...run(begin), asked]],
    ['of a job that has ended', run(begin, success)],
  ])('%s changes nothing', (_, before) => {
    const jobs = reducedAll(before);
    expect(reduceJobs(jobs, asked)).toBe(jobs);
  });

  it('goes on when the job leaves the queue to run', () => {
    const placed = [submitted(), queued({ pending: [id] })];
    expect(reduced([...placed, asked, event(begin)])).toMatchObject({ state: 'running', cancelling: true });
  });
});

describe('the number of outputs', () => {
  it('is the highest that a list told, in either order', () => {
    const [some, all] = [listed('completed', { outputsCount: 1 }), listed('completed', { outputsCount: 4 })];
    expect(reduced([some, all, listed('completed')])).toMatchObject({ outputsCount: 4 });
    expect(reduced([all, some])).toMatchObject({ outputsCount: 4 });
  });

  it('is not known while no list tells it, nor while the job runs', () => {
    expect(reduced([listed('completed')])).not.toHaveProperty('outputsCount');
    expect(reduced([listed('in_progress', { outputsCount: 2 })])).not.toHaveProperty('outputsCount');
  });

  it('that the record lists is the highest that it ever listed', () => {
    const whole = recorded('completed', { outputs: { '3': { text: ['a', 'b'] } } });
    const partly = recorded('completed', { outputs: { '3': { text: ['a'] } } });
    expect(reduced([partly, whole])).toMatchObject({ outputsListed: 2 });
    expect(reduced([whole, partly])).toMatchObject({ outputsListed: 2 });
  });
});

it('the messages that a record kept tell of an end, a failed node and a blocked branch as the socket would have', () => {
  const blocked = failed({ nodeId: '1', exceptionType: 'ExecutionBlocked' }, true);
  const job = reduced([recorded('failed', { events: [begin, blocked, failed()] })]);
  expect(job).toMatchObject({
    state: 'failed',
    startedAt: start + 1_000,
    endedAt: start + 9_000,
    nodes: { '2': { state: 'error' } },
    failure: { nodeId: '2' },
    blocked: [{ nodeId: '1' }],
  });
});

const at = start;

describe('the reason of a failure', () => {
  const bare: Partial<ExecutionFailure> = { nodeId: undefined };

  it.each<[string, Partial<ExecutionFailure>, Partial<ExecutionFailure>]>([
    ['names its node', { ...bare, traceback: ['one', 'two'] }, {}],
    ['has more lines', { message: 'a long message' }, { traceback: ['line'] }],
    ['has the longer message', { message: 'no' }, { message: 'nothing' }],
    ['comes last in the alphabet, of equals', { message: 'aa' }, { message: 'zz' }],
    ['has 10 lines and not 9', { traceback: Array<string>(9).fill('z') }, { traceback: Array(10).fill('a') }],
  ])('is the one that %s, whichever is told first', (_, less, more) => {
    const told = [less, more].map(failure);
    for (const order of [told, [...told].reverse()]) {
      const job = order.reduce((next, each) => withFailure(next, each, at), stored('failed'));
      expect(job.failure).toEqual(failure(more));
    }
  });

  it('marks the node that it names, and none where it names none', () => {
    expect(withFailure(stored('failed'), failure(), at).nodes).toMatchObject({ '2': { state: 'error' } });
    expect(withFailure(stored('failed'), failure(bare), at).nodes).toEqual({});
  });

  it.each(['completed', 'cancelled', 'lost'] as const)('is none of a job that is %s', (state) => {
    expect(withFailure(stored(state), failure(), at)).not.toHaveProperty('failure');
  });

  it('goes when a job that seemed to fail completes', () => {
    const told = listing('erroring', { failure: failure() });
    const erroring: JobObservation = { kind: 'listed', listing: told, server, at };
    expect(reduced([...run(begin), erroring]).failure).toEqual(failure());
    expect(reduced([...run(begin), erroring, event(success)]).failure).toBeUndefined();
  });

  it('keeps the end of a long traceback and the beginning of long lines and messages', () => {
    const traceback = Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(3_000)}`);
    const kept = withFailure(stored('failed'), failure({ traceback, message: 'm'.repeat(30_000) }), at);
    expect(kept.failure?.traceback).toHaveLength(200);
    expect(kept.failure?.traceback[0]).toBe(traceback[100]?.slice(0, 2_000));
    expect(kept.failure?.message).toHaveLength(20_000);
  });
});

describe('blocked branches', () => {
  const blocked = (job: Job, nodeId: string) => withBlocked(job, failure({ nodeId }));

  it('are listed once each, in one order whichever is told first', () => {
    const job = blocked(blocked(stored('running'), '4'), '3');
    expect(job.blocked.map(({ nodeId }) => nodeId)).toEqual(['3', '4']);
    expect(blocked(blocked(stored('running'), '3'), '4')).toEqual(job);
    expect(blocked(job, '3')).toBe(job);
  });

  it('are the first hundred of many', () => {
    const ids = Array.from({ length: 120 }, (_, index) => String(1_000 + index));
    const job = ids.reverse().reduce(blocked, stored('running'));
    expect(job.blocked.map(({ nodeId }) => nodeId)).toEqual(ids.reverse().slice(0, 100));
  });
});
