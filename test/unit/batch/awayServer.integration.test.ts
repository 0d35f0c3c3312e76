import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { rowCredits, rowsToRun } from '../../../src/core/batch/batchRow';
import { runPrice } from '../../../src/core/jobs/runPrice';
import { sandboxForTest } from '../../support/sandboxFixture';
import { sandboxSession, sessionWith } from '../runs/runFixture';
import { BatchWorld, serverOf } from './batchFixture';

const never = new AbortController().signal;
/** Much longer than a test may take. */
const giveUpAfter = 600_000;

/** A server that is switched off, at an address where nothing answers. */
async function offServer() {
  const sandbox = await sandboxForTest({ dialect: 'local' });
  const known = sessionWith(sandbox);
  await sandbox.close();
  return known;
}

describe('a server that is away', () => {
  it('is not waited for once the others have done all rows', async () => {
    const off = await offServer();
    const good = await sandboxSession({ dialect: 'local' });
    const world = await BatchWorld.open({ '1.color': '1..4' });
    const told: string[] = [];
    const run = await world.run([serverOf(off.session, 'off'), serverOf(good.session, 'good')], {
      giveUpAfter,
      onServer: (server, state) => told.push(`${server} is ${state}`),
    });
    expect(await run.go(never)).toEqual({ why: 'done', message: '' });
    expect(run.counts).toMatchObject({ saved: 4 });
    expect(told).toEqual(['off is away']);
  });

  it('is left alone for as long as it asks', async () => {
    const limited = await sandboxForTest({ dialect: 'local' });
    const good = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const answer = { method: 'POST', path: '/prompt', kind: 'rateLimited', retryAfter: 600 } as const;
    limited.faults.set('answer', answer);
    const world = await BatchWorld.open({ '1.color': '1..16' });
    const run = await world.run(
      [serverOf(sessionWith(limited).session, 'limited', 1), serverOf(sessionWith(good).session, 'good', 1)],
      { giveUpAfter },
    );
    expect(await run.go(never)).toEqual({ why: 'done', message: '' });
    expect(run.counts).toMatchObject({ saved: 16 });
    expect(limited.seen.count('POST', '/prompt')).toBe(1);
  });

  it('is not asked again if it wants to be left alone for too long', async () => {
    const limited = await sandboxForTest({ dialect: 'local' });
    const answer = { method: 'POST', path: '/prompt', kind: 'rateLimited', retryAfter: 999_999_999 } as const;
    limited.faults.set('answer', answer);
    const world = await BatchWorld.open({ '1.color': '1..3' });
    const run = await world.run([serverOf(sessionWith(limited).session, 'limited', 1)], { giveUpAfter });
    expect(await run.go(never)).toMatchObject({ why: 'noServer' });
    expect(run.counts).toMatchObject({ waiting: 3 });
    expect(limited.seen.count('POST', '/prompt')).toBe(1);
  });

  it('is paid for what it reported before it went away, besides the one that took its row', async () => {
    const bad = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const gone = sessionWith(bad);
    const good = await sandboxSession({ dialect: 'local' });
    gone.store.onDidChange(() => {
      if (gone.store.jobs().some((job) => runPrice(job))) void bad.close();
    });
    const world = await BatchWorld.open(
      { '1.seed': '1' },
      await readFile('samples/partner-image.json', 'utf8'),
    );
    const run = await world.run([serverOf(gone.session, 'bad', 1), serverOf(good.session, 'good', 1)], {
      isPaid: true,
      giveUpAfter: 50,
    });
    expect(await run.go(never)).toEqual({ why: 'done', message: '' });
    expect([run.counts.saved, rowCredits(run.rows)]).toEqual([1, 12]);
    expect(rowCredits(await rowsToRun(world.folder, world.batch)), 'as the records tell').toBe(12);
  });

  it.each([false, true])(
    'keeps a row that it may have accepted as long as it may (paid: %s)',
    async (isPaid) => {
      const bad = await sandboxForTest({ dialect: 'local' });
      const good = await sandboxForTest({ dialect: 'local' });
      bad.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'internal' });
      const world = await BatchWorld.open({ '1.color': '1..6' });
      const servers = [
        serverOf(sessionWith(bad).session, 'bad', 1),
        serverOf(sessionWith(good).session, 'good'),
      ];
      const run = await world.run(servers, { isPaid });
      const abort = new AbortController();
      const running = run.go(abort.signal);
      await expect.poll(() => run.counts, { timeout: 20_000 }).toMatchObject({ saved: 5, owed: 1 });
      expect(good.seen.accepted).toHaveLength(5);
      if (isPaid) {
        await expect.poll(() => run.rows[0]?.message, { timeout: 20_000 }).toContain('Waiting up to 9 min');
        abort.abort();
      }
      expect(await running).toMatchObject({ why: isPaid ? 'cancelled' : 'done' });
      expect(good.seen.accepted).toHaveLength(isPaid ? 5 : 6);
      expect(bad.seen.count('POST', '/prompt')).toBe(1);
    },
    60_000,
  );
});
