import { describe, expect, it, vi } from 'vitest';
import { followRun, finishRun } from '../../../src/core/runLife/finishRun';
import type { RunEvent } from '../../../src/core/runLife/ownedRun';
import { fakeTime, seconds } from '../jobs/trackerTime';
import { calm, FakeTracker, jobThat, followedRun } from './followedRun';
import { commandPorts } from '../../../src/cli/commandPorts';
import type { Trouble } from '../../../src/cli/commandReport';
import type { RunReport } from '../../../src/cli/runReport';
import { ServerError } from '../../../src/core/protocol/serverError';
import { RunLeft } from '../../../src/core/runLife/runEnd';
import { Secrets } from '../../../src/core/safety/secrets';
import { MemoryFolder } from '../outputs/memoryFolder';

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

  it('tells at once, and at each change, how the server is', () => {
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

const unreachable = new ServerError('Nothing is listening at http://127.0.0.1:1.', {
  reason: 'network',
  endpoint: 'GET /api/queue',
});

/** A run of the command line whose job ends only when it is cancelled, and the messages to the user. */
async function followed() {
  const said: string[] = [];
  const nothing = (): void => undefined;
  const report = {
    say: (text: string) => said.push(text),
    trouble: ({ message, nextAction }: Trouble) => said.push(`${message} ${nextAction}`),
    queue: (length: number) => said.push(`queue of ${length}`),
    ...{ stage: nothing, accepted: nothing, job: nothing, blocked: nothing, texts: nothing },
    ...{ saving: nothing, saved: nothing, temporary: nothing },
  } as Partial<RunReport> as RunReport;
  const options = { secrets: new Secrets(), isSandbox: false, temporaryToo: false, report };
  const world = await followedRun(commandPorts({ ...options, folder: new MemoryFolder() }));
  await world.run.accepted('the-job');
  const ctrlC = new AbortController();
  const { tracker } = world;
  tracker.cancels = () => {
    if (tracker.state.trouble) return Promise.reject(tracker.state.trouble);
    tracker.end(jobThat('cancelled'));
    return Promise.resolve('cancelled');
  };
  const ended = finishRun(world.run, world.session, world.ports, ctrlC.signal);
  return { ended, said, ctrlC, run: world.run, change: tracker.change.bind(tracker) };
}

describe('following a run on the command line', () => {
  it("passes on the length of the server's queue", async () => {
    const { ended, said, change, ctrlC } = await followed();
    change({ ...calm, queueLength: 3 });
    change(calm);
    ctrlC.abort();
    expect(await ended).toMatchObject({ kind: 'cancelled' });
    expect(said).toEqual(['queue of 3', 'The job was cancelled on the server.']);
  });

  it('says once that the server is gone, that it is back, and that there is no progress', async () => {
    const { ended, said, change, ctrlC } = await followed();
    change({ ...calm, trouble: unreachable });
    change({ ...calm, trouble: new Error('still') });
    change(calm);
    for (let time = 0; time < 2; time++) change({ ...calm, suspectedHang: { quietFor: 120_000 } });
    ctrlC.abort();
    await ended;
    expect(said).toEqual([
      'Nothing is listening at http://127.0.0.1:1. Waiting for the server. The job may still be running.',
      'The server is back.',
      expect.stringMatching(/^The server isn't making progress/),
      'The job was cancelled on the server.',
    ]);
  });

  it('says when Ctrl-C does not reach the server', async () => {
    const { ended, said, change, ctrlC } = await followed();
    change({ ...calm, trouble: unreachable });
    ctrlC.abort();
    expect(await ended).toMatchObject({ kind: 'owed' });
    expect(said.at(-1)).toBe(
      "The job couldn't be cancelled: Nothing is listening at http://127.0.0.1:1. Job the-job may still be running. Cancel it on the server.",
    );
  });

  it('leaves the job alone when its owner only leaves', async () => {
    const { ended, run, said, ctrlC } = await followed();
    ctrlC.abort(new RunLeft());
    expect(await ended).toMatchObject({ kind: 'owed', why: 'left' });
    expect(said).toEqual([]);
    expect(run.record.state).toBe('submitted');
  });
});
