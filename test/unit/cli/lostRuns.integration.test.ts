import { readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, worldWith } from './workflows';

/** Makes the records of a world those of runs that were lost, under these job IDs. */
async function lose(world: CliWorld, change: (record: Record<string, unknown>) => object): Promise<void> {
  const names = (await readdir(world.path('out'))).filter((name) => name.endsWith('.run.json'));
  for (const name of names) {
    const file = world.path(`out/${name}`);
    const record = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(
      file,
      JSON.stringify({ ...record, state: 'lost', expected: [], files: [], ...change(record) }),
    );
  }
}

const forgotten = (): object => ({ job: 'forgotten-job' });

describe('runs that their server has forgotten', () => {
  it('are listed, and run again once', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(picture);
    expect(await world.save(sandbox.url)).toBe(0);
    await lose(world, forgotten);
    const out = ['--out', world.path('out')];
    expect(await world.run('jobs', '--lost', ...out)).toBe(0);
    expect(world.out).toContain('forgotten-job  w');
    expect(world.err).toContain(`comfy-deck rerun --lost --server ${sandbox.url}`);
    expect(await world.run('rerun', '--lost', '--server', sandbox.url, ...out)).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(2);
    expect(await world.run('rerun', '--lost', '--server', sandbox.url, ...out)).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(2);
    expect(world.err).toContain('There is nothing to run again');
  });

  it('are listed without a command that sends them to the server of a stranger', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(picture);
    expect(await world.save(sandbox.url)).toBe(0);
    await lose(world, () => ({ ...forgotten(), server: 'https://comfy.example' }));
    const out = ['--out', world.path('out')];
    expect(await world.run('jobs', '--lost', ...out)).toBe(0);
    expect(world.err).toContain('To run those of https://comfy.example again');
    expect(world.err).not.toContain('comfy-deck rerun');
  });

  it.each([
    ['that the server has after all', () => ({})],
    ['that were given up', () => ({ job: 'forgotten-job', why: 'givenUp' })],
    ['of a batch', () => ({ job: 'forgotten-job', batch: { id: 'b', row: 0 } })],
    ['of another server', () => ({ job: 'forgotten-job', server: 'http://127.0.0.1:1' })],
  ])('are not run again if they are those %s', async (_, change) => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(picture);
    expect(await world.save(sandbox.url)).toBe(0);
    await lose(world, change);
    const out = ['--out', world.path('out')];
    expect(await world.run('rerun', '--lost', '--server', sandbox.url, ...out)).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(1);
  });

  it('are not sent while the server does not respond', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(picture);
    expect(await world.save(sandbox.url)).toBe(0);
    await lose(world, forgotten);
    await sandbox.close();
    const args = ['rerun', '--lost', '--server', sandbox.url, '--out', world.path('out')];
    expect(await world.run(...args)).toBe(1);
    expect(world.err).toContain('Nothing is listening');
  });

  it('need a server that the user names', async () => {
    const world = await worldWith(picture);
    expect(await world.run('rerun', '--lost', '--out', world.path('out'))).toBe(2);
    expect(world.err).toContain('--lost requires --server.');
  });
});
