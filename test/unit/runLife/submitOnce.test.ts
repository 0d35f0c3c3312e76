import { describe, expect, it, vi } from 'vitest';
import type { SubmissionAnswer } from '../../../src/core/client/submission';
import type { JobListing } from '../../../src/core/protocol/jobRecord';
import { readJobState } from '../../../src/core/protocol/jobStatus';
import { ServerError, type ServerErrorDetails } from '../../../src/core/protocol/serverError';
import { runToSendFrom } from '../../../src/core/runs/runWorkflow';
import { prepareRun } from '../../../src/core/runs/prepareRun';
import type { RunStage } from '../../../src/core/runLife/runStage';
import { submitOnce, type SubmittingSession } from '../../../src/core/runLife/submitOnce';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { start } from '../jobs/observations';
import { fakeTime } from '../jobs/trackerTime';

const promptText =
  '{"1":{"class_type":"EmptyImage","inputs":{}},"2":{"class_type":"SaveImage","inputs":{"images":["1",0]}}}';
const source = { workflow: WorkflowDocument.of(promptText), label: 'w.json' };
const prepared = prepareRun(source, { seeds: 'keep' }, {});
if (prepared.kind === 'refused') throw new Error(prepared.message);
const run = runToSendFrom({ ...prepared, choices: { seeds: 'keep', lookOut: 0 } });

const accepted: SubmissionAnswer = { kind: 'accepted', promptId: 'job', nodeErrors: {} };

function trouble(details: Omit<ServerErrorDetails, 'endpoint'>, message = 'No.'): ServerError {
  return new ServerError(message, { endpoint: 'POST /api/prompt', ...details });
}

function listing(id: string): JobListing {
  return { id, rawStatus: 'pending', status: readJobState('pending'), createdAt: start };
}

interface Server {
  /** What the posts are answered with, in turn; the last one repeats. */
  readonly answers: readonly (SubmissionAnswer | ServerError | 'never')[];
  readonly dialect?: 'cloud' | 'local';
  /** What a cloud server lists, by the key that was sent with it. */
  readonly jobs?: Readonly<Record<string, string | undefined>>;
  /** Each look for the job fails so. */
  readonly away?: ServerError;
  readonly known?: readonly string[];
}

/** A server that answers as told, and what reaches it. */
class Fake {
  readonly posts: string[] = [];
  readonly tracked: string[] = [];
  readonly stages: RunStage[] = [];
  readonly taken: string[] = [];
  readonly session: SubmittingSession;
  asked: (string | undefined)[] = [];

  constructor({ answers, dialect = 'cloud', jobs = {}, away, known = [] }: Server) {
    this.session = {
      origin: 'https://cloud.example',
      server: { id: 's', name: 'Cloud', url: 'https://cloud.example', kind: 'cloud' },
      clientId: '00000000-0000-4000-8000-000000000000',
      now: () => start,
      earliestNow: () => start,
      knownJobs: () => new Set(known),
      sentTextsOf: (id) => Promise.resolve({ runKey: jobs[id], promptText }),
      capabilities: () => Promise.resolve({ dialect, version: undefined }),
      client: {
        submit: (body, _key, signal) => {
          const answer = answers[Math.min(this.posts.length, answers.length - 1)];
          this.posts.push(body);
          if (answer === 'never') {
            return new Promise((_, reject) => {
              signal?.addEventListener('abort', () => reject(trouble({ reason: 'network' })));
            });
          }
          return answer instanceof ServerError || answer === undefined
            ? Promise.reject(answer ?? new Error('No answer.'))
            : Promise.resolve(answer);
        },
        job: (id) => {
          this.asked.push(id);
          if (away) return Promise.reject(away);
          return Promise.resolve(id in jobs ? { ...listing(id), outputs: [] } : undefined);
        },
        jobs: () => {
          this.asked.push(undefined);
          if (away) return Promise.reject(away);
          return Promise.resolve({ jobs: Object.keys(jobs).map(listing), hasMore: false });
        },
      },
      tracker: {
        submitted: (id, { leftOut }) => {
          this.tracked.push([id, ...(leftOut?.nodes ?? [])].join());
        },
      },
    } as SubmittingSession;
  }

