import { describe, expect, it } from 'vitest';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';
import {
  begin,
  cached,
  detail,
  executed,
  event,
  executing,
  failed,
  failure,
  id,
  interrupted,
  listing,
  over,
  progressNode,
  progressState,
  reduced,
  reducedAll,
  run,
  server,
  start,
  submitted,
  success,
  reduceJobs,
} from './observations';

describe('the state of a job', () => {
  it('is running once the server starts it, without a queue position', () => {
    const queued: JobObservation = { kind: 'queued', running: [], pending: [id], server, at: start };
    const job = reduced([submitted(), queued, event(begin)]);
    expect(job).toMatchObject({ state: 'running', startedAt: start + 1_000 });
    expect(job.queuePosition).toBeUndefined();
  });

  it.each([
    ['completed', success],
    ['failed', failed()],
    ['cancelled', interrupted],
  ] as const)('is %s after that event, and nothing later revives it', (state, last) => {
    const late = [begin, cached, executing('2'), progressState(progressNode('2', 'running', 3, 20)), over];
    const job = reduced(run(begin, last, ...late));
    expect(job).toMatchObject({ state, cancelling: false, endedAt: start + 9_000 });
    expect(job.currentNodeId).toBeUndefined();
    expect(Object.values(job.nodes).filter((node) => node.state === 'running')).toEqual([]);
  });

  it("does not end with the message that the run is over, which doesn't say how it ended", () => {
    expect(reduced(run(begin, executing('1'), over)).state).toBe('running');
  });

  it('continues when a branch is blocked, and says so', () => {
    const blocked = failed({ exceptionType: 'ExecutionBlocked', message: 'Execution Blocked: no' }, true);
    expect(reduced(run(begin, blocked))).toMatchObject({ state: 'running', blocked: [{ nodeId: '2' }] });
    const job = reduced(run(begin, blocked, success));
    expect(job.state).toBe('completed');
    expect(job).not.toHaveProperty('failure');
  });

  it('is failed after an error, whatever the stored flag says', () => {
    const cycle = failed({ exceptionType: 'graph.DependencyCycleError' });
    const flagged: JobObservation = { kind: 'listed', listing: listing('completed'), server, at: start };
    expect(reduced([...run(begin, cycle), flagged]).state).toBe('failed');
    expect(reduced([...run(begin), flagged, event(cycle)])).toMatchObject({
      state: 'failed',
      failure: { exceptionType: 'graph.DependencyCycleError' },
    });
  });

  it('is cancelled after an interruption, although old servers store an error', () => {
    const stored: JobObservation = { kind: 'detail', detail: detail('failed'), server, at: start };
    expect(reduced([...run(begin, interrupted), stored]).state).toBe('cancelled');
    expect(reduced([submitted(), stored, event(interrupted)]).state).toBe('cancelled');
  });

  it('is lost when the server no longer knows it, unless it had ended', () => {
    const gone: JobObservation = { kind: 'gone', id, server, at: start };
    expect(reduced([...run(begin), gone]).state).toBe('lost');
    expect(reduced([...run(begin, success), gone]).state).toBe('completed');
    expect(reduced([...run(begin), gone, event(executing('2'))]).state).toBe('lost');
  });

  it.each([
    ['cancel_requested', 'pending', true],
    ['erroring', 'running', false],
    ['queued_limited', 'pending', false],
    ['some_new_state', 'running', false],
  ])('that the cloud calls %s is %s and cancelling: %s', (raw, state, cancelling) => {
    const told: JobObservation = { kind: 'listed', listing: listing(raw), server, at: start };
    expect(reduced([submitted(), told])).toMatchObject({ state, cancelling });
  });

  it('is cancelling from the request until the server agrees or refuses', () => {
    const asked: JobObservation = { kind: 'cancelAsked', id, server, at: start };
    const refused: JobObservation = { kind: 'cancelRefused', id, server, at: start };
    const seen: JobObservation = { kind: 'cancelSeen', id, server, at: start };
    expect(reduced([...run(begin), asked])).toMatchObject({ state: 'running', cancelling: true });
    expect(reduced([...run(begin), asked, refused])).toMatchObject({ state: 'running', cancelling: false });
    expect(reduced([submitted(), asked, seen])).toMatchObject({ state: 'cancelled', cancelling: false });
    expect(reduced([...run(begin, success), asked])).toMatchObject({ state: 'completed', cancelling: false });
  });

  it.each([
    event(over),
    { kind: 'gone', id, server, at: start },
    { kind: 'cancelRefused', id, server, at: start },
    event({ type: 'status' }),
  ] as const)('is not added from %j', (told) => {
    expect(reducedAll([told]).size).toBe(0);
  });
});

