import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerError } from '../../../src/core/protocol/serverError';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';
import { tracked } from './fakeServer';
import {
  begin,
  detail,
  executing,
  failure,
  id,
  origin,
  over,
  progressState,
  progressNode,
  server,
  start,
  stored,
  success,
} from './observations';

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
const image = { filename: 'a.png', subfolder: '', type: 'output' };
const completed = detail('completed', { outputs: { '3': { images: [image] } } });
const isAbort: unknown = expect.objectContaining({ name: 'AbortError' });

function unauthorized(): ServerError {
  return new ServerError('The key was refused.', {
    reason: 'unauthorized',
    endpoint: 'GET /api/queue',
    status: 401,
  });
}

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('an idle tracker', () => {
  it('asks nothing, opens nothing and keeps no timer', async () => {
    const { source, stream, tracker } = tracked();
    tracker.start();
    await seconds(600);
    expect([source.asked, stream.opened, vi.getTimerCount()]).toEqual([[], 0, 0]);
  });

  it('releases everything after its last job has ended', async () => {
    const { source, stream, tracker, hear } = tracked();
    tracker.submitted(id, origin);
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

  it('reopens if needed again while closing', async () => {
    const { stream, tracker } = tracked();
    tracker.want()();
    tracker.want();
    await seconds(1);
    expect(stream.state.kind).toBe('open');
  });
});

describe('a run', () => {
  it('opens its socket before it is sent', async () => {
    const { stream, tracker } = tracked();
    const release = await tracker.ready();
    expect(stream.state.kind).toBe('open');
    tracker.submitted(id, origin);
    release();
    await seconds(1);
    expect(stream.state.kind).toBe('open');
  });

  it('learns that there is no socket, and keeps nothing for it', async () => {
    const { stream, tracker } = tracked();
    stream.refuses = unauthorized();
    await expect(tracker.ready()).rejects.toBe(stream.refuses);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is finished once its outputs are known: the record appears shortly after the end', async () => {
    const { source, tracker, hear } = tracked();
    tracker.submitted(id, origin);
    const finished = tracker.finished(id);
    hear(begin, executing('3'), success);
    await seconds(0.1);
    source.records.set(id, completed);
    hear(over);
    await seconds(0);
    expect(await finished).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
    expect(source.count(`job ${id}`)).toBe(1);
  });

  it('waits for late outputs, asking once a second', async () => {
    const { source, tracker, hear } = tracked();
    tracker.submitted(id, origin);
    const finished = tracker.finished(id);
    source.records.set(id, detail('completed', { outputs: {} }));
    hear(begin, success);
    await seconds(4);
    source.records.set(id, completed);
    await seconds(1.5);
    expect((await finished).outputs).toHaveLength(1);
  });

  it.each([
    ['a count of none', { outputs: {}, outputsCount: 0 }],
    ['an empty list', { outputs: { '3': { images: [] } } }],
    ['no record', {}],
  ])('is not done without outputs while %s lags behind', async (_what, lagging) => {
    const { source, tracker, hear } = tracked();
    tracker.submitted(id, origin);
    const finished = tracker.finished(id);
    source.records.set(id, detail('completed', lagging));
    hear(begin, success);
    await seconds(5);
    source.records.set(id, completed);
    await seconds(2);
    expect((await finished).outputs).toHaveLength(1);
  });

  it('is finished with the outputs from events on a server without records', async () => {
    const { source, tracker, hear } = tracked();
    source.records.set(id, detail('completed', { tellsOutputs: false }));
    const waiting = tracker.finished(id);
    hear(begin, success, over);
    await vi.advanceTimersByTimeAsync(100);
    await expect(waiting).resolves.toMatchObject({ state: 'completed', outputs: [] });
    expect(source.count(`job ${id}`)).toBe(1);
  });

  it('waits briefly for events on such a server when a poll reports the end', async () => {
    const { source, tracker, hear } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    await seconds(1);
    source.running = [];
    source.records.set(id, detail('completed', { tellsOutputs: false }));
    const waiting = tracker.finished(id);
    await tracker.refresh();
    await seconds(1);
    hear({
      type: 'executed',
      promptId: id,
      nodeId: '3',
      displayNodeId: '3',
      output: { images: [image] },
      merge: false,
    });
    await seconds(3);
    await expect(waiting).resolves.toMatchObject({ outputs: [{ filename: 'a.png' }] });
  });

  it('does not wait for outputs that never arrive', async () => {
    const { source, tracker, hear } = tracked();
    tracker.submitted(id, origin);
    const finished = tracker.finished(id);
    source.records.set(id, detail('completed', { outputs: {} }));
    hear(begin, success);
    await seconds(10);
    expect(await finished).toMatchObject({ state: 'completed', outputs: [] });
    expect(source.count(`job ${id}`)).toBe(9);
  });

  it('with an unreadable record does not count as having no outputs', async () => {
    const { source, tracker, hear } = tracked();
    tracker.submitted(id, origin);
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

  it.each([
    ['goes on saying that it runs', detail('in_progress')],
    ['has none', undefined],
  ])('whose record %s does not count as having no outputs', async (_what, record) => {
    const { source, tracker, hear } = tracked();
    tracker.submitted(id, origin);
    const rejected = expect(tracker.finished(id)).rejects.toMatchObject({ reason: 'unexpectedShape' });
    if (record) source.records.set(id, record);
    hear(begin, success);
    await seconds(120);
    await rejected;
    source.records.set(id, completed);
    const finished = tracker.finished(id);
    await seconds(5);
    expect((await finished).outputs).toHaveLength(1);
  });

  it('is awaited until the server lists as many outputs as it counts', async () => {
    const { source, tracker, hear } = tracked();
    tracker.submitted(id, origin);
    const finished = tracker.finished(id);
    source.records.set(
      id,
      detail('completed', { outputsCount: 2, outputs: { '3': { images: [image], animated: [false] } } }),
    );
    hear(begin, success);
    await seconds(3);
    const other = { ...image, filename: 'b.png' };
    source.records.set(
      id,
      detail('completed', { outputsCount: 2, outputs: { '3': { images: [image, other] } } }),
    );
    await seconds(2);
    expect((await finished).outputs).toHaveLength(2);
  });

  it('ended by another session is found by polling, without a socket', async () => {
    const { source, stream, tracker } = tracked();
    stream.refuses = new ServerError('No socket.', { reason: 'network', endpoint: 'GET /ws' });
    source.running = [id];
    tracker.submitted(id, origin);
    const finished = tracker.finished(id);
    await seconds(20);
    expect(source.count(`job ${id}`)).toBeGreaterThanOrEqual(9);
    source.running = [];
    source.records.set(id, detail('failed', { failure: failure() }));
    await seconds(4);
    expect(await finished).toMatchObject({ state: 'failed', failure: { nodeId: '2' } });
  });

  it('stops waiting on the abort signal, and the job is still tracked', async () => {
    const { source, tracker } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
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

describe('messages from the server', () => {
  const said = (text: string, about?: string): ServerEvent => ({
    type: 'notification',
    text,
    id: about,
  });
  const words = (store: ReturnType<typeof tracked>['store'], job = id) =>
    store.get(job)?.notices?.map(({ text }) => text);

  it('are kept with their job, even if they arrive before the answer that names it', () => {
    const { store, tracker, hear } = tracked();
    hear(said('Queued for execution', id), said('of nobody', 'no-job'));
    tracker.submitted(id, origin);
    hear(said('Waiting for a machine', id), said('Waiting for a machine', id));
    expect(words(store)).toEqual(['Queued for execution', 'Waiting for a machine']);
    expect(store.jobs()).toHaveLength(1);
  });

  it("belong to the only job if they don't name one, and to none if there are two", () => {
    const { store, tracker, hear } = tracked();
    tracker.submitted(id, origin);
    hear(said('Starting'));
    tracker.submitted('second', origin);
    hear(said('For whom?'));
    expect(words(store)).toEqual(['Starting']);
    expect(words(store, 'second')).toBeUndefined();
  });

  it('are bounded', () => {
    const { store, tracker, hear } = tracked();
    tracker.submitted(id, origin);
    for (let count = 1; count <= 100; count++) hear(said(`${count} ${'x'.repeat(10_000)}`, id));
    expect(store.get(id)?.notices).toHaveLength(20);
    expect(store.get(id)?.notices?.at(-1)?.text).toHaveLength(2_000);
  });
});

describe('polling', () => {
  it('is slow beside a socket and fast without one', async () => {
    const { source, stream, tracker } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    await seconds(1);
    const before = source.count(`job ${id}`);
    await seconds(60);
    expect(source.count(`job ${id}`) - before).toBe(12);
    stream.enter({ kind: 'waiting', retryAt: start + 1e9, reason: 'The connection was lost.' });
    const without = source.count(`job ${id}`);
    await seconds(60);
    expect(source.count(`job ${id}`) - without).toBe(30);
  });

  it('backs off from a server that fails, up to a minute, and comes back', async () => {
    const { source, tracker } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
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
    const { source, stream, tracker } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    await seconds(6);
    const reason = status === 401 ? 'unauthorized' : 'forbidden';
    source.failure = new ServerError('No.', { reason, endpoint: 'GET /api/queue', status });
    const rejected = expect(tracker.finished(id)).rejects.toBe(source.failure);
    await seconds(6);
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

  it('catches up at once when the socket reconnects', async () => {
    const { source, stream, tracker, store } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    await seconds(1);
    stream.enter({ kind: 'waiting', retryAt: start + 5_000, reason: 'The connection was lost.' });
    source.running = [];
    source.records.set(id, completed);
    stream.enter({ kind: 'open' });
    await seconds(1);
    expect(store.get(id)?.state).toBe('completed');
  });

  it("lists other people's jobs for a view", async () => {
    const { source, tracker, store } = tracked();
    source.running = ['elsewhere'];
    source.records.set('old', detail('completed', { id: 'old' }));
    tracker.want();
    await seconds(1);
    expect(store.jobs().map((job) => [job.id, job.state])).toEqual([
      ['elsewhere', 'running'],
      ['old', 'completed'],
    ]);
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

describe('a job that the server does not know', () => {
  it('is not lost within 45 seconds of its submission', async () => {
    const { source, tracker, store } = tracked();
    tracker.submitted(id, origin);
    await seconds(44);
    expect(store.get(id)?.state).toBe('pending');
    source.running = [id];
    await seconds(10);
    expect(store.get(id)?.state).toBe('running');
  });

  it('is lost after that, and waits for it end', async () => {
    const { tracker } = tracked();
    tracker.submitted(id, origin);
    const finished = tracker.finished(id);
    await seconds(75);
    expect(await finished).toMatchObject({ state: 'lost' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not lost when it is missing for half a minute during its run', async () => {
    const { source, tracker, store, hear } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    hear(begin);
    await seconds(60);
    source.running = [];
    await seconds(35);
    expect(store.get(id)?.state).toBe('running');
    source.records.set(id, completed);
    await seconds(10);
    expect(store.get(id)?.state).toBe('completed');
  });

  it('is lost 45 seconds after the server was restarted', async () => {
    const { source, tracker, store, hear } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    hear(begin);
    await seconds(60);
    source.running = [];
    await seconds(44);
    expect(store.get(id)?.state).toBe('running');
    await seconds(15);
    expect(store.get(id)?.state).toBe('lost');
  });

  it('has its outputs read if it was lost and turns out to have ended', async () => {
    const { source, tracker, store } = tracked();
    tracker.submitted(id, origin);
    await seconds(75);
    expect(store.get(id)?.state).toBe('lost');
    source.records.set(id, completed);
    await tracker.refresh();
    const finished = tracker.finished(id);
    await seconds(5);
    expect(await finished).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is tracked again if it was lost and reappears alive, and stays lost until it ends', async () => {
    const { source, tracker, store } = tracked();
    tracker.submitted(id, origin);
    await seconds(75);
    source.running = [id];
    await tracker.refresh();
    await seconds(30);
    expect(store.get(id)?.state).toBe('lost');
    source.running = [];
    source.records.set(id, completed);
    await seconds(60);
    expect(store.get(id)).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is no longer tracked if it was lost, reappeared and is gone again', async () => {
    const { source, tracker, store } = tracked();
    tracker.submitted(id, origin);
    await seconds(75);
    source.running = [id];
    await tracker.refresh();
    source.running = [];
    await seconds(120);
    expect(store.get(id)?.state).toBe('lost');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not lost because the machine slept between two polls', async () => {
    const { source, tracker, store } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    await seconds(30);
    source.running = [];
    await seconds(8);
    vi.setSystemTime(Date.now() + 3 * 3_600_000);
    await seconds(20);
    expect(store.get(id)?.state).toBe('running');
    source.records.set(id, completed);
    await seconds(10);
    expect(store.get(id)?.state).toBe('completed');
  });

  it('is read back and requested after the window restarts', async () => {
    const { source, tracker, store } = tracked();
    store.restore([stored('running'), stored('pending', 'gone')]);
    source.records.set(id, completed);
    tracker.start();
    await seconds(80);
    expect(store.jobs().map((job) => job.state)).toEqual(['completed', 'lost']);
  });

  it('disappears silently if it is not ours', async () => {
    const { source, tracker, store } = tracked();
    source.pending = ['theirs'];
    tracker.want();
    await seconds(3);
    expect(store.get('theirs')?.state).toBe('pending');
    source.pending = [];
    await seconds(20);
    expect(store.get('theirs')).toBeUndefined();
  });
});

describe('the queue', () => {
  it('is not read for our running job', async () => {
    const { source, tracker, hear } = tracked();
    source.running = [id];
    source.pending = ['theirs'];
    tracker.submitted(id, origin);
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
    const { source, tracker, store } = tracked();
    source.pending = [id];
    tracker.submitted(id, origin);
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

describe('jobs read back at startup', () => {
  it('are tracked again', async () => {
    const { source, tracker, store } = tracked();
    tracker.start();
    source.records.set(id, completed);
    store.restore([stored('running')]);
    await seconds(10);
    expect(store.get(id)).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
    expect(vi.getTimerCount()).toBe(0);
  });
});

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

  it('reports a job that keeps running although the server accepted the request', async () => {
    const { source, tracker, store } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    source.onCancel = () => 'cancelled';
    const result = tracker.cancel(id);
    await seconds(15);
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
    await seconds(15);
    expect([...(await results)]).toEqual([[id, 'stillRunning']]);
    expect(store.get(id)).toMatchObject({ state: 'pending', cancelling: false });
  });
});

describe('a server that answers and runs nothing', () => {
  it('is suspected when jobs wait and no running node was ever reported', async () => {
    const { source, tracker, hear } = tracked();
    source.running = [id];
    source.pending = ['second'];
    tracker.submitted(id, origin);
    hear(begin);
    await seconds(100);
    expect(tracker.state.suspectedHang).toBeUndefined();
    await seconds(60);
    expect(tracker.state.suspectedHang?.quietFor).toBeGreaterThanOrEqual(120_000);
    hear(executing('2'));
    await seconds(6);
    expect(tracker.state.suspectedHang).toBeUndefined();
  });

  it('is not suspected because of a slow node', async () => {
    const { source, tracker, hear } = tracked();
    source.running = [id];
    source.pending = ['second'];
    tracker.submitted(id, origin);
    hear({ type: 'status', queueRemaining: 2 }, begin, executing('2'));
    await seconds(9 * 60);
    expect(tracker.state.suspectedHang).toBeUndefined();
    await seconds(2 * 60);
    expect(tracker.state.suspectedHang).toBeDefined();
  });
});

describe('a server that does not answer', () => {
  const nobody = new ServerError('Nothing answers.', { reason: 'network', endpoint: 'GET /api/jobs/job' });

  it('counts as silent, with the time it was last heard from', async () => {
    const { source, tracker } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    await seconds(60);
    expect(tracker.state.silent).toBeUndefined();
    const heardAt = tracker.state.heardAt ?? 0;
    expect(Date.now() - heardAt).toBeLessThan(6_000);
    source.failure = nobody;
    await seconds(600);
    expect(tracker.state.silent).toBe(true);
    expect((tracker.state.heardAt ?? 0) - heardAt).toBeLessThan(6_000);
    source.failure = undefined;
    await seconds(70);
    expect(tracker.state.silent).toBeUndefined();
  });

  it('has no such time if it never answered', async () => {
    const { source, stream, tracker } = tracked();
    source.failure = nobody;
    stream.refuses = nobody;
    tracker.submitted(id, origin);
    await seconds(60);
    expect(tracker.state).toMatchObject({ silent: true });
    expect(tracker.state.heardAt).toBeUndefined();
  });

  it('is not silent if it answers with errors', async () => {
    const { source, tracker } = tracked();
    source.failure = new ServerError('It broke.', { reason: 'server', endpoint: 'GET /x', status: 500 });
    tracker.submitted(id, origin);
    await seconds(60);
    expect([tracker.state.silent, tracker.state.trouble]).toEqual([undefined, source.failure]);
  });
});

describe('a message that is too large', () => {
  it('is reported, and what it may have contained is requested', async () => {
    const { source, tracker, hear } = tracked();
    source.running = [id];
    tracker.submitted(id, origin);
    await seconds(2);
    const before = source.count(`job ${id}`);
    hear({ type: 'dropped', reason: 'The server sent a message of 39 MB.' });
    await seconds(1);
    expect(tracker.state.unread).toBe('The server sent a message of 39 MB.');
    expect(source.count(`job ${id}`) - before).toBe(1);
  });
});

describe('the length of the queue', () => {
  it('is what the socket reports, and unknown without one', async () => {
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
    await tracker.stop();
  });
});

describe('a laptop that sleeps', () => {
  it('does not make the server look stalled', async () => {
    const { source, tracker, hear } = tracked();
    source.running = [id];
    source.pending = ['second'];
    tracker.submitted(id, origin);
    hear({ type: 'status', queueRemaining: 2 }, begin);
    for (let nap = 0; nap < 5; nap++) {
      await seconds(20);
      vi.setSystemTime(Date.now() + 8 * 3_600_000);
    }
    expect(tracker.state.suspectedHang).toBeUndefined();
    await seconds(60);
    expect(tracker.state.suspectedHang?.quietFor).toBeLessThan(200_000);
  });
});

describe('messages without a job', () => {
  const picture = {
    type: 'preview',
    mime: 'image/jpeg',
    image: new Uint8Array([1]),
  } satisfies ServerEvent;

  it('that are previews go to the job last seen running, and to none after it', async () => {
    const { tracker, previews, hear } = tracked();
    hear(picture, begin, executing('2'), picture);
    expect(tracker.lastJobSeen()).toBe(id);
    hear(over, picture);
    expect(previews).toMatchObject([{ jobId: id, nodeId: '2' }]);
    await tracker.stop();
  });

  it('with metadata name job and node themselves', async () => {
    const { tracker, previews, hear } = tracked();
    hear({ ...picture, promptId: id, nodeId: '2.0.0.1', displayNodeId: '2' });
    expect(previews).toMatchObject([{ jobId: id, nodeId: '2' }]);
    await tracker.stop();
  });

  it('that are texts count only for a job whose node is running', async () => {
    const { tracker, store, hear } = tracked();
    hear(begin, progressState(progressNode('2', 'running')), executing('2'));
    hear(
      { type: 'progressText', nodeId: '9', text: 'of another' },
      { type: 'progressText', nodeId: '2', text: 'ours' },
    );
    expect(store.get(id)?.nodes).toMatchObject({ '2': { text: 'ours' } });
    expect(store.get(id)?.nodes).not.toHaveProperty('9');
    await tracker.stop();
  });

  it('that report the end of a run trigger reading its record', async () => {
    const { source, store, tracker, hear } = tracked();
    const end = { type: 'executing', nodeId: null } satisfies ServerEvent;
    source.records.set(id, completed);
    tracker.submitted(id, origin);
    hear(begin, success, end);
    await vi.advanceTimersByTimeAsync(10);
    expect(source.count(`job ${id}`)).toBe(1);

    source.running = ['second', 'third'];
    for (const other of source.running) tracker.submitted(other, origin);
    await seconds(2);
    source.running = [];
    source.records.set('second', { ...completed, id: 'second' });
    source.records.set('third', { ...completed, id: 'third' });
    hear(end);
    await vi.advanceTimersByTimeAsync(10);
    expect(['second', 'third'].map((each) => store.get(each)?.state)).toEqual(['completed', 'completed']);
    await tracker.stop();
  });

  it('that name the node after a reconnect belong to our running job', async () => {
    const { tracker, store, hear } = tracked();
    tracker.submitted(id, origin);
    hear(begin, { type: 'executing', nodeId: '2' });
    expect(store.get(id)?.currentNodeId).toBe('2');
    await tracker.stop();
  });
});