  submit(signal = new AbortController().signal, more: object = {}): Promise<SubmissionAnswer> {
    return submitOnce(
      { ...run, ...more },
      this.session,
      (stage) => this.stages.push(stage),
      (id) => {
        this.taken.push(id);
        return Promise.resolve();
      },
      signal,
    );
  }
}

/** The error that the promise rejects with, once every wait is over. */
async function failure(work: Promise<unknown>): Promise<ServerError> {
  const caught = work.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  const error = await caught;
  if (!(error instanceof ServerError)) throw new Error(`Not an error of a server: ${String(error)}`);
  return error;
}

fakeTime();

describe('a prompt that the server takes', () => {
  it('is posted once, tracked, and reported as taken', async () => {
    const fake = new Fake({ answers: [accepted] });
    expect(await fake.submit()).toEqual(accepted);
    expect(fake).toMatchObject({ tracked: ['job'], taken: ['job'], asked: [] });
    expect(fake.posts).toHaveLength(1);
    expect(fake.stages).toEqual([{ kind: 'submitting' }]);
  });

  it('is sent once more after a refusal of client_id, and never a third time', async () => {
    const refused: SubmissionAnswer = {
      kind: 'refused',
      error: { message: 'Unknown member client_id' },
      nodeErrors: {},
      refusesClientId: true,
    };
    const fake = new Fake({ answers: [refused, accepted] });
    expect(await fake.submit()).toEqual(accepted);
    expect(fake.posts).toHaveLength(2);
    const stubborn = new Fake({ answers: [refused] });
    expect(await stubborn.submit()).toEqual(refused);
    expect(stubborn.posts).toHaveLength(2);
  });

  it('is tracked with what the server leaves out', async () => {
    const nodeErrors = { 2: { classType: 'SaveImage', errors: [], dependentOutputs: ['2'] } };
    const fake = new Fake({ answers: [{ ...accepted, nodeErrors }] });
    await fake.submit();
    expect(fake.tracked).toEqual(['job,2,1']);
  });
});

