import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SubmissionAnswer } from '../../../src/core/client/submission';
import { ServerError, type ServerErrorDetails } from '../../../src/core/protocol/serverError';
import { submitOwed, type RunToOwe, type SubmissionCallbacks } from '../../../src/core/runs/owedRun';
import type { PreparedRun } from '../../../src/core/runs/preparedRun';
import type { SubmittingSession } from '../../../src/core/runLife/submitOnce';
import { promptFromText } from '../../../src/core/workflow/prompt';
import { placesInPrompt } from '../../../src/core/workflow/promptPlaces';
import { origin, start } from '../jobs/observations';

const accepted: SubmissionAnswer = { kind: 'accepted', promptId: 'job', nodeErrors: {} };
const refused: SubmissionAnswer = {
  kind: 'refused',
  error: { type: 'prompt_no_outputs', message: 'no', details: '', extraInfo: {} },
  nodeErrors: {},
};

function trouble(details: Omit<ServerErrorDetails, 'endpoint'>): ServerError {
  return new ServerError('No.', { endpoint: 'POST /api/prompt', ...details });
}

const prompt = promptFromText('{}');
const run: PreparedRun = {
  kind: 'prepared',
  choices: { seeds: 'keep', targets: ['9'], lookOut: 0 },
  promptId: 'key',
  prompt,
  places: placesInPrompt(prompt),
  promptText: '{}',
  edits: [],
  origin,
  media: [],
  partnerNodes: [],
  findings: [],
  checked: true,
};

/** A server that answers each submission with the next of these, and lists no jobs; records the events in order. */
function submission(...answers: readonly (SubmissionAnswer | Error)[]) {
  const happened: string[] = [];
  const note = (what: string): Promise<void> => {
    happened.push(what);
    return Promise.resolve();
  };
  const left = [...answers];
  const written: RunToOwe[] = [];
  const sent: unknown[] = [];
  const session: SubmittingSession = {
    origin: 'http://server',
    server: { id: 'server', name: 'server', url: 'http://server' },
    clientId: '00000000-0000-4000-8000-000000000000',
    now: () => start,
    earliestNow: () => start,
    capabilities: () => Promise.resolve({ dialect: 'local', version: '0.33.0' }),
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
    tracker: {
      submitted: (id, { label }) => void happened.push(`known ${id} of ${label}`),
      cancel: (id) => note(`cancelled ${id}`).then(() => 'cancelled' as const),
    },
  };
  const owe = (run: RunToOwe) => {
    written.push(run);
    happened.push('owed');
    return Promise.resolve({
      taken: (id: string) => note(`taken ${id}`),
      notTaken: () => note('not taken'),
      unclear: () => note('unclear'),
    });
  };
  const stage: SubmissionCallbacks['stage'] = (each) =>
    void happened.push('seconds' in each ? `${each.kind} ${each.seconds}` : each.kind);
  return { session, owe, stage, happened, written, sent };
}

async function outcome(signal: AbortSignal, ...answers: readonly (SubmissionAnswer | Error)[]) {
  const { session, owe, stage, happened } = submission(...answers);
  const ended = submitOwed(run, session, { owe, stage }, signal).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { happened, ended: await ended };
}

