import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Submission, SubmissionAnswer } from '../../../src/core/client/submission';
import { ServerError, type ServerErrorDetails } from '../../../src/core/protocol/serverError';
import { submitOwed, type RunToOwe } from '../../../src/core/runs/owedRun';
import type { SubmissionPlan } from '../../../src/core/runs/submitOnce';
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

/** A server that answers each submission with the next of these, and lists no jobs; what happens, in order. */
function submission(...answers: readonly (SubmissionAnswer | Error)[]) {
  const happened: string[] = [];
  const note = (what: string): Promise<void> => {
    happened.push(what);
    return Promise.resolve();
  };
  const left = [...answers];
  const written: RunToOwe[] = [];
  const sent: Submission[] = [];
  const plan: SubmissionPlan = {
    session: {
      origin: 'http://server',
      server: { id: 'server', name: 'server', url: 'http://server' },
      clientId: '00000000-0000-4000-8000-000000000000',
      now: () => start,
      earliestNow: () => start,
      capabilities: () => Promise.resolve({ dialect: 'local' }),
      knownJobs: () => new Set(),
      sentTextsOf: () => Promise.resolve(undefined),
      client: {
        submit: (prompt) => {
          sent.push(prompt);
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
    },
    promptText: '{}',
    promptId: 'key',
    partnerKey: undefined,
    targets: ['9'],
    origin,
    lookOut: 0,
    stage: (stage) => void happened.push('seconds' in stage ? `${stage.kind} ${stage.seconds}` : stage.kind),
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
  return { plan, owe, happened, written, sent };
}

async function outcome(signal: AbortSignal, ...answers: readonly (SubmissionAnswer | Error)[]) {
  const { plan, owe, happened } = submission(...answers);
  const ended = submitOwed(plan, owe, signal).catch((error: unknown) => error);
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
    const { plan, owe, happened, written } = submission(accepted);
    await submitOwed(plan, owe, never);
    expect(happened).toEqual(['owed', 'submitting', 'posted', 'known job of portrait.json', 'taken job']);
    expect(written).toEqual([
      {
        server: 'http://server',
        promptId: 'key',
        promptText: '{}',
        workflowText: undefined,
        targets: ['9'],
        origin,
        sentAt: start,
      },
    ]);
  });

  it.each([
    ['local', { promptId: 'key', extraData: { preview_method: 'auto', comfy_deck_run: 'key' } }],
    ['cloud', { extraData: { comfy_deck_run: 'key' } }],
  ] as const)(
    'is sent with its key, and to a %s server with what only such servers read',
    async (dialect, own) => {
      const { plan, owe, sent } = submission(accepted);
      const session = { ...plan.session, capabilities: () => Promise.resolve({ dialect }) };
      await submitOwed({ ...plan, session }, owe, never);
      const common = { promptText: '{}', clientId: plan.session.clientId };
      expect(sent).toEqual([{ ...common, ...own, partialTargets: ['9'] }]);
    },
  );

  it('is not sent if it cannot be written down', async () => {
    const { plan, happened } = submission(accepted);
    const full = () => Promise.reject(new Error('disk full'));
    await expect(submitOwed(plan, full, never)).rejects.toThrow('disk full');
    expect(happened).toEqual([]);
  });

  it('that is given up before it is sent is not owed', async () => {
    expect((await outcome(AbortSignal.abort(), accepted)).happened).toEqual(['owed', 'not taken']);
  });

  it('that is given up while the server takes it is cancelled there, and stays owed as that job', async () => {
    const stop = new AbortController();
    const { plan, owe, happened } = submission(accepted);
    const stage: SubmissionPlan['stage'] = () => {
      stop.abort(new Error('enough'));
    };
    await expect(submitOwed({ ...plan, stage }, owe, stop.signal)).rejects.toThrow('enough');
    expect(happened).toEqual(['owed', 'posted', 'known job of portrait.json', 'taken job', 'cancelled job']);
  });

  it.each<SubmissionAnswer>([accepted, refused])(
    'that nobody writes down is sent all the same: %j',
    async (answer) => {
      const { plan } = submission(answer);
      expect(await submitOwed(plan, undefined, never)).toBe(answer);
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
        message: expect.stringMatching(/may still start there\. It will not be sent again/) as string,
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
    const { plan, owe, happened } = submission(busy, accepted);
    const ended = submitOwed(plan, owe, stop.signal).catch((error: unknown) => error);
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