describe('an aborted run', () => {
  it('waits five seconds for the answer, then looks for the job once', async () => {
    const abort = new AbortController();
    const fake = new Fake({ answers: ['never'], jobs: { late: run.promptId } });
    const submitting = fake.submit(abort.signal);
    await vi.advanceTimersByTimeAsync(0);
    abort.abort(new DOMException('Enough.', 'AbortError'));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(fake.asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(await submitting).toMatchObject({ kind: 'accepted', promptId: 'late' });
    expect(fake.taken).toEqual(['late']);
    expect(fake.posts).toHaveLength(1);
  });

  it('says that nobody knows whether it started if the job is not found', async () => {
    const abort = new AbortController();
    const fake = new Fake({ answers: ['never'] });
    const submitting = fake.submit(abort.signal);
    await vi.advanceTimersByTimeAsync(0);
    abort.abort();
    const error = await failure(submitting);
    expect(error.message).toBe('Cancelled before the server responded. The run may have started.');
    expect(error).toMatchObject({ reason: 'network', endpoint: 'POST /api/prompt' });
    expect(error.nextAction).toContain('or you may pay twice');
    expect(error.cause).toBeInstanceOf(ServerError);
    expect(fake.asked).toHaveLength(1);
  });
});

describe('a server that asks to wait', () => {
  const busy = (retryAfter: number, reason: 'rateLimited' | 'queueFull' = 'rateLimited'): ServerError =>
    trouble({ reason, status: 429, retryAfter });

  it.each(['rateLimited', 'queueFull'] as const)('is asked again after it: %s', async (reason) => {
    const fake = new Fake({ answers: [busy(1.2, reason), accepted] });
    const submitting = fake.submit();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(fake.posts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await submitting).toEqual(accepted);
    expect(fake.stages).toEqual([
      { kind: 'submitting' },
      { kind: 'waiting', seconds: 2, of: 2 },
      { kind: 'waiting', seconds: 1, of: 2 },
      { kind: 'submitting' },
    ]);
  });

  it('is not waited for by a run that can go elsewhere', async () => {
    const fake = new Fake({ answers: [busy(1), accepted] });
    await failure(fake.submit(undefined, { neverWait: true }));
    expect(fake.posts).toHaveLength(1);
  });

  it('is asked at most six times', async () => {
    const fake = new Fake({ answers: [busy(1)] });
    expect(await failure(fake.submit())).toMatchObject({ reason: 'rateLimited' });
    expect(fake.posts).toHaveLength(6);
  });

  it.each([
    [300, 3],
    [301, 2],
    [601, 1],
  ])('is waited for at most ten minutes in all: %i s each', async (seconds, posts) => {
    const fake = new Fake({ answers: [busy(seconds)] });
    await failure(fake.submit());
    expect(fake.posts).toHaveLength(posts);
  });

  it.each([
    ['without a time', { reason: 'rateLimited', status: 429 }],
    ['for another reason', { reason: 'insufficientCredits', status: 429, retryAfter: 1 }],
    ['with another status', { reason: 'rateLimited', status: 403, retryAfter: 1 }],
  ] as const)('is not asked again %s', async (_, details) => {
    const fake = new Fake({ answers: [trouble(details)] });
    await failure(fake.submit());
    expect(fake.posts).toHaveLength(1);
    expect(fake.asked).toEqual([]);
  });
});

describe('a lost answer', () => {
  const lost = trouble({ reason: 'network' }, 'The connection was lost.');

  it.each([
    ['is lost', lost, { kind: 'lookingForJob' }],
    [
      'does not say which job it is',
      trouble({ reason: 'unexpectedShape', status: 200 }),
      { kind: 'lookingForJob', wasAnswered: true },
    ],
  ] as const)('that %s is not answered by posting again: its key finds the job', async (_, answer, stage) => {
    const fake = new Fake({ answers: [answer], jobs: { theirs: 'other', ours: run.promptId } });
    const submitting = fake.submit();
    await vi.runAllTimersAsync();
    expect(await submitting).toEqual({ kind: 'accepted', promptId: 'ours', nodeErrors: {} });
    expect(fake.posts).toHaveLength(1);
    expect(fake).toMatchObject({ tracked: ['ours'], taken: ['ours'] });
    expect(fake.stages).toContainEqual(stage);
  });

  it('is said to be unknown, with jobs that may be the one', async () => {
    const fake = new Fake({ answers: [lost], jobs: { twin: undefined } });
    const error = await failure(fake.submit());
    expect(error.message).toBe(
      "The connection was lost. The run hasn't appeared on the server yet, but it may still start. Job twin runs the same workflow, but Comfy Deck can't tell whether it's this run. Comfy Deck won't send it again automatically.",
    );
    expect(error.nextAction).toContain("Check the server's queue and history");
    expect(error).toMatchObject({ reason: 'network', cause: lost });
  });

  it('is certain when the server itself failed and lists no such job', async () => {
    const failed = trouble({ reason: 'server', status: 500, serverMessage: 'Boom', serverCode: 'X' });
    const error = await failure(new Fake({ answers: [failed] }).submit());
    expect(error.message).toBe(
      "No. The run is not in the list of jobs. Comfy Deck won't send it again automatically.",
    );
    expect(error).toMatchObject({ status: 500, serverMessage: 'Boom', serverCode: 'X' });
  });

  it.each([
    ['for as long as was chosen', lost, { lookOut: 20_000 }, 13_500],
    ['two minutes otherwise', lost, { lookOut: undefined }, 118_500],
    ['six seconds after an error', trouble({ reason: 'server', status: 500 }), { lookOut: 60_000 }, 5_500],
  ])('is looked for %s', async (_, answer, choices, until) => {
    const fake = new Fake({ answers: [answer] });
    await failure(fake.submit(undefined, choices));
    expect(Date.now() - start).toBe(until);
  });

  it("stays unknown when the server can't be asked either, and says what was lost first", async () => {
    const away = trouble({ reason: 'timeout' }, 'No answer to the list.');
    const error = await failure(new Fake({ answers: [lost], away }).submit());
    expect(error.message).toBe(
      "The connection was lost. The run may have started, so Comfy Deck won't send it again automatically.",
    );
    expect(error).toMatchObject({ reason: 'network', cause: lost });
  });

  it('is not looked for when nothing can have left this machine', async () => {
    const refused = trouble({ reason: 'network', cause: new Error('connect ECONNREFUSED') });
    const fake = new Fake({ answers: [refused] });
    expect(await failure(fake.submit())).toBe(refused);
    expect(fake.asked).toEqual([]);
  });
});
