import { describe, expect, it } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import { slow, worldWith } from './workflows';

describe('comfy-deck run and a server that is started anew', () => {
  // In a file of its own: the tracker gives a job half a minute to turn up again.
  it('says that the server no longer knows the job', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const world = await worldWith(slow);
    const running = world.save(sandbox.url);
    await world.said('SandboxSlow: running');
    sandbox.faults.set('restartServer');
    expect(await running).toBe(1);
    expect(world.err).toContain('no longer knows the job');
  }, 60_000);
});
