import { describe, expect, it } from 'vitest';
import { waitForEnd, type Waiting } from '../../../src/cli/waitForEnd';
import type { Job } from '../../../src/core/jobs/job';
import type { TrackerState } from '../../../src/core/jobs/trackerState';
import { ServerError } from '../../../src/core/protocol/serverError';

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

/** A tracker of a job that ends only when it is cancelled, and the messages to the user. */
function world(patience?: number) {
  const said: string[] = [];
  const listeners = new Set<(state: TrackerState) => void>();
  let state = calm;
  let ended: Job | undefined;
  const ctrlC = new AbortController();
  const waiting: Waiting = {
    jobId: 'the-job',
    signal: ctrlC.signal,
    patience,
    report: {
      say: (text) => said.push(text),
      trouble: ({ message, nextAction }) => said.push(`${message} ${nextAction}`),
      queue: (length) => said.push(`queue of ${length}`),
    },
    tracker: {
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
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      cancel: () => {
        if (state.trouble) return Promise.reject(state.trouble);
        ended = cancelled;
        return Promise.resolve('cancelled');
      },
    },
  };
  const change = (next: TrackerState): void => {
    state = next;
    for (const listener of listeners) listener(next);
  };
  return { waiting, said, change, ctrlC, listeners };
}

describe('waiting for a job on the command line', () => {
  it("passes on the length of the server's queue", async () => {
    const { waiting, said, change, ctrlC } = world();
    const ended = waitForEnd(waiting).catch((error: unknown) => error);
    change({ ...calm, queueLength: 3 });
    change(calm);
    ctrlC.abort();
    await ended;
    expect(said).toEqual(['queue of 3', 'The job was cancelled on the server.']);
  });

  it('says once that the server is gone, and once that it is back', async () => {
    const { waiting, said, change, ctrlC } = world();
    const ended = waitForEnd(waiting).catch((error: unknown) => error);
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

  it('ends when the server stays away, and says what to do about the job', async () => {
    const { waiting, change, listeners } = world(5);
    const ended = waitForEnd(waiting);
    change({ ...calm, trouble: unreachable });
    await expect(ended).rejects.toMatchObject({
      message: "The server didn't come back.",
      nextAction: 'Job the-job may still be running. When the server is back, check it before you run again.',
    });
    expect(listeners.size).toBe(0);
  });

  it('says when Ctrl-C does not reach the server', async () => {
    const { waiting, said, change, ctrlC } = world();
    const ended = waitForEnd(waiting).catch(() => undefined);
    change({ ...calm, trouble: unreachable });
    ctrlC.abort();
    await ended;
    expect(said.at(-1)).toBe(
      "The job couldn't be cancelled: Nothing is listening at http://127.0.0.1:1. Job the-job may still be running. Cancel it on the server.",
    );
  });

  it('says once that there is no progress', async () => {
    const { waiting, said, change, ctrlC } = world();
    const ended = waitForEnd(waiting).catch(() => undefined);
    change({ ...calm, suspectedHang: { quietFor: 120_000 } });
    change({ ...calm, suspectedHang: { quietFor: 120_000 } });
    ctrlC.abort();
    await ended;
    expect(said.filter((text) => text.startsWith("The server isn't making progress"))).toHaveLength(1);
  });
});
