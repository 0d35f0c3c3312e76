import { describe, expect, it } from 'vitest';
import { isShutOut, type JobStream, nextPoll, StreamOpener } from '../../../src/core/jobs/serverWatch';
import { ServerError } from '../../../src/core/protocol/serverError';
import { refusalError } from '../../../src/core/protocol/refusal';
import { jobsRefusal } from '../../../src/core/jobs/jobsRefusal';

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
    const errors = [error('unauthorized'), error('forbidden'), error('server'), new Error('x')];
    expect(errors.map(isShutOut)).toEqual([true, true, false, false]);
  });
});

function stream(): { stream: JobStream; calls: string[] } {
  const calls: string[] = [];
  const told = (what: string) => () => {
    calls.push(what);
    return Promise.resolve();
  };
  return { stream: { state: { kind: 'closed' }, open: told('open'), close: told('close') }, calls };
}

describe('the socket', () => {
  it('opens once for two runs that start while it is being closed', async () => {
    const { stream: socket, calls } = stream();
    const opener = new StreamOpener(socket);
    await opener.open();
    void opener.close();
    await Promise.all([opener.open(true), opener.open(true)]);
    expect(calls).toEqual(['open', 'close', 'open']);
  });

  it('does not open for a run that has ended by then', async () => {
    const { stream: socket, calls } = stream();
    const opener = new StreamOpener(socket);
    const opening = opener.open();
    void opener.close();
    await expect(opening).rejects.toThrow('The socket is no longer needed.');
    expect(calls).toEqual(['close']);
  });
});

describe('a server that refuses access to its jobs', () => {
  const stream = { kind: 'open' } as const;
  const answered = (status: number) =>
    refusalError({ endpoint: 'GET /api/jobs', status, bodyText: '', contentType: 'application/json' });

  it.each([
    [401, 'key', /^Sign in/],
    [402, 'payment', /credits and subscription/],
    [403, 'permission', /permissions/],
  ])('answers %i: the missing thing is a %s', (status, missing, nextAction) => {
    const refusal = jobsRefusal({ stream, stopped: status !== 402, trouble: answered(status) });
    expect(refusal?.missing).toBe(missing);
    expect(refusal?.nextAction).toMatch(nextAction);
    expect(refusal?.problem).toContain(String(status));
  });

  it('is described in our words when it gives none', () => {
    expect(jobsRefusal({ stream, stopped: true, trouble: answered(403) })?.problem).toBe(
      'The server denied access to its jobs (status 403).',
    );
  });

  it('still refuses after another request failed', () => {
    const trouble = new ServerError('Nobody answers.', { reason: 'network', endpoint: 'GET /api/queue' });
    expect(jobsRefusal({ stream, stopped: true, trouble })?.missing).toBe('permission');
  });

  it('is not one that fails, is silent or answers', () => {
    expect(jobsRefusal({ stream, stopped: false, trouble: answered(500) })).toBeUndefined();
    expect(jobsRefusal({ stream, stopped: false })).toBeUndefined();
  });
});
