import { describe, expect, it, vi } from 'vitest';
import { ServerError } from '../../../src/core/protocol/serverError';
import { completed, tracked, trackedJob } from './fakeServer';
import { begin, executing, id, observeJobs, stored } from './observations';
import { fakeTime, seconds } from './trackerTime';

fakeTime();

describe('a job that the server does not know', () => {
  it('is not lost within 45 seconds of its submission', async () => {
    const { source, store } = trackedJob();
    await seconds(44);
    expect(store.get(id)?.state).toBe('pending');
    source.running = [id];
    await seconds(10);
    expect(store.get(id)?.state).toBe('running');
  });

  it('is lost after that, and waits for it end', async () => {
    const { tracker } = trackedJob();
    const finished = tracker.finished(id);
    await seconds(75);
    expect(await finished).toMatchObject({ state: 'lost' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not lost when it is missing for half a minute during its run', async () => {
    const { source, store, hear } = trackedJob('running');
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
    const { source, store, hear } = trackedJob('running');
    hear(begin);
    await seconds(60);
    source.running = [];
    await seconds(44);
    expect(store.get(id)?.state).toBe('running');
    await seconds(15);
    expect(store.get(id)?.state).toBe('lost');
  });

  it('is tracked again if it was lost and reappears alive, and stays lost until it ends', async () => {
    const { source, tracker, store } = trackedJob();
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

  it('is not lost because the machine slept between two polls', async () => {
    const { source, store } = trackedJob('running');
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
    observeJobs(store, [stored('running'), stored('pending', 'gone')]);
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

describe('a server that answers and runs nothing', () => {
  it('is suspected when jobs wait and no running node was ever reported', async () => {
    const { source, tracker, hear } = trackedJob('running');
    source.pending = ['second'];
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
    const { source, tracker, hear } = trackedJob('running');
    source.pending = ['second'];
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
    const { source, tracker } = trackedJob('running');
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

  const lost = { kind: 'waiting', retryAt: 0, reason: 'The connection was lost.' } as const;

  it('counts as silent once its socket is lost and can not be opened again, whatever polls wait for', async () => {
    const { source, stream, tracker, hear } = trackedJob('running');
    hear(begin);
    await seconds(12);
    vi.spyOn(source, 'job').mockImplementation(() => new Promise(() => undefined));
    stream.refuses = nobody;
    stream.enter(lost);
    expect(tracker.state.silent).toBeUndefined();
    stream.enter({ kind: 'connecting' });
    stream.enter(lost);
    expect(tracker.state.silent).toBe(true);
    stream.enter({ kind: 'open' });
    expect(tracker.state.silent).toBeUndefined();
  });

  it('is not silent if only its socket is refused', async () => {
    const { stream, tracker } = trackedJob('running');
    await seconds(12);
    stream.refuses = nobody;
    stream.enter(lost);
    await seconds(1);
    stream.enter({ kind: 'connecting' });
    stream.enter(lost);
    expect(tracker.state.silent).toBeUndefined();
  });

  it('adds nothing to the time of a job that it has forgotten', async () => {
    const { source, store, hear } = trackedJob('running');
    hear(begin);
    await seconds(12);
    source.failure = nobody;
    await seconds(30);
    source.failure = undefined;
    source.running = [];
    await seconds(120);
    const { state, startedAt = 0, endedAt = 0 } = store.get(id) ?? {};
    expect(state).toBe('lost');
    expect(endedAt - startedAt).toBeLessThan(15_000);
  });

  it('has no such time if it never answered', async () => {
    const { source, stream, tracker } = trackedJob();
    source.failure = nobody;
    stream.refuses = nobody;
    await seconds(60);
    expect(tracker.state).toMatchObject({ silent: true });
    expect(tracker.state.heardAt).toBeUndefined();
  });

  it('is not silent if it answers with errors', async () => {
    const { source, tracker } = trackedJob();
    source.failure = new ServerError('It broke.', { reason: 'server', endpoint: 'GET /x', status: 500 });
    await seconds(60);
    expect([tracker.state.silent, tracker.state.trouble]).toEqual([undefined, source.failure]);
  });
});

describe('a laptop that sleeps', () => {
  it('does not make the server look stalled', async () => {
    const { source, tracker, hear } = trackedJob('running');
    source.pending = ['second'];
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
