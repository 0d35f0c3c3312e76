import { describe, expect, it, vi } from 'vitest';
import { ServerError } from '../../../src/core/protocol/serverError';
import { completed, tracked, trackedJob, unauthorized } from './fakeServer';
import { begin, detail, executing, failure, id, origin, over, server, start, success } from './observations';
import { fakeTime, seconds } from './trackerTime';
import { budgets } from '../../../src/core/safety/budgets';

const isAbort: unknown = expect.objectContaining({ name: 'AbortError' });

fakeTime();

describe('an idle tracker', () => {
  it('asks nothing, opens nothing and keeps no timer', async () => {
    const { source, stream, tracker } = tracked();
    tracker.start();
    await seconds(600);
    expect([source.asked, stream.opened, vi.getTimerCount()]).toEqual([[], 0, 0]);
  });

  it('releases everything after its last job has ended', async () => {
    const { source, stream, hear } = trackedJob();
    await seconds(1);
    expect(stream.state.kind).toBe('open');
    source.records.set(id, completed);
    hear(begin, success, over);
    await seconds(5);
    expect([stream.state.kind, vi.getTimerCount()]).toEqual(['closed', 0]);
  });

  it('releases everything after the last view is gone', async () => {
    const { stream, tracker, source } = tracked();
    const release = [tracker.want(), tracker.want()];
    await seconds(1);
    expect(source.count('jobs')).toBeGreaterThan(0);
    release[0]?.();
    release[0]?.();
    await seconds(1);
    expect(stream.state.kind).toBe('open');
    release[1]?.();
    await seconds(1);
    expect([stream.state.kind, vi.getTimerCount()]).toEqual(['closed', 0]);
  });

  it('releases everything when stopped in the middle of work', async () => {
    const { stream, tracker, hear, store } = tracked();
    tracker.want();
    tracker.submitted(id, origin);
    await tracker.ready();
    hear(begin, success);
    const waiting = tracker.finished(id);
    const rejected = expect(waiting).rejects.toEqual(isAbort);
    await seconds(0.1);
    await tracker.stop();
    await rejected;
    expect([stream.state.kind, vi.getTimerCount()]).toEqual(['closed', 0]);
    store.observe({ kind: 'submitted', id: 'other', origin, server, at: start });
    tracker.follow('other');
    tracker.want();
    await seconds(60);
    expect([stream.state.kind, vi.getTimerCount()]).toEqual(['closed', 0]);
  });
});

