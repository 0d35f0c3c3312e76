import { describe, expect, it, vi } from 'vitest';
import { networkError } from '../../../src/core/client/networkError';
import type { JobListing } from '../../../src/core/protocol/jobRecord';
import { readJobState } from '../../../src/core/protocol/jobStatus';
import { ServerError, type ServerErrorDetails } from '../../../src/core/protocol/serverError';
import {
  findLostJob,
  mayHaveArrived,
  wasAnswered,
  type LostSubmission,
} from '../../../src/core/runLife/recoverSubmission';
import { fakeTime } from '../jobs/trackerTime';

const endpoint = 'POST /api/prompt';
const since = 1_790_000_000_000;
const never = new AbortController().signal;

function trouble(details: Omit<ServerErrorDetails, 'endpoint'>): ServerError {
  return new ServerError('No.', { endpoint, ...details });
}

function job(id: string, more: Partial<JobListing> = {}): JobListing {
  return { id, rawStatus: 'pending', status: readJobState('pending'), createdAt: since, ...more };
}

/** A submission to a server that does not use our job ids; `jobs` is what it lists. */
function lost(jobs: readonly JobListing[], more: Partial<LostSubmission> = {}): LostSubmission {
  return {
    client: {
      job: () => Promise.reject(new Error('There is no id to ask with.')),
      jobs: () => Promise.resolve({ jobs, hasMore: false }),
    },
    promptId: undefined,
    runKey: 'ours',
    promptText: '{"seed": 18446744073709551615}',
    since,
    isKnown: () => false,
    sentTextsOf: (id) => Promise.resolve({ promptText: '{}', runKey: id }),
    giveUpAfter: 0,
    ...more,
  };
}

describe('after a submission failed', () => {
  it.each([
    ...(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'] as const).map((code) => [code, false] as const),
    ...(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'EHOSTUNREACH'] as const).map(
      (code) => [code, true] as const,
    ),
  ])('with %s: it may have arrived: %s', (code, arrived) => {
    const error = Object.assign(new Error('fetch failed'), { code });
    expect(mayHaveArrived(networkError(error, endpoint, 'http://127.0.0.1:8188/api/prompt'))).toBe(arrived);
  });

  it.each<[Omit<ServerErrorDetails, 'endpoint'>, boolean, boolean]>([
    [{ reason: 'network' }, true, false],
    [{ reason: 'timeout' }, true, false],
    [{ reason: 'certificate' }, false, false],
    [{ reason: 'unexpectedShape', status: 200 }, true, true],
    [{ reason: 'unexpectedShape' }, true, true],
    [{ reason: 'tooLarge' }, true, true],
    [{ reason: 'tooLarge', status: 413 }, false, true],
    [{ reason: 'badRequest', status: 400 }, false, false],
    [{ reason: 'rateLimited', status: 429 }, false, false],
    [{ reason: 'server', status: 500 }, true, true],
    [{ reason: 'server', status: 501 }, true, true],
    [{ reason: 'server', status: 502 }, true, false],
    [{ reason: 'server', status: 504 }, true, false],
  ])('with %j: it may have arrived: %s, and the server itself answered: %s', (details, arrived, answered) => {
    expect(mayHaveArrived(trouble(details))).toBe(arrived);
    expect(wasAnswered(trouble(details))).toBe(answered);
  });

  it('with an error of our own, nothing arrived and nobody answered', () => {
    const own = Object.assign(new Error('No space.'), { reason: 'tooLarge', status: 500 });
    expect([mayHaveArrived(own), wasAnswered(own)]).toEqual([false, false]);
  });
});

describe('a job that may be ours', () => {
  it('is the one that gives the key back', async () => {
    expect(await findLostJob(lost([job('other'), job('ours')]), never)).toEqual({
      kind: 'found',
      id: 'ours',
    });
  });

  it('is looked for by its id where one was sent', async () => {
    const client = {
      job: (id: string) => Promise.resolve({ ...job(id), displayNodes: {}, events: [] }),
      jobs: () => Promise.reject(new Error('There is an id to ask with.')),
    };
    expect(await findLostJob(lost([], { client, promptId: 'sent' }), never)).toEqual({
      kind: 'found',
      id: 'sent',
    });
  });

  it('is not there if the server does not know the id that was sent', async () => {
    const client = { ...lost([]).client, job: () => Promise.resolve(undefined) };
    const looked = await findLostJob(lost([], { client, promptId: 'sent' }), never);
    expect(looked).toEqual({ kind: 'notSeen', similar: [], sawAll: true });
  });

  it('cannot be told from others while the server does not say what they are', async () => {
    const sentTextsOf = () => Promise.reject(trouble({ reason: 'network' }));
    await expect(findLostJob(lost([job('a')], { sentTextsOf }), never)).rejects.toMatchObject({
      reason: 'network',
    });
  });

  it('is none that was known before', async () => {
    const looked = await findLostJob(lost([job('ours')], { isKnown: () => true }), never);
    expect(looked).toEqual({ kind: 'notSeen', similar: [], sawAll: true });
  });

  it.each([
    ['{"seed":18446744073709551615}', ['a']],
    ['{"seed":18446744073709551616}', []],
    ['no JSON', []],
  ])('is similar if it runs the same to the last digit and has no key: %s', async (promptText, similar) => {
    const sentTextsOf = () => Promise.resolve({ promptText });
    expect(await findLostJob(lost([job('a')], { sentTextsOf }), never)).toMatchObject({ similar });
  });

  it('is not similar if it has the key of another run', async () => {
    const sentTextsOf = () =>
      Promise.resolve({ promptText: '{"seed":18446744073709551615}', runKey: 'theirs' });
    expect(await findLostJob(lost([job('a')], { sentTextsOf }), never)).toMatchObject({ similar: [] });
  });

  it('that went while it was looked at is waited for no less than one that tells nothing', async () => {
    const gone = () => Promise.reject(trouble({ reason: 'notFound', status: 404 }));
    const search = new AbortController();
    const onWait = () => {
      search.abort(new Error('enough'));
    };
    const found = findLostJob(lost([job('a')], { sentTextsOf: gone, onWait }), search.signal);
    await expect(found).rejects.toThrow('enough');
  });
});