const never = new AbortController().signal;
const busy = trouble({ reason: 'rateLimited', status: 429, retryAfter: 2 });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a run', () => {
  it('is written down with all that is sent, before it is sent', async () => {
    const { session, owe, stage, happened, written } = submission(accepted);
    await submitOwed(run, session, { owe, stage }, never);
    expect(happened).toEqual(['owed', 'submitting', 'posted', 'known job of portrait.json', 'taken job']);
    expect(written).toEqual([
      {
        server: 'http://server',
        serverKind: 'local',
        serverVersion: '0.33.0',
        promptId: 'key',
        promptText: '{}',
        workflowText: undefined,
        targets: ['9'],
        inputs: [],
        warnings: [],
        origin,
        sentAt: start,
      },
    ]);
  });

  it.each([
    ['local', { prompt_id: 'key', extra_data: { preview_method: 'auto', comfy_deck_run: 'key' } }],
    ['cloud', { extra_data: { comfy_deck_run: 'key' } }],
  ] as const)(
    'is sent with its key, and to a %s server with what only such servers read',
    async (dialect, own) => {
      const { session, owe, stage, sent } = submission(accepted);
      const capabilities = () => Promise.resolve({ dialect });
      await submitOwed(run, { ...session, capabilities }, { owe, stage }, never);
      const common = { prompt: {}, client_id: session.clientId, partial_execution_targets: ['9'] };
      expect(sent).toEqual([{ ...common, ...own }]);
    },
  );

  it('is not sent if it cannot be written down', async () => {
    const { session, stage, happened } = submission(accepted);
    const owe = () => Promise.reject(new Error('disk full'));
    await expect(submitOwed(run, session, { owe, stage }, never)).rejects.toThrow('disk full');
    expect(happened).toEqual([]);
  });

  it('that is given up before it is sent is not owed', async () => {
    expect((await outcome(AbortSignal.abort(), accepted)).happened).toEqual(['owed', 'not taken']);
  });

  it('that is given up while the server takes it is cancelled there, and stays owed as that job', async () => {
    const stop = new AbortController();
    const { session, owe, happened } = submission(accepted);
    const stage = () => {
      stop.abort(new Error('enough'));
    };
    await expect(submitOwed(run, session, { owe, stage }, stop.signal)).rejects.toThrow('enough');
    expect(happened).toEqual(['owed', 'posted', 'known job of portrait.json', 'taken job', 'cancelled job']);
  });

  it.each<SubmissionAnswer>([accepted, refused])(
    'that nobody writes down is sent all the same: %j',
    async (answer) => {
      const { session, stage } = submission(answer);
      expect(await submitOwed(run, session, { stage }, never)).toBe(answer);
    },
  );

  it('is not owed if the server refuses it', async () => {
    expect((await outcome(never, refused)).happened).toEqual(['owed', 'submitting', 'posted', 'not taken']);
  });

  it.each([
    { reason: 'unauthorized', status: 401 } as const,
    { reason: 'rateLimited', status: 429 } as const,
    { reason: 'certificate' } as const,
  ])('is not owed after %j', async (details) => {
    const error = trouble(details);
    const { happened, ended } = await outcome(never, error);
    expect(happened).toEqual(['owed', 'submitting', 'posted', 'not taken']);
    expect(ended).toBe(error);
  });

  it.each([{ reason: 'network' } as const, { reason: 'server', status: 502 } as const])(
    'stays owed, and is not sent again, after %j',
    async (details) => {
      const { happened, ended } = await outcome(never, trouble(details));
      expect(happened).toEqual(['owed', 'submitting', 'posted', 'lookingForJob', 'unclear']);
      expect(ended).toMatchObject({
        reason: details.reason,
        message: expect.stringMatching(/may still start\. Comfy Deck won't send it again/) as string,
      });
    },
  );
});

describe('a server that asks to wait', () => {
  it('is asked again when it said so', async () => {
    expect((await outcome(never, busy, accepted)).happened).toEqual([
      'owed',
      'submitting',
      'posted',
      'waiting 2',
      'waiting 1',
      'submitting',
      'posted',
      'known job of portrait.json',
      'taken job',
    ]);
  });

  it('has not taken a run that is given up while it waits', async () => {
    const stop = new AbortController();
    const { session, owe, stage, happened } = submission(busy, accepted);
    const ended = submitOwed(run, session, { owe, stage }, stop.signal).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(500);
    stop.abort(new Error('enough'));
    expect(await ended).toMatchObject({ message: 'enough' });
    expect(happened).toEqual(['owed', 'submitting', 'posted', 'waiting 2', 'not taken']);
  });

  it('is asked six times at most', async () => {
    const { happened, ended } = await outcome(never, ...Array<Error>(9).fill(busy));
    expect(happened.filter((what) => what === 'posted')).toHaveLength(6);
    expect(ended).toBe(busy);
  });

  it.each([
    [600, 2],
    [601, 1],
  ])('for %i seconds is asked %i times', async (retryAfter, times) => {
    const full = trouble({ reason: 'queueFull', status: 429, retryAfter });
    const { happened } = await outcome(never, full, refused);
    expect(happened.filter((what) => what === 'posted')).toHaveLength(times);
  });

  it.each<Omit<ServerErrorDetails, 'endpoint'>>([
    { reason: 'rateLimited', status: 429 },
    { reason: 'insufficientCredits', status: 429, retryAfter: 2 },
    { reason: 'badRequest', status: 400, retryAfter: 2 },
  ])('without a time, or for what waiting does not mend, is not asked again: %j', async (details) => {
    const { happened } = await outcome(never, trouble(details), accepted);
    expect(happened).toEqual(['owed', 'submitting', 'posted', 'not taken']);
  });
});
