import { describe, expect, it, vi } from 'vitest';
import { followRun } from '../../../src/core/runLife/takeUpRun';
import type { RunEvent } from '../../../src/core/runLife/ownedRun';
import { fakeTime, seconds } from '../jobs/trackerTime';
import { calm, FakeTracker, jobThat } from './followedRun';

const away = { ...calm, trouble: new Error('No answer.') };
const never = new AbortController().signal;

/** A job that is followed, and how that ended: undefined as long as it has not. */
function following(giveUpAfter: number, tracker = new FakeTracker(), signal = never) {
  const told: RunEvent[] = [];
  let ended: unknown;
  const note = (outcome: unknown): void => {
    ended = outcome;
  };
  const on = (event: RunEvent): void => void told.push(event);
  void followRun(tracker, 'job', { giveUpAfter, on }, signal).then(note, note);
  return { tracker, told, ended: () => ended };
}

fakeTime();

describe('following a job', () => {
  it('ends with the job, and leaves nothing behind', async () => {
    const { tracker, ended } = following(60_000);
    tracker.change(away);
    tracker.end(jobThat('completed'));
    await seconds(0);
    expect(ended()).toBe(tracker.job);
    expect(tracker.listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports the state of the server at once, and at each change', () => {
    const { tracker, told } = following(60_000);
    tracker.change(away);
    tracker.change(calm);
    const state = (each: unknown) => ({ kind: 'server', state: each });
    expect(told).toEqual([state(calm), state(away), state(calm)]);
  });

  it('gives up once the server was away for as long as it may be', async () => {
    const { tracker, ended } = following(60_000);
    await seconds(600);
    tracker.change(away);
    await seconds(55);
    expect(ended()).toBeUndefined();
    await seconds(5);
    expect(ended()).toMatchObject({ name: 'ServerGone', message: 'No answer.', cause: away.trouble });
  });

  it('counts from when the server went, whatever else it says', async () => {
    const { tracker, ended } = following(60_000);
    tracker.change(away);
    await seconds(40);
    tracker.change({ ...away, trouble: new Error('Still none.') });
    await seconds(20);
    expect(ended()).toMatchObject({ name: 'ServerGone' });
  });

  it('counts a server that was away before', async () => {
    const tracker = new FakeTracker();
    tracker.state = away;
    const { ended } = following(60_000, tracker);
    await seconds(60);
    expect(ended()).toMatchObject({ name: 'ServerGone' });
  });

  it('begins to count anew once the server was back', async () => {
    const { tracker, ended } = following(60_000);
    tracker.change(away);
    await seconds(50);
    tracker.change(calm);
    expect(vi.getTimerCount()).toBe(0);
    await seconds(50);
    tracker.change(away);
    await seconds(50);
    expect(ended()).toBeUndefined();
    await seconds(10);
    expect(ended()).toMatchObject({ name: 'ServerGone' });
  });

  it('does not count while the machine sleeps', async () => {
    const { tracker, ended } = following(60_000);
    tracker.change(away);
    await seconds(10);
    vi.setSystemTime(Date.now() + 3_600_000);
    await seconds(45);
    expect(ended()).toBeUndefined();
    await seconds(10);
    expect(ended()).toMatchObject({ name: 'ServerGone' });
  });

  it('never gives up if it is not to', async () => {
    const { tracker, ended } = following(Number.POSITIVE_INFINITY);
    tracker.change(away);
    await seconds(3_600);
    expect(ended()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });
});