describe('times', () => {
  it('from the server count, in seconds or milliseconds', () => {
    const seconds = detail('completed', {
      createdAt: start / 1000,
      startedAt: start / 1000 + 1,
      endedAt: start + 9,
    });
    const job = reduced([submitted(start + 77), { kind: 'detail', detail: seconds, server, at: start + 99 }]);
    expect(job).toMatchObject({ createdAt: start, startedAt: start + 1_000, endedAt: start + 9 });
    expect(job).toHaveProperty('ownTimes', undefined);
  });

  it('are ours until the server reports any', () => {
    const quiet: ServerEvent = { type: 'executionSuccess', promptId: id };
    const job = reduced([submitted(), event(executing('1'), start + 5), event(quiet, start + 8)]);
    expect(job).toMatchObject({ createdAt: start, startedAt: start + 5, endedAt: start + 8 });
    expect(job.ownTimes).toEqual(['createdAt', 'endedAt', 'startedAt']);
  });
});

it('outputs without a usable name are known to be there, beside the others', () => {
  const made = executed('9', ['', 'x'.repeat(5_000), 'a.png']);
  const job = reduced(run(begin, made, made, success));
  expect(job.misnamed).toBe(true);
  expect(job.outputs.map(({ filename }) => filename)).toEqual(['a.png']);
  expect(reduced(run(begin, executed('9', ['a.png']), success)).misnamed).toBeUndefined();
  const outputs = { 9: { images: [{ filename: '' }] } };
  const listed = detail('completed', { outputs });
  const polled = reduced([submitted(), { kind: 'detail', detail: listed, server, at: start }]);
  expect(polled.misnamed).toBe(true);
});

describe('memory', () => {
  it('for one job is bounded: long texts, many texts', () => {
    const text = (told: string): ServerEvent => ({
      type: 'executed',
      promptId: id,
      nodeId: '3',
      displayNodeId: '3',
      output: { text: [told] },
      merge: true,
    });
    const texts = Array.from({ length: 250 }, (_, index) => text(`${index} ${'x'.repeat(25_000)}`));
    const job = reduced(run(begin, ...texts));
    expect(job.texts).toHaveLength(200);
    expect(Math.max(...job.texts.map((each) => each.text.length))).toBeLessThanOrEqual(20_001);
  });

  it('is shared: an event about one job leaves other jobs and nodes untouched', () => {
    const other: JobObservation = {
      kind: 'listed',
      listing: { ...listing('completed'), id: 'other' },
      server,
      at: start,
    };
    const jobs = reducedAll([other, ...run(begin, cached, executing('2'))]);
    const next = reduceJobs(jobs, event(progressState(progressNode('2', 'running', 2, 9)), start + 60_000));
    expect(next.get('other')).toBe(jobs.get('other'));
    expect(next.get(id)?.nodes['1']).toBe(jobs.get(id)?.nodes['1']);
    expect(next.get(id)?.nodes['2']).not.toBe(jobs.get(id)?.nodes['2']);
  });

  it('is not touched by what is already known', () => {
    const jobs = reducedAll(run(begin, success));
    for (const told of run(begin, success)) expect(reduceJobs(jobs, told)).toBe(jobs);
  });

  it.each(['cancelled', 'failed', 'completed'])('is not touched by the next list, of a job %s', (raw) => {
    const told = detail(raw, { failure: failure(), outputs: { '3': { text: ['a', 'b'] } }, endedAt: start });
    const poll = (at: number): JobObservation => ({ kind: 'detail', detail: told, server, at });
    const jobs = reducedAll([poll(start)]);
    expect(reduceJobs(jobs, poll(start + 5_000))).toBe(jobs);
  });
});

describe('messages of the server about a job', () => {
  const told = (text: string, at: number) => event({ type: 'notification', promptId: id, text }, start + at);

  it('are kept in the order of their times, each once with its last, whatever arrives first', () => {
    const messages = [told('loads', 3), told(' waits ', 1), told('waits', 5), told('loads', 2), told(' ', 9)];
    const both = told('also loads', 3);
    const notices = [
      { text: 'also loads', at: start + 3 },
      { text: 'loads', at: start + 3 },
      { text: 'waits', at: start + 5 },
    ];
    expect(reduced([submitted(), ...messages, both]).notices).toEqual(notices);
    expect(reduced([submitted(), both, ...messages.toReversed()]).notices).toEqual(notices);
  });
});

describe('the time of an end', () => {
  it.each([
    ['in seconds counts as such', 1_768_478_409, 1_768_478_409_000],
    ['in milliseconds stays', start + 9_000, start + 9_000],
    ['before 1970 is none', -1, start + 1],
    ['of no number is none', Number.NaN, start + 1],
    ['that no date can hold is none', 8.65e15, start + 1],
  ])('%s: %d', (_, timestamp, endedAt) => {
    expect(reduced([submitted(), event({ ...success, timestamp }, start + 1)]).endedAt).toBe(endedAt);
  });

  it('is the last, and that of a start the first, that the server tells', () => {
    const times = [start + 5_000, start + 4_000, start + 6_000];
    const starts = times.map((timestamp) => event({ ...begin, timestamp }));
    const ends = times.map((timestamp) => event({ ...success, timestamp }));
    expect(reduced([submitted(), ...starts, ...ends])).toMatchObject({
      startedAt: start + 4_000,
      endedAt: start + 6_000,
    });
  });
});
