import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, worldWith, worldWithBatch } from './workflows';
import { notOnWindows } from '../../support/notOnWindows';

/** A world with a pipe that nobody writes to. */
async function worldWithPipe(): Promise<CliWorld> {
  const world = await worldWithBatch({ workflow: 'pipe.json' });
  execFileSync('mkfifo', [world.path('pipe.json')]);
  return world;
}

describe.skipIf(notOnWindows('there is no mkfifo'))('a pipe', () => {
  it.each([
    ['run'],
    ['run', '--count', '2'],
    ['validate', '--server', 'sandbox'],
    ['convert', '--server', 'sandbox'],
    ['upload'],
    ['upload', 'a.png', '--on', 'output', '--mask'],
  ])('is not waited for by %s %s', async (command, ...more) => {
    const world = await worldWithPipe();
    expect(await world.run(command, ...more, world.path('pipe.json'))).toBe(1);
    expect(world.out + world.err).toMatch(/(?:pipe\.json|The file) is not a file\./);
  });

  it('is not waited for in place of node definitions or of the workflow of a batch', async () => {
    const world = await worldWithPipe();
    const definitions = world.path('pipe.json');
    expect(await world.run('validate', world.path('w.json'), '--definitions', definitions)).toBe(2);
    expect(await world.run('batch', world.path('w.batch.json'))).toBe(1);
    expect(world.err.match(/pipe\.json is not a file\./g)).toHaveLength(2);
  });

  it('is no link to a file, which is read', async () => {
    const world = await worldWith(picture);
    const { url } = await sandboxForTest({ dialect: 'local' });
    await symlink(world.path('w.json'), world.path('link.json'));
    expect(await world.run('validate', world.path('link.json'), '--server', url)).toBe(0);
  });
});
