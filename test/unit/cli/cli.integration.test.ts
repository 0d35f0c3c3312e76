import { describe, expect, it } from 'vitest';
import { CliWorld } from './cliWorld';

describe('comfy-deck', () => {
  it('prints help and version, and refuses unknown arguments', async () => {
    const world = await CliWorld.open();
    expect(await world.run('--help')).toBe(0);
    expect(world.out).toContain('comfy-deck run FILE');
    world.out = '';
    expect(await world.run('--version')).toBe(0);
    expect(world.out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await world.run('fly')).toBe(2);
    expect(world.err).toContain('--help');
  });
});
