import { describe, expect, it, vi } from 'vitest';
import { ServerError } from '../../../src/core/protocol/serverError';
import { completed, image, tracked, unauthorized } from './fakeServer';
import {
  begin,
  detail,
  executing,
  failure,
  id,
  origin,
  over,
  server,
  start,
  stored,
  success,
} from './observations';
import { fakeTime, seconds } from './trackerTime';

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
