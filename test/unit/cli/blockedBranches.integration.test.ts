import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox';
import { sandboxForTest } from '../../support/sandboxFixture';
import { type Nodes, picture, through, worldWith } from './workflows';

/** Nothing is saved. */
const wholly = through('SandboxBlock', { block: true, message: 'Not today' });
/** A picture behind a node that blocks it, and one that is saved all the same. */
const partly: Nodes = {
  ...wholly,
  ...picture,
  4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'blocked' } },
};

describe('branches that were blocked', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await sandboxForTest({ dialect: 'local' });
  });

  it('are told by run, show and fetch', async () => {
    const world = await worldWith(partly);
    expect(await world.save(sandbox.url)).toBe(0);
    expect(world.err).toContain('SaveImage #4: blocked');
    expect(world.err).not.toContain('SaveImage #4: completed');
    expect(world.err).toContain('SaveImage was blocked: Not today.');
    const [record = ''] = await world.recordFiles();
    expect(await world.run('show', record)).toBe(0);
    expect(world.out).toContain('SaveImage was blocked: Not today.');
    expect(await world.call('fetch', record, '--server', sandbox.url)).toBe(0);
    expect(world.err).toContain('SaveImage was blocked: Not today.');
    expect(await world.run('show', record, '--json')).toBe(0);
    expect(world.out).toContain('"errors":["SaveImage was blocked: Not today."]');
  });

  it('are an event', async () => {
    const world = await worldWith(partly);
    expect(await world.save(sandbox.url, '--json')).toBe(0);
    const names = { nodeId: '4', nodeType: 'SaveImage', name: 'SaveImage' };
    const blocked = { event: 'blocked', ...names, message: 'Execution Blocked: Not today' };
    expect(world.events.filter(({ event }) => event === 'blocked')).toEqual([blocked]);
  });

  it('are why a run has no outputs', async () => {
    const world = await worldWith(wholly);
    expect(await world.save(sandbox.url)).toBe(0);
    expect(world.err).toContain('without outputs, because its branches were blocked');
    const [record = ''] = await world.recordFiles();
    expect(await world.call('fetch', record, '--server', sandbox.url)).toBe(0);
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
