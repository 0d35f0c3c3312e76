import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import { slow, worldWith } from './workflows';

describe('comfy-deck run and a server that restarts', () => {
  // The tracker waits 45 seconds for a job to reappear, by this clock.
  it('says that the server no longer has the job', async () => {
    const began = Date.now() - performance.now() * 8;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => Math.round(began + performance.now() * 8));
    onTestFinished(() => clock.mockRestore());
    const sandbox = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const world = await worldWith(slow);
    const running = world.save(sandbox.url);
    await world.said('SandboxSlow: running');
    sandbox.faults.set('restartServer');
    expect(await running).toBe(1);
    expect(world.err).toContain('no longer on the server');
  }, 60_000);
});
