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
} from './observations';

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
  const placed: JobObservation = { kind: 'submitted', id, server, origin, queuePosition: 3, at: start };

  it('comes with the answer to the submission', () => {
    expect(reduced([placed])).toMatchObject({ queuePosition: 3 });
  });

  it('that the queue told counts, though the answer to the submission comes after it', () => {
    expect(reduced([queued({ pending: [id] }), placed])).toMatchObject({ queuePosition: 1, origin });
  });

  it('stays when another server tells its queue', () => {
    const elsewhere = queued({}, later, 'http://127.0.0.1:8189');
    expect(reduced([placed, elsewhere])).toMatchObject({ queuePosition: 3 });
  });

  it('is news once: the same queue again changes nothing', () => {
    const queue = queued({ running: ['other'], pending: [id] });
    const jobs = reducedAll([submitted(), queue]);
    expect(reduceJobs(jobs, queue)).toBe(jobs);
  });

  it('is no news of jobs that have none', () => {
    const jobs = reducedAll([submitted()]);
    expect(reduceJobs(jobs, queued({}))).toBe(jobs);
  });

  it.each([
    ['waiting', { pending: [id] }],
    ['running', { running: [id] }],
  ])('is not looked at in an old queue that has an ended job %s', (_, queue) => {
    const jobs = reducedAll([listed('completed')]);
    expect(reduceJobs(jobs, queued(queue, later))).toBe(jobs);
  });
});

describe('a poll that shows a job running', () => {
  it.each([
    ['list', listed('in_progress')],
    ['queue', queued({ running: [id] }, later)],
  ])('tells when it began if it waited in the %s before', (_, poll) => {
    expect(reduced([submitted(), poll])).toMatchObject({ state: 'running', startedAt: later });
  });

  it.each([
    ['list', listed('in_progress')],
    ['queue', queued({ running: [id] }, later)],
  ])('does not tell when it began if the %s is the first to speak of it', (_, poll) => {
    const job = reduced([poll]);
    expect(job.state).toBe('running');
    expect(job).not.toHaveProperty('startedAt');
  });
});

describe('the end of a job', () => {
  it('that is known from its cancellation has the time of our own clock', () => {
    const job = reduced([...run(begin), { kind: 'cancelSeen', id, server, at: later }]);
    expect(job).toMatchObject({
      state: 'cancelled',
      endedAt: later,
      ownTimes: ['createdAt', 'endedAt'],
    });
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

describe('a job becomes known', () => {
  it('from a node that begins', () => {
    expect(reduced([event(executing('1'))])).toMatchObject({ state: 'running', currentNodeId: '1' });
  });

  it('from nothing that was only said about cancelling it', () => {
    expect(reducedAll([{ kind: 'cancelRefused', id, server, at: start }]).size).toBe(0);
  });
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
});

describe('the number of outputs', () => {
  it('is the highest that a list told, in either order', () => {
    const [some, all] = [listed('completed', { outputsCount: 1 }), listed('completed', { outputsCount: 4 })];
    expect(reduced([some, all, listed('completed')])).toMatchObject({ outputsCount: 4 });
    expect(reduced([all, some])).toMatchObject({ outputsCount: 4 });
  });

  it('can be none', () => {
    expect(reduced([listed('completed', { outputsCount: 0 })])).toMatchObject({ outputsCount: 0 });
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

describe('the messages that a record kept', () => {
  it('tell of an end, a failed node and a blocked branch as the socket would have', () => {
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
});
