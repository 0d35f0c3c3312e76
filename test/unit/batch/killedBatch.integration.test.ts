import { readdir, rm } from 'node:fs/promises';
import { ServerClock, Transport } from '../../../src/core/client/transport';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { undiciStack } from '../../../src/cli/undiciStack';
import type { HttpStack } from '../../../src/core/client/httpStack';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { RunSession } from '../../../src/core/runLife/runSession';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox';
import { BatchWorld, serverOf } from './batchFixture';
import { Life } from './killedLife';

const never = new AbortController().signal;
const rows = 5;

function sessionOf(sandbox: Sandbox, http: HttpStack, clock: () => number = Date.now): RunSession {
  return new RunSession({
    server: { id: 'test', name: 'Test', url: sandbox.url },
    transport: new Transport({ baseUrl: sandbox.url, http, clock: new ServerClock(clock) }),
    store: new JobStore(),
  });
}

/** A process that is gone has no locks. */
async function removeLocks(root: string): Promise<void> {
  const names = (await readdir(root)).filter((name) => /\.(?:lock|stamp)$/.test(name));
  // What the dead process had under way may still remove its own.
  await Promise.all(names.map((name) => rm(path.join(root, name), { force: true })));
}

describe('a batch that is killed at any step', () => {
  it('repeats nothing and misses nothing when it is resumed', async () => {
    const http = undiciStack();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('local', 'cloud'),
        async (steps, dialect) => {
          const sandbox = await startSandbox({ dialect });
          try {
            const world = await BatchWorld.open({ '1.color': `1..${rows}` });
            const life = new Life(steps);
            const first = sessionOf(sandbox, life.http(http));
            const run = await world.run([serverOf(first)], { folder: life.folder(world.folder) });
            // Its own signal: what it added to that is never removed.
            await Promise.race([run.go(new AbortController().signal), life.died]);
            void first.dispose();
            await removeLocks(world.root);
            // What was about to be sent can't arrive any more after ten minutes.
            const second = sessionOf(sandbox, http, () => Date.now() + 11 * 60_000);
            const again = await world.run([serverOf(second)]);
            const stop = await again.go(never);
            await second.dispose();
            expect(stop).toEqual({ why: 'done', message: '' });
            expect(again.counts).toMatchObject({ saved: rows, owed: 0, waiting: 0 });
            expect(await world.pictures()).toBe(rows);
            expect(sandbox.seen.accepted).toHaveLength(rows);
          } finally {
            await sandbox.close();
          }
        },
      ),
      { numRuns: 20 },
    );
    await http.close();
  }, 120_000);
});
