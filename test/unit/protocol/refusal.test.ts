import { describe, expect, it } from 'vitest';
import { refusalError, refusalReason, retryAfterSeconds } from '../../../src/core/protocol/refusal';
import type { ServerErrorReason } from '../../../src/core/protocol/serverError';

const reasons: readonly (readonly [number, string | undefined, string | undefined, ServerErrorReason])[] = [
  [400, undefined, undefined, 'badRequest'],
  [401, undefined, undefined, 'unauthorized'],
  [402, undefined, undefined, 'insufficientCredits'],
  [402, 'CLOUD_SUBSCRIPTION_REQUIRED', undefined, 'subscription'],
  [402, 'FREE_TIER_EXHAUSTED', undefined, 'subscription'],
  [403, 'PARTNER_NODE_DISABLED', undefined, 'forbidden'],
  [404, undefined, undefined, 'notFound'],
  [413, undefined, undefined, 'tooLarge'],
  [422, undefined, undefined, 'badRequest'],
  [429, 'QUEUE_LIMIT', undefined, 'queueFull'],
  [429, 'queue_full', undefined, 'queueFull'],
  [429, 'PAYMENT_REQUIRED', undefined, 'insufficientCredits'],
  [429, 'PARTNER_NODE_PAYMENT_REQUIRED', undefined, 'insufficientCredits'],
  [429, 'FREE_TIER_NOT_ALLOWED', undefined, 'subscription'],
  [429, 'FREE_TIER_UNAVAILABLE', undefined, 'rateLimited'],
  [429, undefined, 'User has no active subscription', 'subscription'],
  [429, undefined, undefined, 'rateLimited'],
  [451, undefined, undefined, 'forbidden'],
  [500, undefined, undefined, 'server'],
  [503, undefined, undefined, 'server'],
];

describe('the reason of a refusal', () => {
  it.each(reasons)('of %s, %s, %s is %s', (status, code, message, reason) => {
    expect(refusalReason(status, code, message)).toBe(reason);
  });
});

describe('the error that users read', () => {
  const error = (status: number, bodyText: string, more = {}) =>
    refusalError({ endpoint: 'POST /api/prompt', status, bodyText, ...more });

  it('names no problems to fix where the server reported none', () => {
    expect(error(400, '').nextAction).toBe('Check the server log for the reason.');
    expect(error(400, '<html></html>').nextAction).toBe('Check the server log for the reason.');
    expect(error(400, '{"error":"No outputs"}').nextAction).toBe(
      'Fix the reported problems, then run again.',
    );
  });

  it("contains the server's message and a next step", () => {
    const full = error(
      429,
      '{"error":{"type":"QUEUE_LIMIT","message":"Maximum queued jobs limit reached (10 jobs)"}}',
      { retryAfter: '12' },
    );
    expect(full.message).toBe("Your account's queue is full: Maximum queued jobs limit reached (10 jobs).");
    expect(full).toMatchObject({
      reason: 'queueFull',
      serverCode: 'QUEUE_LIMIT',
      status: 429,
      retryAfter: 12,
      endpoint: 'POST /api/prompt',
    });
    expect(full.nextAction).toMatch(/Wait for/);
  });

  it('contains the status when there is no message', () => {
    expect(error(502, '<html><h1>Bad gateway</h1></html>').message).toBe('The server failed (status 502).');
    expect(error(400, '').message).toBe('The server rejected the request (status 400).');
  });

  it("suggests a next step when the reason alone doesn't", () => {
    expect(error(451, '').nextAction).toMatch(/prompt or the image/);
    expect(error(403, '{"error":{"type":"PARTNER_NODE_DISABLED","message":"Off"}}').nextAction).toMatch(
      /partner nodes/,
    );
  });
});

describe('a 429 that says nothing', () => {
  const silent = (endpoint: string, more = {}) =>
    refusalError({ endpoint, status: 429, bodyText: '', isCloud: true, ...more });

  it.each(['POST /api/prompt', 'GET /api/view', 'GET /api/object_info'])(
    'from a cloud means a limit or the subscription: %s',
    (endpoint) => {
      expect(silent(endpoint)).toMatchObject({ reason: 'rateLimited', lasts: true });
      expect(silent(endpoint).nextAction).toMatch(/subscription (is )?inactive/);
    },
  );

  it('is a rate limit on a local server, or if the server says when to come again', () => {
    for (const more of [{ isCloud: false }, { retryAfter: '3' }])
      expect(silent('GET /api/view', more)).toMatchObject({
        lasts: false,
        message: expect.stringContaining('rate-limiting') as string,
      });
  });
});

it('reads both forms of Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(retryAfterSeconds('7', now)).toBe(7);
  expect(retryAfterSeconds('Thu, 01 Jan 2026 00:00:09 GMT', now)).toBe(9);
  expect(retryAfterSeconds('Thu, 01 Jan 2020 00:00:00 GMT', now)).toBe(0);
  expect(retryAfterSeconds('soon', now)).toBeUndefined();
  expect(retryAfterSeconds(null, now)).toBeUndefined();
});
