import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { furthestJob, withBlocked, withFailure } from '../../../src/core/jobs/jobEnd';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import type { ExecutionFailure } from '../../../src/core/protocol/serverEvent';
import {
  begin,
  event,
  executing,
  failure,
  id,
  listing,
  origin,
  reduced,
  run,
  server,
  start,
  stored,
  success,
} from './observations';

const at = start;

function withFile(job: Job, filename: string): Job {
  return { ...job, outputs: [{ filename, subfolder: '', area: 'output', nodeId: '3', media: 'image' }] };
}

describe('of two things that are known of one job', () => {
  it('the one that got further counts, though the other holds more', () => {
    const [ended, early] = [stored('failed'), withFile(stored('running'), 'a.png')];
    expect(furthestJob(ended, early)).toBe(ended);
    expect(furthestJob(early, ended)).toBe(ended);
  });

  it('the one with more outputs counts where both got as far', () => {
    const [bare, full] = [stored('completed'), withFile(stored('completed'), 'a.png')];
    expect(furthestJob(bare, full)).toBe(full);
    expect(furthestJob(full, bare)).toBe(full);
  });

  it('the first counts where neither knows more', () => {
    const [one, other] = [stored('completed'), stored('completed')];
    expect(furthestJob(one, other)).toBe(one);
  });
});

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
    expect(reduced([...run(begin), erroring, event(success)])).not.toHaveProperty('failure');
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

describe('a job that leaves the queue to run', () => {
  const placed: JobObservation = { kind: 'submitted', id, server, origin, queuePosition: 1, at };

  it('is still being cancelled', () => {
    const asked: JobObservation = { kind: 'cancelAsked', id, server, at };
    expect(reduced([placed, asked, event(begin)])).toMatchObject({ state: 'running', cancelling: true });
  });

  it('is at the node with which it began', () => {
    expect(reduced([placed, event(executing('2'))])).toMatchObject({ state: 'running', currentNodeId: '2' });
  });
});
