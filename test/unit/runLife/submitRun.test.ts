import { describe, expect, it, vi } from 'vitest';
import type { SubmissionAnswer } from '../../../src/core/client/submission';
import { ServerError, type ServerErrorDetails } from '../../../src/core/protocol/serverError';
import { OutputError } from '../../../src/core/outputs/outputError';
import { FolderNotUsableError } from '../../../src/core/outputs/checkFolder';
import { readRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import type { OwningSession } from '../../../src/core/runLife/ownedRun';
import { RunLeft } from '../../../src/core/runLife/run';
import type { RunToSend } from '../../../src/core/runLife/runToSend';
import type { SubmittingSession } from '../../../src/core/runLife/submitOnce';
import { MemoryFolder } from '../outputs/memoryFolder';
import { portsInMemory } from './followedRun';
import { origin, start } from '../jobs/observations';
import { fakeTime } from '../jobs/trackerTime';

const accepted: SubmissionAnswer = { kind: 'accepted', promptId: 'job', nodeErrors: {} };
const refused: SubmissionAnswer = {
  kind: 'refused',
  error: { type: 'prompt_no_outputs', message: 'no', details: '', extraInfo: {} },
  nodeErrors: {},
};

function trouble(details: Omit<ServerErrorDetails, 'endpoint'>): ServerError {
  return new ServerError('No.', { endpoint: 'POST /api/prompt', ...details });
}

const run: RunToSend = {
  promptId: 'key',
  promptText: '{}',
  workflowText: undefined,
  targets: ['9'],
  origin,
  inputs: [],
  warnings: [],
  lookOut: 0,
};

/** A server that answers each submission with the next of these, and lists no jobs; records the events in order. */
function submission(...answers: readonly (SubmissionAnswer | Error)[]) {
  const happened: string[] = [];
  const note = (what: string): Promise<void> => {
    happened.push(what);
    return Promise.resolve();
  };
  const left = [...answers];
  const sent: unknown[] = [];
  const folder = new MemoryFolder();
  const session: SubmittingSession & OwningSession = {
    origin: 'http://server',
    server: { id: 'server', name: 'server', url: 'http://server' },
    clientId: '00000000-0000-4000-8000-000000000000',
    now: () => start,
    earliestNow: () => start,
    capabilities: () => Promise.resolve({ dialect: 'local', version: '0.33.0', history: true }),
    knownJobs: () => new Set(),
    sentTextsOf: () => Promise.resolve(undefined),
    client: {
      submit: (body) => {
        sent.push(JSON.parse(body));
        happened.push('posted');
        const answer = left.shift();
        return answer && !(answer instanceof Error)
          ? Promise.resolve(answer)
          : Promise.reject(answer ?? new Error('Posted too often.'));
      },
      job: () => Promise.resolve(undefined),
      jobs: () => Promise.resolve({ jobs: [], hasMore: false }),
    },
    tracker: { submitted: (id, { label }) => void happened.push(`known ${id} of ${label}`) },
  };
  const ports = portsInMemory({
    folder,
    pointers: {
      put: ({ jobId }) => note(jobId === undefined ? 'owed' : `accepted ${jobId}`),
      remove: () => note('not accepted'),
    },
    on: (event) => {
      if (event.kind !== 'stage') return;
      const { stage } = event;
      happened.push('seconds' in stage ? `${stage.kind} ${stage.seconds}` : stage.kind);
    },
  });
  const record = (): RunRecord | undefined => {
    const [bytes] = [...folder.files].filter(([name]) => name.endsWith('.run.json')).map(([, file]) => file);
    return bytes && readRunRecord(Buffer.from(bytes).toString());
  };
  return { session, ports, folder, record, happened, sent };
}

async function outcome(signal: AbortSignal, ...answers: readonly (SubmissionAnswer | Error)[]) {
  const { session, ports, happened, record } = submission(...answers);
  const ended = ports.runs.send(run, session, ports, signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(600_000);
  return { happened, ended: await ended, record: record() };
}

const never = new AbortController().signal;
const busy = trouble({ reason: 'rateLimited', status: 429, retryAfter: 2 });

fakeTime();

it('a run is left to whoever sent it', async () => {
  const { session, ports } = submission(accepted);
  const sent = await ports.runs.send(run, session, ports, never);
  if (sent.kind !== 'submitted') expect.fail(sent.kind);
  const { record } = sent.owned.place;
  for (const each of [1, 2])
    expect(
      await ports.runs.resume(record, ports, () => Promise.resolve(undefined), never),
      String(each),
    ).toBe('locked');
});

describe('a run', () => {
  it('is written down with all that is sent, before it is sent', async () => {
    const { session, ports, happened, record } = submission(accepted);
    await ports.runs.send(run, session, ports, never);
    expect(happened).toEqual(['owed', 'submitting', 'posted', 'known job of portrait.json', 'accepted job']);
    expect(record()).toMatchObject({
      state: 'submitted',
      job: 'job',
      server: 'http://server',
      serverKind: 'local',
      serverVersion: '0.33.0',
      promptId: 'key',
      promptText: '{}',
      targets: ['9'],
      label: 'portrait.json',
      sentAt: new Date(start).toISOString(),
    });
  });

  it('is not sent if it cannot be written down', async () => {
    const { session, ports, folder, happened } = submission(accepted);
    folder.room = 0;
    await expect(ports.runs.send(run, session, ports, never)).rejects.toBeInstanceOf(FolderNotUsableError);
    expect(happened).toEqual([]);
  });

  it('that is given up before it is sent is not written down', async () => {
    expect((await outcome(AbortSignal.abort(), accepted)).happened).toEqual([]);
  });

  it('that is given up while the server accepts it is that job, for its owner to cancel', async () => {
    const stop = new AbortController();
    const { session, ports, happened } = submission(accepted);
    const on = () => stop.abort(new Error('enough'));
    expect(await ports.runs.send(run, session, { ...ports, on }, stop.signal)).toMatchObject({
      kind: 'submitted',
      jobId: 'job',
    });
    expect(happened).toEqual(['owed', 'posted', 'known job of portrait.json', 'accepted job']);
  });

  it('whose owner leaves while it is on its way arrives all the same', async () => {
    const stop = new AbortController();
    const { session, ports } = submission(busy, accepted);
    const on = () => stop.abort(new RunLeft());
    const ended = ports.runs.send(run, session, { ...ports, on }, stop.signal);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await ended).toMatchObject({ kind: 'submitted', jobId: 'job' });
  });

  it('that is refused has the reasons of the server, is not owed, and leaves no record', async () => {
    const nodeErrors = { 9: { classType: 'SaveImage', errors: [], dependentOutputs: ['9'] } };
    const { ended, record, happened } = await outcome(never, { ...refused, nodeErrors });
    expect(happened).toEqual(['owed', 'submitting', 'posted', 'not accepted']);
    expect(ended).toEqual({ kind: 'refused', error: refused.error, nodeErrors });
    expect(record).toBeUndefined();
  });

  it('that is given up while it is written down is not sent, and leaves no record', async () => {
    const stop = new AbortController();
    const { session, ports, record, sent } = submission(accepted);
    const put = (): Promise<void> => {
      stop.abort(new Error('enough'));
      return Promise.resolve();
    };
    const pointers = { put, remove: () => Promise.resolve() };
    await expect(ports.runs.send(run, session, { ...ports, pointers }, stop.signal)).rejects.toThrow(
      'enough',
    );
    expect(sent).toEqual([]);
    expect(record()).toBeUndefined();
  });

  it('that the server accepted is owed whatever fails then', async () => {
    const { session, ports, record } = submission(accepted);
    const later = trouble({ reason: 'unauthorized', status: 401 });
    const put = ({ jobId }: { readonly jobId: string | undefined }) =>
      jobId === undefined ? Promise.resolve() : Promise.reject(later);
    const pointers = { put, remove: () => Promise.resolve() };
    const ended = await ports.runs.send(run, session, { ...ports, pointers }, never);
    expect(ended).toMatchObject({ kind: 'unknown', error: later });
    expect(record()).toMatchObject({ state: 'submitted', job: 'job' });
  });

  it.each([
    { reason: 'unauthorized', status: 401 } as const,
    { reason: 'rateLimited', status: 429 } as const,
    { reason: 'certificate' } as const,
  ])('is not owed after %j', async (details) => {
    const error = trouble(details);
    const { happened, ended } = await outcome(never, error);
    expect(happened).toEqual(['owed', 'submitting', 'posted', 'not accepted']);
    expect(ended).toBe(error);
  });

  it.each([{ reason: 'network' } as const, { reason: 'server', status: 502 } as const])(
    'stays owed, and is not sent again, after %j',
    async (details) => {
      const { happened, ended, record } = await outcome(never, trouble(details));
      expect(happened).toEqual(['owed', 'submitting', 'posted', 'lookingForJob']);
      expect(record).toMatchObject({ state: 'sending' });
      expect(ended).toMatchObject({
        kind: 'unknown',
        error: {
          reason: details.reason,
          message: expect.stringMatching(/may still start\. Comfy Deck won't send it again/) as string,
        },
      });
    },
  );
});

describe('a run that another program took', () => {
  it('before it was sent is not sent', async () => {
    const { session, ports, happened } = submission(accepted);
    const requireOwn = () => Promise.reject(new OutputError('Taken.', 'taken'));
    await expect(ports.runs.send(run, session, { ...ports, requireOwn }, never)).rejects.toThrow('Taken.');
    expect(happened).not.toContain('posted');
  });

  it('while the server asked to wait, with this machine asleep, is not sent again', async () => {
    const { session, ports, happened } = submission(busy, accepted);
    let asked = 0;
    const requireOwn = () =>
      ++asked > 1 ? Promise.reject(new OutputError('Taken.', 'taken')) : Promise.resolve();
    const ended = ports.runs
      .send(run, session, { ...ports, requireOwn }, never)
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await ended).toMatchObject({ reason: 'taken' });
    expect(happened.filter((each) => each === 'posted')).toHaveLength(1);
  });
});

it('a server that asks to wait has not accepted a run that is given up while it waits', async () => {
  const stop = new AbortController();
  const { session, ports, happened } = submission(busy, accepted);
  const ended = ports.runs.send(run, session, ports, stop.signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(500);
  stop.abort(new Error('enough'));
  expect(await ended).toMatchObject({ message: 'enough' });
  expect(happened).toEqual(['owed', 'submitting', 'posted', 'waiting 2', 'not accepted']);
});
