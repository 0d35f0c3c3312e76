import { describe, expect, it, vi } from 'vitest';
import { describeJob } from '../../../src/core/jobs/jobWords';
import { ServerError } from '../../../src/core/protocol/serverError';
import { completed, tracked, trackedJob } from './fakeServer';
import { begin, executed, executing, id, origin, start, success } from './observations';
import { fakeTime, seconds } from './trackerTime';

fakeTime();

describe('polling', () => {
  it('is slow beside a socket and fast without one', async () => {
    const { source, stream } = trackedJob('running');
    await seconds(1);
    const before = source.count(`job ${id}`);
    await seconds(60);
    expect(source.count(`job ${id}`) - before).toBe(12);
    stream.enter({ kind: 'waiting', retryAt: start + 1e9, reason: 'The connection was lost.' });
    const without = source.count(`job ${id}`);
    await seconds(60);
    // The first at once: the server may be gone.
    expect(source.count(`job ${id}`) - without).toBe(31);
  });

  it('backs off from a server that fails, up to a minute, and comes back', async () => {
    const { source, tracker } = trackedJob('running');
    await seconds(6);
    source.failure = new ServerError('It broke.', {
      reason: 'server',
      endpoint: 'GET /api/queue',
      status: 500,
    });
    await seconds(300);
    const before = source.asked.length;
    await seconds(600);
    expect(source.asked.length - before).toBeLessThanOrEqual(14);
    expect(tracker.state).toMatchObject({ trouble: source.failure, stopped: false });
    source.failure = undefined;
    await seconds(60);
    expect(tracker.state.trouble).toBeUndefined();
  });

  it.each([401, 403])('stops at %i until asked again, and rejects pending waits', async (status) => {
    const { source, stream, tracker } = trackedJob('running');
    await seconds(6);
    const reason = status === 401 ? 'unauthorized' : 'forbidden';
    source.failure = new ServerError('No.', { reason, endpoint: 'GET /api/queue', status });
    const rejected = expect(tracker.finished(id)).rejects.toBe(source.failure);
    // An open socket may still tell of the job.
    await seconds(20);
    await rejected;
    const before = source.asked.length;
    await seconds(600);
    expect([source.asked.length, stream.state.kind, vi.getTimerCount()]).toEqual([before, 'closed', 0]);
    expect(tracker.state).toMatchObject({ stopped: true, trouble: source.failure });
    source.failure = undefined;
    await tracker.refresh();
    await seconds(1);
    expect([tracker.state.stopped, stream.state.kind]).toEqual([false, 'open']);
  });

  it.each(['unexpectedShape', 'notFound'] as const)('loses none by an unknown queue (%s)', async (reason) => {
    const { source, tracker, store } = trackedJob('pending');
    const status = reason === 'notFound' ? 404 : undefined;
    source.noQueue = new ServerError('No queue.', { reason, endpoint: 'GET /api/queue', status });
    await seconds(300);
    expect(store.get(id)).toMatchObject({ state: 'pending' });
    expect(tracker.state.trouble).toBeUndefined();
    source.pending = [];
    source.records.set(id, completed);
    const finished = tracker.finished(id);
    await seconds(60);
    expect(await finished).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
  });

  it('ends with the outputs that events tell when the status is refused', async () => {
    const { source, stream, tracker, hear } = tracked();
    await tracker.ready();
    source.failure = new ServerError('No.', { reason: 'forbidden', endpoint: 'GET /api/job', status: 403 });
    tracker.submitted(id, origin);
    const ended = tracker.finished(id);
    for (const told of [begin, executing('2'), executing('3'), executed('3', ['a.png'])]) {
      await seconds(9);
      hear(told);
    }
    expect([tracker.state.stopped, stream.state.kind]).toEqual([false, 'open']);
    hear(success);
    await seconds(2);
    expect(await ended).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
  });

  it('catches up at once when the socket reconnects', async () => {
    const { source, stream, store } = trackedJob('running');
    await seconds(1);
    stream.enter({ kind: 'waiting', retryAt: start + 5_000, reason: 'The connection was lost.' });
    source.running = [];
    source.records.set(id, completed);
    stream.enter({ kind: 'open' });
    await seconds(1);
    expect(store.get(id)?.state).toBe('completed');
  });

  it('polls soon after the socket reports a queue change', async () => {
    const { source, tracker, hear } = tracked();
    tracker.want();
    await seconds(1);
    const before = source.count('queue');
    hear({ type: 'status', queueRemaining: 3 }, { type: 'status', queueRemaining: 3 });
    await seconds(1);
    expect(source.count('queue') - before).toBe(1);
  });
});