describe('looking for the job of a lost answer', () => {
  it.each([
    ['by its ID', 'sent'],
    ['in the list', undefined],
  ] as const)('finds nothing, and claims nothing, %s of an unknown queue', async (_, promptId) => {
    const client: LostSubmission['client'] = {
      job: () => Promise.resolve({ ...job('sent'), displayNodes: {}, events: [], isAssumed: true }),
      jobs: () => Promise.resolve({ jobs: [], hasMore: false, queueUnknown: true }),
    };
    const looked = await findLostJob(lost([], { client, promptId }), never);
    expect(looked).toEqual({ kind: 'notSeen', similar: [], sawAll: false, queueUnknown: true });
  });

  it.each([
    [-60_000, 'found'],
    [-600_000, 'notSeen'],
  ] as const)('when its time is from another machine of the service: %i ms, %s', async (byMs, kind) => {
    const looked = await findLostJob(lost([job('ours', { createdAt: since + byMs })]), never);
    expect(looked.kind).toBe(kind);
  });
});

describe('a list of jobs', () => {
  const seen = async (told: object, more: Partial<LostSubmission> = {}) => {
    const client = { ...lost([]).client, jobs: () => Promise.resolve({ jobs: [], hasMore: false, ...told }) };
    const looked = await findLostJob(lost([], { client, ...more }), never);
    return looked.kind === 'notSeen' && looked.sawAll;
  };
  const [recent, old] = [job('a'), job('b', { createdAt: since - 600_000 })];

  it.each([
    ['is whole', { jobs: [recent] }, true],
    ['goes on, and does not reach back to the submission', { jobs: [recent], hasMore: true }, false],
    ['goes on, and reaches back to before it', { jobs: [recent, old], hasMore: true }, true],
    ['tells no times', { jobs: [job('c', { createdAt: undefined })], hasMore: true }, false],
    ['has only those that live', { jobs: [recent], liveOnly: true }, false],
  ])('that %s: it shows all: %s', async (_, told, all) => {
    expect(await seen(told)).toBe(all);
  });

  it('shows all only if it reaches as far back as it has to', async () => {
    const told = { jobs: [recent, old], hasMore: true };
    expect(await seen(told, { reach: since - 3_600_000 })).toBe(false);
    expect(await seen(told, { since: undefined })).toBe(false);
  });
});

describe('looking again', () => {
  fakeTime();

  /** The waits until the search ended. */
  async function waitsOf(more: Partial<LostSubmission>): Promise<number[]> {
    const waits: number[] = [];
    const search = findLostJob(lost([], { ...more, onWait: (ms) => waits.push(ms) }), never);
    const ended = search.catch(() => undefined);
    await vi.runAllTimersAsync();
    await ended;
    return waits;
  }

  it('is done at growing distances, for as long as there is patience', async () => {
    expect(await waitsOf({ giveUpAfter: 90_000 })).toEqual([1_500, 4_000, 8_000, 15_000, 30_000, 30_000]);
    expect(await waitsOf({ giveUpAfter: 5_500 })).toEqual([1_500, 4_000]);
  });

  it('goes on for half an hour while a new job lives that tells nothing', async () => {
    const sentTextsOf = () => Promise.resolve(undefined);
    const client = lost([job('a')]).client;
    const waits = await waitsOf({ client, sentTextsOf, giveUpAfter: 0 });
    const total = waits.reduce((sum, ms) => sum + ms, 0);
    expect(total).toBeLessThanOrEqual(1_800_000);
    expect(total).toBeGreaterThan(1_800_000 - 30_000);
  });

  it('reads no job twice that was submitted by another', async () => {
    const sentTextsOf = vi.fn(() => Promise.resolve({ promptText: '{}', runKey: 'theirs' }));
    await waitsOf({ client: lost([job('a')]).client, sentTextsOf, giveUpAfter: 20_000 });
    expect(sentTextsOf).toHaveBeenCalledTimes(1);
  });

  it('goes on when one look fails, and fails if the last one does', async () => {
    let looks = 0;
    const flaky = (works: (look: number) => boolean): LostSubmission['client'] => ({
      ...lost([]).client,
      jobs: () =>
        works(looks++)
          ? Promise.resolve({ jobs: [job('ours')], hasMore: false })
          : Promise.reject(trouble({ reason: 'network' })),
    });
    const found = findLostJob(lost([], { client: flaky((look) => look > 1), giveUpAfter: 20_000 }), never);
    await vi.runAllTimersAsync();
    expect(await found).toEqual({ kind: 'found', id: 'ours' });
    const failed = findLostJob(lost([], { client: flaky(() => false), giveUpAfter: 20_000 }), never);
    const rejected = expect(failed).rejects.toMatchObject({ reason: 'network' });
    await vi.runAllTimersAsync();
    await rejected;
  });

  it('ends at once with an error that is not the server’s', async () => {
    const jobs = vi.fn(() => Promise.reject(new Error('our own')));
    const client = { ...lost([]).client, jobs };
    const failed = findLostJob(lost([], { client, giveUpAfter: 20_000 }), never);
    const rejected = expect(failed).rejects.toThrow('our own');
    await vi.runAllTimersAsync();
    await rejected;
    expect(jobs).toHaveBeenCalledTimes(1);
  });
});
