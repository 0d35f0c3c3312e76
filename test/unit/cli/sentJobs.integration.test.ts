import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { sandboxForTest, submit } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { worldBeside, picture, slow } from './workflows';

async function recordIn(world: CliWorld): Promise<{ file: string; record: RunRecord }> {
  const [file = ''] = await world.recordFiles();
  return { file, record: await world.record() };
}

/** A world whose workflow has run on a sandbox. */
async function ran(on: Parameters<typeof worldBeside>[0] = 'cloud') {
  const { sandbox, world } = await worldBeside(on, picture);
  expect(await world.save(sandbox.url), world.err).toBe(0);
  return { sandbox, world };
}

/** As if the program had died this many minutes ago, when it was about to send the prompt. */
async function neverTaken(world: CliWorld, minutes: number): Promise<string> {
  const sentAt = new Date(Date.now() - minutes * 60_000).toISOString();
  const unsent = { state: 'sending', job: undefined, promptId: randomUUID(), sentAt };
  await world.changeRecords(() => ({ ...unsent, expected: [], files: [] }));
  return (await recordIn(world)).file;
}

/** As if an output of this name were still to be saved; returns the record. */
async function owesFile(world: CliWorld, name: string): Promise<string> {
  const { file, record } = await recordIn(world);
  const expected = record.expected.map((each) => ({ ...each, name }));
  await world.changeRecords(() => ({ state: 'incomplete', expected, files: [] }));
  return file;
}

describe('a run that the server never received', () => {
  it.each(['cloud', 'local', 'local-old'] as const)(
    'stays owed as long as it may arrive, then is closed (%s)',
    async (dialect) => {
      const { sandbox, world } = await ran(dialect);
      const file = await neverTaken(world, 8);
      expect(await world.call('fetch', file)).toBe(1);
      expect(world.err).toContain('It may still appear. Fetch again in 2 min.');
      // The cloud charges for every run.
      expect(world.err.includes('or you may pay twice')).toBe(dialect === 'cloud');
      expect((await recordIn(world)).record.state).toBe('sending');
      await neverTaken(world, 11);
      expect(await world.call('fetch', file)).toBe(1);
      expect(world.err).toContain('It either never accepted it or has since removed it');
      expect((await recordIn(world)).record.state).toBe('lost');
      expect(await world.call('jobs')).toBe(0);
      expect(world.err).toContain('No outputs are missing');
      expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
    },
  );

  it('is not closed when the server lists only later jobs', async () => {
    const { sandbox, world } = await ran();
    for (let job = 0; job < 50; job++) await submit(sandbox.url, picture);
    const file = await neverTaken(world, 11);
    expect(await world.call('fetch', file)).toBe(1);
    expect(world.err).toContain("Comfy Deck can't tell whether any job on the server is this run");
    expect((await recordIn(world)).record.state).toBe('sending');
  });
});