describe('the queue', () => {
  it('is not read for our running job', async () => {
    const { source, hear } = trackedJob('running');
    source.pending = ['theirs'];
    hear(begin);
    await seconds(600);
    expect(source.count('queue')).toBe(0);
    expect(source.count(`job ${id}`)).toBeGreaterThan(50);
  });

  it('is read less often the larger it is, while our job is tracked by its own record', async () => {
    const { source, tracker, store } = tracked();
    source.pending = ['theirs', id];
    source.queueBytes = 10_000_000;
    tracker.submitted(id, origin);
    await seconds(90);
    expect(source.count('queue')).toBe(1);
    expect(store.get(id)?.queuePosition).toBe(2);
    source.pending = [];
    source.running = [id];
    await seconds(10);
    expect(store.get(id)?.state).toBe('running');
  });

  it('is not read when too large, and our job is still tracked', async () => {
    const { source, tracker, store } = trackedJob('pending');
    await seconds(10);
    expect(store.get(id)?.queuePosition).toBe(1);
    source.queueBytes = Infinity;
    const before = source.count('queue');
    await seconds(120);
    expect(source.count('queue') - before).toBe(1);
    expect([store.get(id)?.queuePosition, tracker.state.trouble]).toEqual([undefined, undefined]);
    expect(tracker.state.suspectedHang).toBeUndefined();
    source.pending = [];
    source.records.set(id, completed);
    await seconds(10);
    expect(store.get(id)?.state).toBe('completed');
  });

  it("does not cause a request per job when it can't be read", async () => {
    const { source, tracker } = tracked();
    source.queueBytes = Infinity;
    const ids = Array.from({ length: 40 }, (_, index) => `mine-${index}`);
    source.pending = ids;
    for (const one of ids) tracker.submitted(one, origin);
    await seconds(1);
    expect(source.asked.filter((asked) => asked.startsWith('job '))).toHaveLength(8);
    await seconds(30);
    for (const one of ids) expect(source.count(`job ${one}`)).toBeGreaterThan(0);
  });
});

it('the length of the queue is what the socket reports, and unknown without one', async () => {
  const { stream, tracker, hear } = tracked();
  const lengths: (number | undefined)[] = [];
  tracker.onDidChangeState(({ queueLength }) => lengths.push(queueLength));
  tracker.submitted(id, origin);
  await seconds(1);
  hear({ type: 'status', queueRemaining: 3 }, { type: 'status' }, { type: 'status', queueRemaining: 3 });
  expect(tracker.state.queueLength).toBe(3);
  hear({ type: 'status', queueRemaining: 2 });
  stream.enter({ kind: 'waiting', retryAt: Date.now() + 60_000, reason: 'It went away.' });
  expect(tracker.state.queueLength).toBeUndefined();
  expect(lengths.filter((length, index) => length !== lengths[index - 1])).toEqual([3, 2, undefined]);
});

it('a job that its server does not list after a restart is said to be looked for, with its clock stopped, until it is listed again or lost', async () => {
  const { source, store } = trackedJob('running');
  const rowNow = (): string => describeJob(store.get(id) ?? expect.fail(), Date.now()).text;
  await seconds(20);
  expect(rowNow()).toMatch(/^running/);
  source.running = [];
  await seconds(15);
  const looked = rowNow();
  expect(looked).toMatch(/^not listed, checking again, \d+ s$/);
  await seconds(15);
  expect(rowNow()).toBe(looked);
  source.running = [id];
  await seconds(10);
  expect(rowNow()).toMatch(/^running/);
  source.running = [];
  await seconds(90);
  expect(store.get(id)).toMatchObject({ state: 'lost' });
  expect(store.get(id)?.unlistedSince).toBeUndefined();
});
