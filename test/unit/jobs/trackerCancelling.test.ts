import { describe, expect, it } from 'vitest';
import { ServerError } from '../../../src/core/protocol/serverError';
import { budgets } from '../../../src/core/safety/budgets';
import { completed, tracked, unauthorized } from './fakeServer';
import { detail, id, origin } from './observations';
import { fakeTime, seconds } from './trackerTime';

const isAbort: unknown = expect.objectContaining({ name: 'AbortError' });

fakeTime();

describe('cancelling', () => {
  it('shows at once and is then confirmed by the server', async () => {
    const { source, tracker, store, hear } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
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
    const { source, tracker, store } = tracked();
    source.pending = [id];
    tracker.submitted(id, origin);
    source.onCancel = () => {
      source.pending = [];
      return 'cancelled';
    };
    expect(await tracker.cancel(id)).toBe('cancelled');
    expect(store.get(id)?.state).toBe('cancelled');
  });

  it('waits for a cancellation that the server accepted and carries out later', async () => {
    const { source, tracker, store } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    source.onCancel = () => 'requested';
    const result = tracker.cancel(id);
    await seconds(90);
    expect(store.get(id)).toMatchObject({ state: 'running', cancelling: true });
    source.running = [];
    source.records.set(id, detail('cancelled'));
    await seconds(6);
    expect(await result).toBe('cancelled');
  });

  it('waits on when the server misses one question', async () => {
    const { source, tracker } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
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
    const { source, tracker } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    source.onCancel = () => {
      source.failure = new ServerError('Broken.', { reason: 'server', endpoint: 'GET /', status: 500 });
      return 'requested';
    };
    const result = tracker.cancel(id);
    await seconds(9);
    expect(await result).toBe('stillRunning');
  });

  it('reports a job that keeps running although the server accepted the request', async () => {
    const { source, tracker, store } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    source.onCancel = () => 'cancelled';
    const result = tracker.cancel(id);
    await seconds(budgets.cancellation / 1000 + 1);
    expect(await result).toBe('stillRunning');
    expect(store.get(id)).toMatchObject({ state: 'running', cancelling: true });
  });

  it('reports that it came too late', async () => {
    const { source, tracker, store } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
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
    const { source, tracker, store } = tracked();
    tracker.submitted(id, origin);
    expect(await tracker.cancel(id)).toBe('notFound');
    source.failure = unauthorized();
    await expect(tracker.cancel(id)).rejects.toBe(source.failure);
    expect(store.get(id)).toMatchObject({ state: 'pending', cancelling: false });
  });

  it('stops waiting on the abort signal', async () => {
    const { source, tracker } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
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

  it('reports queued jobs that the server keeps', async () => {
    const { source, tracker, store } = tracked();
    source.pending = [id];
    tracker.submitted(id, origin);
    source.onDelete = () => undefined;
    const results = tracker.cancelWaiting([id]);
    await seconds(budgets.cancellation / 1000 + 1);
    expect([...(await results)]).toEqual([[id, 'stillRunning']]);
    expect(store.get(id)).toMatchObject({ state: 'pending', cancelling: true });
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