describe('a job that was sent earlier', () => {
  it('is listed by its id before it has outputs, and is not owed once they are saved', async () => {
    const { sandbox, world } = await ran();
    const { file, record } = await recordIn(world);
    expect(record).toMatchObject({ format: 3, state: 'saved', server: sandbox.url, sourceUri: 'w.json' });
    const written = await readFile(file, 'utf8');
    expect(written).not.toContain(world.folder);
    const known = Object.keys(record).filter((name) => name !== 'promptText' && name !== 'workflowText');
    expect(Object.keys(JSON.parse(written) as object).sort()).toEqual([...known, 'prompt'].sort());
    expect(world.err).toContain(`Job ${record.job ?? ''}\n`);
    await writeFile(world.path('out/deep.run.json'), '['.repeat(5_000));
    expect(await world.call('jobs')).toBe(0);
    expect(world.out).toBe('');
    expect(world.err).toContain("deep.run.json is nested more than 900 levels deep, so it wasn't read.\n");
    expect(world.err).toContain('No outputs are missing in the other run records');
  });

  it('is saved by fetch after its download was refused, under the names of its run', async () => {
    const { sandbox, world } = await worldBeside('local', picture);
    sandbox.faults.set('answer', { method: 'GET', path: '/view', kind: 'forbidden' });
    expect(await world.save(sandbox.url)).toBe(1);
    const { record, file } = await recordIn(world);
    expect(record).toMatchObject({ state: 'incomplete', files: [] });
    expect(record.expected).toHaveLength(1);
    expect(world.err).toContain(`comfy-deck fetch ${record.job ?? ''} --out`);
    sandbox.faults.clear();
    expect(await world.call('jobs')).toBe(0);
    expect(world.out).toContain(record.job ?? '');
    expect(await world.call('fetch', record.job ?? '')).toBe(0);
    expect(path.basename(world.out.trim())).toBe(record.expected[0]?.name);
    expect((await recordIn(world)).record.state).toBe('saved');
    // A deleted picture is fetched again, this time by its record.
    await rm(world.out.trim());
    expect(await world.call('fetch', file)).toBe(0);
    expect(await world.names('out', '.png')).toHaveLength(1);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
  });

  it("does not count as ended for fetch; wait lets it end; cancel requires --yes for other people's jobs", async () => {
    const { sandbox, world } = await worldBeside('human', slow);
    const running = world.save(sandbox.url);
    await world.said('SandboxSlow: running');
    const { record } = await recordIn(world);
    const own = record.job ?? '';
    // The first one still follows it.
    expect(await world.call('fetch', own)).toBe(1);
    expect(world.err).toContain('Another window or command');
    expect(await world.call('jobs', '--json')).toBe(0);
    expect(JSON.parse(world.out)).toMatchObject({ event: 'owed', job: own, isFollowed: true });
    const foreign = await submit(sandbox.url, picture);
    expect(await world.call('fetch', foreign, '--server', sandbox.url)).toBe(3);
    expect(world.err).toContain(`comfy-deck wait ${foreign}`);
    expect(await world.call('cancel', foreign, '--server', sandbox.url)).toBe(1);
    expect(world.err).toContain('--yes');
    expect(await world.call('cancel', foreign, '--server', sandbox.url, '--yes')).toBe(0);
    expect(await world.call('cancel', own)).toBe(0);
    expect(await running).toBe(130);
    expect((await recordIn(world)).record.state).toBe('cancelled');
    expect(await world.call('wait', own)).toBe(1);
    expect(world.err).toContain('The run was cancelled.');
    expect(world.err).not.toContain('failed');
  });

  it('is fetched without a record too, and never sends a key to a server that was not named', async () => {
    const { sandbox, world } = await worldBeside('cloud', picture);
    const id = await submit(sandbox.url, picture);
    expect(await world.call('wait', id)).toBe(1);
    expect(world.err).toContain('--server');
    expect(await world.call('wait', id, '--server', sandbox.url)).toBe(0);
    expect((await recordIn(world)).record).toMatchObject({ state: 'saved', job: id });
    expect(await world.call('fetch', id, '--key-env', 'KEY')).toBe(2);
    expect(world.err).toContain('--key-env requires --server');
    expect(await world.call('fetch', id, '--server', sandbox.url, '--key-env', 'UNSET')).toBe(2);
  });

  it.each(['sending', 'submitted', 'incomplete'] as const)(
    'stays as it is when another server is asked that has no such job (%s)',
    async (state) => {
      const { world } = await ran('local');
      const { file: own, record } = await recordIn(world);
      const other = await sandboxForTest({ dialect: 'local' });
      // It has a file of the same name.
      await submit(other.url, picture);
      const sentAt = new Date(Date.now() - 660_000).toISOString();
      const owed = state === 'incomplete' ? {} : { expected: [], sentAt };
      const job = state === 'sending' ? undefined : record.job;
      await world.changeRecords(() => ({ state, job, files: [], ...owed }));
      const before = await readFile(own, 'utf8');
      for (const command of ['fetch', 'wait', 'cancel']) {
        expect(await world.call(command, own, '--server', other.url)).toBe(1);
        expect(world.err).toContain(`${other.url} doesn't have the job of this run`);
        expect(world.err).toContain('Leave out --server');
        expect(await readFile(own, 'utf8')).toBe(before);
      }
    },
  );

  it('has a record whose names cannot leave its folder', async () => {
    const { world } = await ran();
    const file = await owesFile(world, '../../stolen.png');
    expect(await world.call('fetch', file)).toBe(1);
    expect(world.err).toContain('.run.json is not a run record');
  });

  it.each(['run.bat', '.envrc', 'package.json', 'Makefile', 'picture.png.lnk'])(
    'has a record that cannot name a file that programs look for: %s',
    async (name) => {
      const { world } = await ran();
      const file = await owesFile(world, name);
      expect(await world.call('fetch', file)).toBe(0);
      expect(await world.names()).not.toContain(name);
      expect(await world.names('out', '.png')).toHaveLength(2);
    },
  );
});
