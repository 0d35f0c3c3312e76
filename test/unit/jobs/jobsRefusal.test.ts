import { describe, expect, it } from 'vitest';
import { refusalError } from '../../../src/core/protocol/refusal';
import { jobsRefusal } from '../../../src/core/jobs/jobsRefusal';
import { ServerError } from '../../../src/core/protocol/serverError';

const stream = { kind: 'open' } as const;
const answered = (status: number) =>
  refusalError({ endpoint: 'GET /api/jobs', status, bodyText: '', contentType: 'application/json' });

describe('a server that refuses to tell about its jobs', () => {
  it.each([
    [401, 'key', /^Sign in/],
    [402, 'payment', /credits and subscription/],
    [403, 'permission', /permissions/],
  ])('answers %i: what is missing is a %s', (status, missing, nextAction) => {
    const refusal = jobsRefusal({ stream, stopped: status !== 402, trouble: answered(status) });
    expect(refusal?.missing).toBe(missing);
    expect(refusal?.nextAction).toMatch(nextAction);
    expect(refusal?.problem).toContain(String(status));
  });

  it('names what is denied where the server has no words for it', () => {
    expect(jobsRefusal({ stream, stopped: true, trouble: answered(403) })?.problem).toBe(
      'The server denies access to its jobs (status 403).',
    );
  });

  it('still refuses when another request failed since', () => {
    const trouble = new ServerError('Nobody answers.', { reason: 'network', endpoint: 'GET /api/queue' });
    expect(jobsRefusal({ stream, stopped: true, trouble })?.missing).toBe('permission');
  });

  it('is none that fails, is silent or answers', () => {
    expect(jobsRefusal({ stream, stopped: false, trouble: answered(500) })).toBeUndefined();
    expect(jobsRefusal({ stream, stopped: false })).toBeUndefined();
  });
});
