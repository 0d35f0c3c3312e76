import { describe, expect, it } from 'vitest';
import { ServerError } from '../../../src/core/protocol/serverError';
import type { RunOutcome } from '../../../src/core/runs/runWorkflow';
import type { Dialect } from '../../../src/sandbox/dialect';
import { sandboxForTest } from '../../support/sandboxFixture';
import { asksOf, picture, run, sandboxSession, sessionWith } from '../runs/runFixture';

const dialects: readonly Dialect[] = ['cloud', 'local', 'local-old'];

/** Why nobody knows whether it was accepted. */
async function failureOf(work: Promise<RunOutcome>): Promise<ServerError> {
  const outcome = await work;
  const error = outcome.kind === 'unknown' ? outcome.error : undefined;
  if (!(error instanceof ServerError)) throw new Error('no ServerError', { cause: error });
  return error;
}

describe.each(dialects)('a run whose answer was lost (%s)', (dialect) => {
  it("is found even if someone else's identical run came just before it", async () => {
    const sandbox = await sandboxForTest({ dialect });
    const other = await run(sessionWith(sandbox).session, picture, asksOf());
    sandbox.faults.set('loseAnswer', { times: 1 });
    const own = await run(sessionWith(sandbox).session, picture, asksOf());
    if (own.kind !== 'submitted' || other.kind !== 'submitted') throw new Error(own.kind);
    expect(own.jobId).not.toBe(other.jobId);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(2);
  });

  it("is never someone else's identical run", async () => {
    const sandbox = await sandboxForTest({ dialect });
    await run(sessionWith(sandbox).session, picture, asksOf());
    sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'badGateway' });
    const lost = await failureOf(run(sessionWith(sandbox).session, picture, asksOf(), { lookOut: 0 }));
    expect(lost.message).toContain("hasn't appeared on the server yet, but it may still start.");
    expect(lost.message).not.toContain('not started');
    expect(lost.nextAction).toContain('before you run it again');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(2);
  });

  it('is found when a gateway passes it on later', async () => {
    const sandbox = await sandboxForTest({ dialect });
    sandbox.faults.set('deliverLate', { afterMs: 700, times: 1 });
    const asks = asksOf();
    const { session } = sessionWith(sandbox);
    const outcome = await run(session, picture, asks, { lookOut: 10_000 });
    expect(outcome.kind).toBe('submitted');
    expect(asks.asked.filter((stage) => stage === 'lookingForJob').length).toBeGreaterThan(1);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
  });

  it.each([3_600_000, -3_600_000])('is found when the clocks differ by %i ms', async (byMs) => {
    const sandbox = await sandboxForTest({ dialect });
    sandbox.faults.set('wrongClock', { byMs });
    sandbox.faults.set('loseAnswer', { times: 1 });
    const { session } = sessionWith(sandbox);
    expect((await run(session, picture, asksOf(), { lookOut: 0 })).kind).toBe('submitted');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
  });

  it("stays unknown when the server can't be reached either", async () => {
    const { sandbox, session } = await sandboxSession({ dialect });
    await session.capabilities();
    sandbox.faults.set('loseAnswer', { times: 1 });
    for (const path of ['/jobs*', '/queue', '/history*']) {
      sandbox.faults.set('answer', { method: 'GET', path, kind: 'internal' });
    }
    const lost = await failureOf(run(session, picture, asksOf(), { lookOut: 0 }));
    expect(lost.message).toContain('The run may have started');
  });
});

it('lists jobs with the same prompt and no known submitter', async () => {
  const sandbox = await sandboxForTest();
  const foreign = await fetch(`${sandbox.url}/api/prompt`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ prompt: picture }),
  });
  const { prompt_id: id } = (await foreign.json()) as { prompt_id: string };
  sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'gatewayTimeout' });
  const lost = await failureOf(run(sessionWith(sandbox).session, picture, asksOf(), { lookOut: 0 }));
  expect(lost.message).toContain(
    `Job ${id} runs the same workflow, but Comfy Deck can't tell whether it's this run`,
  );
});
