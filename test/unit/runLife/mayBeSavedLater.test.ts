import { describe, expect, it } from 'vitest';
import { mayBeSavedLater } from '../../../src/core/runLife/mayBeSavedLater';
import { OutputError } from '../../../src/core/outputs/outputError';
import { OutputsNotSavedError } from '../../../src/core/runLife/outputsNotSaved';
import { ServerError } from '../../../src/core/protocol/serverError';

const refused = (reason: 'notFound' | 'unauthorized' | 'network') =>
  new ServerError('No.', { reason, endpoint: 'GET /api/view' });

describe('outputs that could not be saved', () => {
  it('may be saved later when the cause is temporary: a connection, a sign-in, a full disk', () => {
    expect(mayBeSavedLater(refused('network'))).toBe(true);
    expect(mayBeSavedLater(refused('unauthorized'))).toBe(true);
    expect(mayBeSavedLater(new OutputError('The disk is full.', 'diskFull'))).toBe(true);
  });

  it.each([
    'network',
    'certificate',
    'timeout',
    'server',
    'rateLimited',
    'unauthorized',
    'forbidden',
  ] as const)('may be saved later when the server answers with %s', (reason) => {
    expect(mayBeSavedLater(new ServerError('No.', { reason, endpoint: 'GET /api/view' }))).toBe(true);
  });

  it.each(['diskFull', 'notWritable', 'missing', 'tooMany', 'tooSlow', 'broken'] as const)(
    'may be saved later when the folder or the download is %s',
    (reason) => {
      expect(mayBeSavedLater(new OutputError('No.', reason))).toBe(true);
    },
  );

  it('are gone for a reason that nobody knows', () => {
    expect(mayBeSavedLater(new Error('network'))).toBe(false);
  });

  it('are gone when the server has none of them, or only ones that are rejected', () => {
    const gone = { error: refused('notFound') };
    expect(mayBeSavedLater(new OutputsNotSavedError([], [gone, gone]))).toBe(false);
    expect(mayBeSavedLater(new OutputError('Too large.', 'tooLarge'))).toBe(false);
    expect(mayBeSavedLater(new OutputsNotSavedError([], [gone, { error: refused('network') }]))).toBe(true);
  });
});
