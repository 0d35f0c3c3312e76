import { describe, expect, it } from 'vitest';
import { OutputError } from '../../../src/core/outputs/outputError';
import { ServerError } from '../../../src/core/protocol/serverError';
import {
  mayBeSavedLater,
  notSavedWhy,
  OutputsNotSavedError,
  notSavedSentence,
} from '../../../src/core/runLife/outputsNotSaved';
import { made } from './followedRun';

const file = made('a.png');
const saved = { file, name: 'a.png', location: 'memory:/a.png', bytes: 9, sha256: 'hash' };
const full = new OutputError('The disk is full.', 'diskFull');
const refused = new ServerError('The key was refused.', {
  reason: 'unauthorized',
  endpoint: 'GET /api/view',
  status: 401,
});

it('outputs that are not saved have the reason and the next action of the first', () => {
  expect(new OutputsNotSavedError([], [{ file, error: full }])).toMatchObject({
    reason: 'diskFull',
    cause: full,
    message: full.message,
    nextAction: full.nextAction,
  });
  const [first, second] = [
    { file, error: refused },
    { file, error: full },
  ] as const;
  expect(new OutputsNotSavedError([], [first, second])).toMatchObject({
    reason: 'broken',
    cause: refused,
    nextAction: refused.nextAction,
  });
});

it('they are counted from two on, next to those that are saved', () => {
  const one = { file, error: full };
  const words = (...args: ConstructorParameters<typeof OutputsNotSavedError>) =>
    new OutputsNotSavedError(...args).message;
  expect(words([saved], [one])).toBe('The disk is full. 1 output saved.');
  // A record that could not be written either is no output.
  expect(words([], [one, { error: full }])).toBe('The disk is full.');
  expect(words([], [one, one, { error: full }])).toBe("The disk is full. 2 outputs couldn't be saved.");
  expect(words([saved, saved], [one, one])).toBe(
    "The disk is full. 2 outputs couldn't be saved. 2 outputs saved.",
  );
});

it('something that isn’t an error has a message, too', () => {
  expect(notSavedSentence('odd')).toBe("An output couldn't be saved.");
  expect(notSavedSentence(full)).toBe('The disk is full.');
});

it('a record gets the reason of a folder or a server, and no words', () => {
  expect([full, refused, new Error('odd')].map(notSavedWhy)).toEqual(['diskFull', 'unauthorized', 'other']);
});

const answered = (reason: 'notFound' | 'unauthorized' | 'network') =>
  new ServerError('No.', { reason, endpoint: 'GET /api/view' });

describe('outputs that could not be saved', () => {
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
    const gone = { error: answered('notFound') };
    expect(mayBeSavedLater(new OutputsNotSavedError([], [gone, gone]))).toBe(false);
    expect(mayBeSavedLater(new OutputError('Too large.', 'tooLarge'))).toBe(false);
    expect(mayBeSavedLater(new OutputsNotSavedError([], [gone, { error: answered('network') }]))).toBe(true);
  });
});
