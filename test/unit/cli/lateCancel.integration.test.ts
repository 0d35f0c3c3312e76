import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendJson, type Loopback } from '../../support/loopback';
import { loopbackForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, worldWith } from './workflows';

// Other test files have loaded the module, and more will.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

vi.mock(import('../../../src/core/safety/budgets'), async (original) => {
  const { budgets } = await original();
  return { budgets: { ...budgets, cancellation: 0 } as unknown as typeof budgets };
});

/** Only what is documented, in a form of its own: it accepts cancellations and never carries them out. */
async function stubborn(): Promise<Loopback> {
  let jobs = 0;
  const server = await loopbackForTest({
    answer: ({ method, path }, response) => {
      if (method === 'POST' && path === '/api/prompt')
        sendJson(response, 200, { prompt_id: `job-${++jobs}` });
      else if (method === 'POST' && path === '/api/queue') sendJson(response, 200, {});
      else if (path === '/api/queue') sendJson(response, 200, { running: [], pending: [] });
      else if (path === '/api/object_info') sendJson(response, 200, {});
      else if (path.startsWith('/api/job/')) sendJson(response, 200, { status: 'in_progress' });
      else response.writeHead(404).end();
    },
  });
  return server;
}

const mayRun = 'The server accepted the cancellation, but the job may still be running.';

describe('a cancellation that the server accepts and does not carry out in time', () => {
  let server: Loopback;
  let world: CliWorld;
  beforeEach(async () => {
    server = await stubborn();
    world = await worldWith(picture);
  });
  const posts = (path: string) =>
    server.arrivals.filter((each) => each.method === 'POST' && each.path === path).map(({ body }) => body);

  it('ends a run with exit code 3 and interrupts nothing', async () => {
    const running = world.save(server.url, '--force');
    await world.said('Job job-1');
    world.pressCtrlC();
    expect(await running).toBe(3);
    expect(world.err).toContain('Cancelling.');
    expect(world.err).toContain(`${mayRun} Check job job-1 on the server before you run it again.`);
    expect(world.err).toContain('comfy-deck fetch job-1');
    expect(posts('/api/queue')).toEqual(['{"delete":["job-1"]}']);
    expect(posts('/api/interrupt')).toEqual([]);
  });

  it('ends cancel with exit code 3', async () => {
    const args = ['--server', server.url, '--out', world.path('out'), '--yes'];
    expect(await world.run('cancel', 'job-9', ...args)).toBe(3);
    expect(world.err).toContain('Cancelling job job-9.');
    expect(world.err).toContain(mayRun);
  });

  it('ends a batch with exit code 3, its rows cancelled side by side', async () => {
    const running = world.save(server.url, '--force', '--set', '1.color=1,2');
    await vi.waitFor(() => expect(posts('/api/prompt')).toHaveLength(2), { timeout: 20_000 });
    await vi.waitFor(() =>
      expect(server.arrivals.filter(({ path }) => /status$/.test(path)).length).toBeGreaterThan(1),
    );
    world.pressCtrlC();
    expect(await running).toBe(3);
    expect(posts('/api/queue').sort()).toEqual(['{"delete":["job-1"]}', '{"delete":["job-2"]}']);
    expect(world.err).toContain(mayRun);
  });
});