describe('a run', () => {
  it('learns that there is no socket, and keeps nothing for it', async () => {
    const { stream, tracker } = tracked();
    stream.refuses = unauthorized();
    await expect(tracker.ready()).rejects.toBe(stream.refuses);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is finished once its outputs are known: the record appears shortly after the end', async () => {
    const { source, tracker, hear } = trackedJob();
    const finished = tracker.finished(id);
    hear(begin, executing('3'), success);
    await seconds(0.1);
    source.records.set(id, completed);
    hear(over);
    await seconds(0);
    expect(await finished).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
    expect(source.count(`job ${id}`)).toBe(1);
  });

  it.each([
    ['its record', completed],
    ['events only', detail('completed', { tellsOutputs: false })],
  ])('is finished at once if it was over before its job was known: outputs by %s', async (_what, record) => {
    const { source, tracker, hear } = tracked();
    const release = await tracker.ready();
    source.records.set(id, record);
    hear(begin, executing('3'), success, over);
    tracker.submitted(id, origin);
    release();
    const finished = tracker.finished(id);
    await seconds(0);
    expect(await finished).toMatchObject({ state: 'completed' });
    expect(source.count(`job ${id}`)).toBe(1);
  });

  it.each([
    ['a count of none', { outputs: {}, outputsCount: 0 }],
    ['an empty list', { outputs: { '3': { images: [] } } }],
    ['no record', {}],
  ])('is not done without outputs while %s lags behind', async (_what, lagging) => {
    const { source, tracker, hear } = trackedJob();
    const finished = tracker.finished(id);
    source.records.set(id, detail('completed', lagging));
    hear(begin, success);
    await seconds(5);
    source.records.set(id, completed);
    await seconds(2);
    expect((await finished).outputs).toHaveLength(1);
  });

  it('with an unreadable record does not count as having no outputs', async () => {
    const { source, tracker, hear } = trackedJob();
    const rejected = expect(tracker.finished(id)).rejects.toMatchObject({ status: 500 });
    source.failure = new ServerError('Broken.', { reason: 'server', endpoint: 'GET /api/jobs', status: 500 });
    hear(begin, success);
    await seconds(120);
    await rejected;
    source.failure = undefined;
    source.records.set(id, completed);
    const finished = tracker.finished(id);
    await seconds(5);
    expect((await finished).outputs).toHaveLength(1);
  });

  it('ended by another session is found by polling, without a socket', async () => {
    const { source, stream, tracker } = trackedJob('running');
    stream.refuses = new ServerError('No socket.', { reason: 'network', endpoint: 'GET /ws' });
    const finished = tracker.finished(id);
    await seconds(20);
    expect(source.count(`job ${id}`)).toBeGreaterThanOrEqual(9);
    source.running = [];
    source.records.set(id, detail('failed', { failure: failure() }));
    await seconds(4);
    expect(await finished).toMatchObject({ state: 'failed', failure: { nodeId: '2' } });
  });

  it('stops waiting on the abort signal, and the job is still tracked', async () => {
    const { source, tracker } = trackedJob('running');
    const controller = new AbortController();
    const rejected = expect(tracker.finished(id, controller.signal)).rejects.toEqual(isAbort);
    await seconds(1);
    controller.abort();
    await rejected;
    source.running = [];
    source.records.set(id, completed);
    await seconds(10);
    expect(await tracker.finished(id)).toMatchObject({ state: 'completed' });
  });

  it('that never existed is an error, not an endless wait', async () => {
    const { tracker } = tracked();
    const rejected = expect(tracker.finished('nosuch')).rejects.toMatchObject({ reason: 'notFound' });
    await seconds(10);
    await rejected;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('cancelling', () => {
  it('shows at once and is then confirmed by the server', async () => {
    const { source, tracker, store, hear } = trackedJob('running');
    source.onCancel = () => 'requested';
    const result = tracker.cancel(id);
    expect(store.get(id)).toMatchObject({ cancelling: true });
    await seconds(1);
    source.running = [];
    source.records.set(id, detail('cancelled'));
    hear({ type: 'executionInterrupted', promptId: id });
    await seconds(2);
    expect(await result).toBe('cancelled');
    expect(store.get(id)).toMatchObject({ state: 'cancelled', cancelling: false });
  });

  it('is remembered for a queued job, which leaves no trace on the server', async () => {
    const { source, tracker, store } = trackedJob('pending');
    source.onCancel = () => {
      source.pending = [];
      return 'cancelled';
    };
    expect(await tracker.cancel(id)).toBe('cancelled');
    expect(store.get(id)?.state).toBe('cancelled');
  });

  it('waits on when the server misses one question', async () => {
    const { source, tracker } = trackedJob('running');
    source.onCancel = () => 'requested';
    const result = tracker.cancel(id);
    await seconds(1);
    source.failure = new ServerError('Busy.', { reason: 'server', endpoint: 'GET /api/jobs', status: 503 });
    await seconds(2);
    source.failure = undefined;
    source.running = [];
    source.records.set(id, detail('cancelled'));
    await seconds(2);
    expect(await result).toBe('cancelled');
  });

  it('has been accepted also when the server answers no question any more', async () => {
    const { source, tracker } = trackedJob('running');
    source.onCancel = () => {
      source.failure = new ServerError('Broken.', { reason: 'server', endpoint: 'GET /', status: 500 });
      return 'requested';
    };
    const result = tracker.cancel(id);
    await seconds(9);
    expect(await result).toBe('stillRunning');
  });

  it('reports a job that keeps running although the server accepted the request', async () => {
    const { source, tracker, store } = trackedJob('running');
    source.onCancel = () => 'cancelled';
    const result = tracker.cancel(id);
    await seconds(budgets.cancellation / 1000 + 1);
    expect(await result).toBe('stillRunning');
    expect(store.get(id)).toMatchObject({ state: 'running', cancelling: true });
  });

  it('reports that it came too late', async () => {
    const { source, tracker, store } = trackedJob('running');
    source.onCancel = () => {
      source.running = [];
      source.records.set(id, completed);
      return 'requested';
    };
    expect(await tracker.cancel(id)).toBe('alreadyEnded');
    expect(store.get(id)?.state).toBe('completed');
    expect(await tracker.cancel(id)).toBe('alreadyEnded');
  });

  it('leaves the job unchanged when the server refuses', async () => {
    const { source, tracker, store } = trackedJob();
    expect(await tracker.cancel(id)).toBe('notFound');
    source.failure = unauthorized();
    await expect(tracker.cancel(id)).rejects.toBe(source.failure);
    expect(store.get(id)).toMatchObject({ state: 'pending', cancelling: false });
  });

  it('stops waiting on the abort signal', async () => {
    const { source, tracker } = trackedJob('running');
    source.onCancel = () => 'requested';
    const controller = new AbortController();
    const rejected = expect(tracker.cancel(id, controller.signal)).rejects.toEqual(isAbort);
    await seconds(2);
    controller.abort();
    await rejected;
  });

  it('removes queued jobs by ID and reports the fate of each', async () => {
    const { source, tracker, store } = tracked();
    source.running = ['first'];
    source.pending = ['second', 'third', 'theirs'];
    source.records.set('fourth', detail('completed', { id: 'fourth' }));
    const remove = source.onDelete;
    source.onDelete = (ids) => {
      source.pending.shift();
      source.running.push('second');
      remove(ids);
    };
    expect([...(await tracker.cancelWaiting(['second', 'third', 'fourth']))]).toEqual([
      ['second', 'stillRunning'],
      ['third', 'cancelled'],
      ['fourth', 'alreadyEnded'],
    ]);
    expect(source.asked.filter((each) => each.startsWith('delete'))).toEqual(['delete second third fourth']);
    expect(source.pending).toEqual(['theirs']);
    expect(store.get('second')).toMatchObject({ state: 'running', cancelling: false });
    expect(store.get('third')?.state).toBe('cancelled');
  });

  it('waits for a queued job that started, where the server removes running jobs too', async () => {
    const { source, tracker } = tracked();
    source.endsRunning = true;
    source.running = ['other', id];
    tracker.submitted(id, origin);
    source.onDelete = () => undefined;
    const results = tracker.cancelWaiting([id, 'other']);
    await seconds(3);
    source.running = [];
    for (const each of [id, 'other']) source.records.set(each, detail('cancelled', { id: each }));
    await seconds(1);
    expect([...(await results)]).toEqual([
      [id, 'cancelled'],
      ['other', 'cancelled'],
    ]);
  });
});
