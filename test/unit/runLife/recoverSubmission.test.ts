import { describe, expect, it } from 'vitest';
import { networkError } from '../../../src/core/client/networkError';
import { ServerError } from '../../../src/core/protocol/serverError';
import { findLostJob, mayHaveArrived, wasAnswered } from '../../../src/core/runLife/recoverSubmission';

function afterTrouble(code: string): boolean {
  const error = Object.assign(new Error('fetch failed'), { code });
  return mayHaveArrived(networkError(error, 'POST /api/prompt', 'http://127.0.0.1:8188/api/prompt'));
}

describe('a submission without an answer', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])('cannot have arrived after %s', (code) => {
    expect(afterTrouble(code)).toBe(false);
  });

  it.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'EHOSTUNREACH'])(
    'may have arrived after %s',
    (code) => {
      expect(afterTrouble(code)).toBe(true);
    },
  );

  it('may have arrived when the answer is too large to read, unless the server refuses it for its size', () => {
    const told = { reason: 'tooLarge', endpoint: 'POST /api/prompt' } as const;
    expect(mayHaveArrived(new ServerError('Too large.', told))).toBe(true);
    expect(mayHaveArrived(new ServerError('Too large.', { ...told, status: 413 }))).toBe(false);
  });

  it('has neither arrived nor been answered when it failed before it was sent, whatever the reason is called', () => {
    const own = Object.assign(new Error('No space.'), { reason: 'tooLarge', status: 500 });
    expect([mayHaveArrived(own), wasAnswered(own)]).toEqual([false, false]);
  });
});

describe('looking for the job of a lost answer', () => {
  const status = { state: 'pending', terminal: false, moving: false } as const;

  it.each([
    ['by its ID', 'sent'],
    ['in the list', undefined],
  ] as const)(
    'finds nothing, and does not claim that there is none, %s of an unknown queue',
    async (_, promptId) => {
      const assumed = { id: 'sent', rawStatus: 'pending', status, displayNodes: {}, events: [] };
      const looked = await findLostJob(
        {
          client: {
            job: () => Promise.resolve({ ...assumed, isAssumed: true }),
            jobs: () => Promise.resolve({ jobs: [], hasMore: false, queueUnknown: true }),
          },
          promptId,
          runKey: 'key',
          promptText: '{}',
          since: 1_790_000_000_000,
          isKnown: () => false,
          sentTextsOf: () => Promise.resolve(undefined),
          giveUpAfter: 0,
        },
        new AbortController().signal,
      );
      expect(looked).toEqual({ kind: 'notSeen', similar: [], sawAll: false, queueUnknown: true });
    },
  );

  it.each([
    ['ends before that time', { hasMore: true, createdAt: -60_000 }, false],
    ['reaches back behind that time', { hasMore: true, createdAt: -600_000 }, true],
    ['has no times', { hasMore: true, createdAt: undefined }, false],
    ['is the whole one', { hasMore: false, createdAt: undefined }, true],
  ] as const)('has seen all jobs since a time if the list %s', async (_, { hasMore, createdAt }, sawAll) => {
    const since = 1_790_000_000_000;
    const at = createdAt === undefined ? {} : { createdAt: since + createdAt };
    const looked = await findLostJob(
      {
        client: {
          job: () => Promise.reject(new Error('There is no id to ask with.')),
          jobs: () =>
            Promise.resolve({ jobs: [{ id: 'other', rawStatus: 'pending', status, ...at }], hasMore }),
        },
        promptId: undefined,
        runKey: 'key',
        promptText: '{}',
        since,
        isKnown: () => false,
        sentTextsOf: () => Promise.resolve({ runKey: 'other', promptText: '{}', workflowText: undefined }),
        giveUpAfter: 0,
      },
      new AbortController().signal,
    );
    expect(looked).toEqual({ kind: 'notSeen', similar: [], sawAll });
  });

  it.each([
    [-60_000, 'found'],
    [-600_000, 'notSeen'],
  ] as const)('when its time is from another machine of the service: %i ms, %s', async (byMs, kind) => {
    const since = 1_790_000_000_000;
    const status = { state: 'pending', terminal: false, moving: false } as const;
    const looked = await findLostJob(
      {
        client: {
          job: () => Promise.reject(new Error('There is no id to ask with.')),
          jobs: () =>
            Promise.resolve({
              jobs: [{ id: 'ours', rawStatus: 'pending', status, createdAt: since + byMs }],
              hasMore: false,
            }),
        },
        promptId: undefined,
        runKey: 'key',
        promptText: '{}',
        since,
        isKnown: () => false,
        sentTextsOf: () => Promise.resolve({ runKey: 'key', promptText: '{}', workflowText: undefined }),
        giveUpAfter: 0,
      },
      new AbortController().signal,
    );
    expect(looked.kind).toBe(kind);
  });
});
