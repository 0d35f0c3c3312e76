import { describe, expect, it } from 'vitest';
import { commandPorts } from '../../../src/cli/commandPorts';
import type { Trouble } from '../../../src/cli/commandProblem';
import type { RunReport } from '../../../src/cli/runReport';
import type { Job } from '../../../src/core/jobs/job';
import type { TrackerState } from '../../../src/core/jobs/trackerState';
import { ServerError } from '../../../src/core/protocol/serverError';
import { finishRun, type FollowingSession } from '../../../src/core/runLife/finishRun';
import { OwnedRun } from '../../../src/core/runLife/ownedRun';
import { RunLeft } from '../../../src/core/runLife/runEnd';
import { Secrets } from '../../../src/core/safety/secrets';
import { origin, start } from '../jobs/observations';
import { MemoryFolder } from '../outputs/memoryFolder';

const calm: TrackerState = { stream: { kind: 'closed' }, stopped: false };
const unreachable = new ServerError('Nothing is listening at http://127.0.0.1:1.', {
  reason: 'network',
  endpoint: 'GET /api/queue',
});

const cancelled: Job = {
  id: 'the-job',
  server: 'http://127.0.0.1:1',
  state: 'cancelled',
  nodes: {},
  outputs: [],
  texts: [],
  blocked: [],
  cancelling: false,
};

/** A run of the command line whose job ends only when it is cancelled, and the messages to the user. */
async function world(giveUpAfter?: number) {
  const said: string[] = [];
  const listeners = new Set<(state: TrackerState) => void>();
  let state = calm;
  let ended: Job | undefined;
  const ctrlC = new AbortController();
  const nothing = (): void => undefined;
  const defaults = commandPorts({
    folder: new MemoryFolder(),
    secrets: new Secrets(),
    isSandbox: false,
    temporaryToo: false,
    report: {
      say: (text: string) => said.push(text),
      trouble: ({ message, nextAction }: Trouble) => said.push(`${message} ${nextAction}`),
      queue: (length: number) => said.push(`queue of ${length}`),
      ...{ stage: nothing, accepted: nothing, job: nothing, blocked: nothing, texts: nothing },
      ...{ saving: nothing, saved: nothing, temporary: nothing },
    } as Partial<RunReport> as RunReport,
  });
  const ports = giveUpAfter === undefined ? defaults : { ...defaults, giveUpAfter };
  const tracker: Pick<
    FollowingSession['tracker'],
    'state' | 'onDidChangeState' | 'finished' | 'cancel' | 'known' | 'whenRunning'
  > = {
    get state() {
      return state;
    },
    onDidChangeState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    finished: (_id, signal) =>
      new Promise((resolve, reject) => {
        if (ended) resolve(ended);
        if (signal?.aborted) reject(signal.reason as Error);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    cancel: () => {
      if (state.trouble) return Promise.reject(state.trouble);
      ended = cancelled;
      return Promise.resolve('cancelled');
    },
    known: () => ended,
    whenRunning: () => nothing,
  };
  const run = await OwnedRun.begin(
    {
      promptId: 'key',
      promptText: '{}',
      workflowText: undefined,
      targets: [],
      origin,
      inputs: [],
      warnings: [],
    },
    {
      origin: 'http://127.0.0.1:1',
      now: () => start,
      capabilities: () => Promise.resolve({ dialect: 'local', version: undefined, history: true }),
    },
    ports,
  );
  await run.accepted('the-job');
  const session = { tracker } as unknown as FollowingSession;
  const change = (next: TrackerState): void => {
    state = next;
    for (const listener of listeners) listener(next);
  };
  const finish = () => finishRun(run, session, ports, ctrlC.signal);
  return { finish, run, said, change, ctrlC, listeners };
}

describe('following a run on the command line', () => {
  it("passes on the length of the server's queue", async () => {
    const { finish, said, change, ctrlC } = await world();
    const ended = finish();
    change({ ...calm, queueLength: 3 });
    change(calm);
    ctrlC.abort();
    expect(await ended).toMatchObject({ kind: 'cancelled' });
    expect(said).toEqual(['queue of 3', 'The job was cancelled on the server.']);
  });

  it('says once that the server is gone, and once that it is back', async () => {
    const { finish, said, change, ctrlC } = await world();
    const ended = finish();
    change({ ...calm, trouble: unreachable });
    change({ ...calm, trouble: new Error('still') });
    change(calm);
    ctrlC.abort();
    await ended;
    expect(said).toEqual([
      'Nothing is listening at http://127.0.0.1:1. Waiting for the server. The job may still be running.',
      'The server is back.',
      'The job was cancelled on the server.',
    ]);
  });

  it('leaves it owed when the server stays away', async () => {
    const { finish, run, change, listeners } = await world(5);
    const ended = finish();
    change({ ...calm, trouble: unreachable });
    expect(await ended).toMatchObject({ kind: 'owed', why: 'serverAway' });
    expect(run.record.state).toBe('submitted');
    expect(listeners.size).toBe(0);
  });

  it('says when Ctrl-C does not reach the server', async () => {
    const { finish, said, change, ctrlC } = await world();
    const ended = finish();
    change({ ...calm, trouble: unreachable });
    ctrlC.abort();
    expect(await ended).toMatchObject({ kind: 'owed' });
    expect(said.at(-1)).toBe(
      "The job couldn't be cancelled: Nothing is listening at http://127.0.0.1:1. Job the-job may still be running. Cancel it on the server.",
    );
  });

  it('says once that there is no progress', async () => {
    const { finish, said, change, ctrlC } = await world();
    const ended = finish();
    change({ ...calm, suspectedHang: { quietFor: 120_000 } });
    change({ ...calm, suspectedHang: { quietFor: 120_000 } });
    ctrlC.abort();
    await ended;
    expect(said.filter((text) => text.startsWith("The server isn't making progress"))).toHaveLength(1);
  });

  it('leaves the job alone when its owner only leaves', async () => {
    const { finish, run, said, ctrlC } = await world();
    const ended = finish();
    ctrlC.abort(new RunLeft());
    expect(await ended).toMatchObject({ kind: 'owed', why: 'left' });
    expect(said).toEqual([]);
    expect(run.record.state).toBe('submitted');
  });
});
