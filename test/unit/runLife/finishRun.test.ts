import { describe, expect, it } from 'vitest';
import { commandPorts } from '../../../src/cli/commandRuns';
import type { Trouble } from '../../../src/cli/commandProblem';
import type { RunReport } from '../../../src/cli/runReport';
import { ServerError } from '../../../src/core/protocol/serverError';
import { finishRun } from '../../../src/core/runLife/takeUpRun';
import { RunLeft } from '../../../src/core/runLife/run';
import { Secrets } from '../../../src/core/safety/secrets';
import { MemoryFolder } from '../outputs/memoryFolder';
import { calm, followedRun, jobThat } from './followedRun';

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
  const own = { folder: new MemoryFolder(), isSandbox: false, temporaryToo: false };
  const world = await followedRun(commandPorts(own, new Secrets(), report));
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
    expect(await ended).toMatchObject({ kind: 'owed', why: 'notFollowed' });
    expect(said).toEqual([]);
    expect(run.record.state).toBe('submitted');
  });
});
