import { describe, expect, it } from 'vitest';
import { refusalError } from '../../../src/core/protocol/refusal';
import { jobsRefusal } from '../../../src/core/jobs/jobsRefusal';
import { ServerError } from '../../../src/core/protocol/serverError';

const stream = { kind: 'open' } as const;
const answered = (status: number) =>
  refusalError({ endpoint: 'GET /api/jobs', status, bodyText: '', contentType: 'application/json' });

describe('a server that refuses access to its jobs', () => {
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
