import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox';
import { sandboxForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { filesIn, type Nodes, picture, worldWith } from './workflows';

/** A picture behind a node that blocks it, and one that is saved all the same. */
const partly: Nodes = {
  ...picture,
  3: { class_type: 'SandboxBlock', inputs: { value: ['1', 0], block: true, message: 'Not today' } },
  4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'blocked' } },
};
/** Nothing is saved. */
const wholly: Nodes = { 1: picture[1] ?? never(), 3: partly[3] ?? never(), 4: partly[4] ?? never() };

function never(): never {
  throw new Error('There is no such node.');
}

describe('branches that were blocked', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await sandboxForTest({ dialect: 'local' });
  });

  async function recordIn(world: CliWorld): Promise<string> {
    const names = await filesIn(world.path('out'));
    return world.path(`out/${names.find((name) => name.endsWith('.run.json')) ?? ''}`);
  }

  it('are told by run, show and fetch', async () => {
    const world = await worldWith(partly);
    expect(await world.save(sandbox.url)).toBe(0);
    expect(world.err).toContain('SaveImage #4: blocked');
    expect(world.err).not.toContain('SaveImage #4: completed');
    expect(world.err).toContain('SaveImage was blocked: Not today.');
    const record = await recordIn(world);
    expect(await world.run('show', record)).toBe(0);
    expect(world.out).toContain('SaveImage was blocked: Not today.');
    world.err = '';
    expect(await world.run('fetch', record, '--server', sandbox.url), world.err).toBe(0);
    expect(world.err).toContain('SaveImage was blocked: Not today.');
    expect(await world.run('show', record, '--json')).toBe(0);
    expect(world.out).toContain('"errors":["SaveImage was blocked: Not today."]');
  });

  it('are an event', async () => {
    const world = await worldWith(partly);
    expect(await world.save(sandbox.url, '--json')).toBe(0);
    expect(world.events.filter(({ event }) => event === 'blocked')).toEqual([
      {
        event: 'blocked',
        nodeId: '4',
        nodeType: 'SaveImage',
        name: 'SaveImage',
        message: 'Execution Blocked: Not today',
      },
    ]);
  });

  it('are why a run has no outputs', async () => {
    const world = await worldWith(wholly);
    expect(await world.save(sandbox.url)).toBe(0);
    expect(world.err).toContain('without outputs, because its branches were blocked');
    world.err = '';
    expect(await world.run('fetch', await recordIn(world), '--server', sandbox.url), world.err).toBe(0);
    expect(world.err).toContain('without outputs, because its branches were blocked');
    expect(world.err).not.toContain('lists no');
  }, 60_000);

  it('are why a test has nothing to compare', async () => {
    const world = await worldWith(wholly);
    expect(await world.run('test', world.path('w.json'), '--server', sandbox.url)).toBe(1);
    expect(world.err).toContain('SaveImage was blocked: Not today.');
    expect(world.err).toContain('Its branches were blocked.');
  }, 60_000);
});
