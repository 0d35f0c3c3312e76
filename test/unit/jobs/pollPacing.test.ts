import { describe, expect, it } from 'vitest';
import { isShutOut, nextPoll } from '../../../src/core/jobs/serverWatch';
import { ServerError } from '../../../src/core/protocol/serverError';

const pace = { socketOpen: false, failures: 0, random: () => 0.5 };
const busyFor = (retryAfter: number) =>
  new ServerError('Busy.', { reason: 'rateLimited', endpoint: 'GET /api/queue', retryAfter });
const busy = busyFor(90);

describe('the pace of polling', () => {
  it.each([
    [{ ...pace, socketOpen: true, random: () => 0 }, 5_000],
    [{ ...pace, socketOpen: true, random: () => 1 }, 10_000],
    [pace, 2_000],
    [{ ...pace, failures: 1, random: () => 1 }, 4_000],
    [{ ...pace, failures: 3, random: () => 1 }, 16_000],
    [{ ...pace, failures: 99, random: () => 1 }, 60_000],
    [{ ...pace, failures: 1, trouble: busy }, 90_000],
    [{ ...pace, failures: 1, trouble: busyFor(99_999_999_999) }, 300_000],
  ])('depends on what is known', (known, ms) => {
    expect(nextPoll(known)).toBe(ms);
  });

  it('stops only when the server refuses access', () => {
    const error = (reason: 'unauthorized' | 'forbidden' | 'server') =>
      new ServerError('No.', { reason, endpoint: '' });
    expect(
      [error('unauthorized'), error('forbidden'), error('server'), new Error('x')].map(isShutOut),
    ).toEqual([true, true, false, false]);
  });
});
