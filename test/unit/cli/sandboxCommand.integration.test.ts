import { describe, expect, it } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import { CliWorld } from './cliWorld';
import { picture, worldWith } from './workflows';

const key = 'for-practice-only';

describe('comfy-deck sandbox', () => {
  it('says that its port is taken', async () => {
    const { url } = await sandboxForTest();
    const world = await CliWorld.open();
    expect(await world.run('sandbox', '--port', new URL(url).port)).toBe(1);
    expect(world.err).toContain('--port');
  });

  it('runs until it is interrupted, requires the key in the environment variable and never prints it', async () => {
    const world = await CliWorld.open({ env: { KEY: key } });
    const ended = world.run('sandbox', '--port', '0', '--key-env', 'KEY');
    await world.said('Press Ctrl+C');
    const url = world.out.trim();
    const without = await worldWith(picture);
    expect(await without.save(url)).toBe(1);
    expect(without.err).toContain('The server needs an API key or a token');
    const wrong = await worldWith(picture, { MINE: 'another key' });
    expect(await wrong.save(url, '--key-env', 'MINE')).toBe(1);
    expect(wrong.out + wrong.err).not.toContain('another key');
    const right = await worldWith(picture, { MINE: key });
    expect(await right.save(url, '--key-env', 'MINE')).toBe(0);
    expect(world.err).toContain('It accepts only the key in KEY');
    expect(world.out + world.err).not.toContain(key);
    world.pressCtrlC();
    expect(await ended).toBe(0);
    await expect(fetch(`${url}/api/system_stats`)).rejects.toThrow();
  });

  it('does not start without the key that it should require', async () => {
    const world = await CliWorld.open();
    expect(await world.run('sandbox', '--port', '0', '--key-env', 'KEY')).toBe(2);
    expect(world.err).toContain("The environment variable KEY isn't set.");
  });
});
