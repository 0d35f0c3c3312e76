import { describe, expect, it } from 'vitest';
import type { FaultySandbox } from '../../support/faults/faultySandbox';
import { sandboxForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, worldWith } from './workflows';

/** Makes the records of a world those of runs that were lost. */
async function lose(world: CliWorld, change: (record: Record<string, unknown>) => object): Promise<void> {
  const lost = { state: 'lost', why: 'forgotten', expected: [], files: [] };
  await world.changeRecords((record) => ({ ...lost, ...change(record) }));
}

/** A world whose only run was lost so. */
async function lostWorld(change: () => object): Promise<{ sandbox: FaultySandbox; world: CliWorld }> {
  const sandbox = await sandboxForTest({ dialect: 'local' });
  const world = await worldWith(picture);
  expect(await world.save(sandbox.url)).toBe(0);
  await lose(world, change);
  return { sandbox, world };
}

const forgotten = (): object => ({ job: 'forgotten-job' });

describe('runs that their server has forgotten', () => {
  it('are listed, and run again once', async () => {
    const { sandbox, world } = await lostWorld(forgotten);
    expect(await world.call('jobs', '--lost')).toBe(0);
    expect(world.out).toContain('forgotten-job  w');
    expect(world.err).toContain(`comfy-deck rerun --lost --server ${sandbox.url}`);
    expect(await world.call('rerun', '--lost', '--server', sandbox.url)).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(2);
    expect(await world.call('rerun', '--lost', '--server', sandbox.url)).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(2);
    expect(world.err).toContain('There is nothing to run again');
  });

  it('are listed without a command that sends them to the server of a stranger', async () => {
    const { world } = await lostWorld(() => ({ ...forgotten(), server: 'https://comfy.example' }));
    expect(await world.call('jobs', '--lost')).toBe(0);
    expect(world.err).toContain('To run those of https://comfy.example again');
    expect(world.err).not.toContain('comfy-deck rerun');
  });

  it.each([
    ['that the server has after all', () => ({})],
    ['that were given up', () => ({ job: 'forgotten-job', why: 'givenUp' })],
    ['of a batch', () => ({ job: 'forgotten-job', batch: { id: 'b', row: 0 } })],
    ['of another server', () => ({ job: 'forgotten-job', server: 'http://127.0.0.1:1' })],
  ])('are not run again if they are those %s', async (_, change) => {
    const { sandbox, world } = await lostWorld(change);
    expect(await world.call('rerun', '--lost', '--server', sandbox.url)).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(1);
  });

  it('are not sent while the server does not respond', async () => {
    const { sandbox, world } = await lostWorld(forgotten);
    await sandbox.close();
    expect(await world.call('rerun', '--lost', '--server', sandbox.url)).toBe(1);
    expect(world.err).toContain('Nothing is listening');
  });
});
