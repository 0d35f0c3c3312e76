import { readFileSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockFileName } from '../../../src/core/records/claimRecord';
import { sandboxForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import {
  batchBeside,
  picture,
  runBatch,
  slow,
  through,
  worldBeside,
  worldWith,
  type Nodes,
} from './workflows';

const sampling = JSON.parse(readFileSync('samples/text-to-image.json', 'utf8')) as Nodes;
const partner = readFileSync('samples/partner-image.json', 'utf8');
const pictures = (world: CliWorld): Promise<string[]> => world.names('out', '.png');
const startedBatch = async (world: CliWorld): Promise<string> =>
  path.join(world.path('out'), (await world.names('out', '.batch-run.json'))[0] ?? '');

/** The first rows wait again. */
const cancelRows = (world: CliWorld, rows: number, change: object = {}): Promise<void> =>
  world.changeRecords(({ batch }) =>
    (batch as { row: number }).row < rows ? { state: 'cancelled', ...change } : {},
  );

describe('comfy-deck run with values', () => {
  it('says at once that the server is gone, and when it is back', async () => {
    const { sandbox, world } = await worldBeside('human', slow);
    const ended = world.save(sandbox.url, '--set', '1.color=1,2');
    await expect.poll(() => sandbox.seen.accepted).toHaveLength(2);
    await sandbox.close();
    const gone = Date.now();
    await world.said('Waiting for the server. Its jobs may still be running.');
    expect(Date.now() - gone).toBeLessThan(5_000);
    await sandboxForTest({ dialect: 'local', port: Number(new URL(sandbox.url).port) });
    await world.said(`${sandbox.url} is back.`);
    world.pressCtrlC();
    expect(await ended).not.toBe(0);
  }, 60_000);

  it('sets one value in a plain run', async () => {
    const { sandbox, world } = await worldBeside('local', picture);
    expect(await world.save(sandbox.url, '--set', '1.color=7', '--json')).toBe(0);
    expect(await pictures(world)).toHaveLength(1);
    expect(world.events.map(({ event }) => event)).toContain('submitted');
    expect((await world.record()).promptText).toContain('"color": 7');
  });

  it('runs several values as a batch, and writes a sheet', async () => {
    const { sandbox, world } = await worldBeside('local', picture);
    const sheet = world.path('sheet.md');
    const set = ['--set', 'EmptyImage.color=1,2,3', '--set', '1.width=16..32..16', '--sheet', sheet];
    expect(await world.save(sandbox.url, ...set)).toBe(0);
    expect(await pictures(world)).toHaveLength(6);
    expect(world.err).toContain('saved  6');
    // The names of what was saved, and nothing else.
    const names = world.out.trim().split('\n');
    expect(names.map((name) => path.basename(name)).sort()).toEqual(await pictures(world));
    const text = await readFile(sheet, 'utf8');
    expect(text).toContain('| EmptyImage.color \\ EmptyImage.width | 16 | 32 |');
    expect(text.match(/!\[/g)).toHaveLength(6);
    expect(text).toContain('(out/w-');
  });

  it('adds up what the rows cost', async () => {
    const { sandbox, world } = await worldBeside('local', partner, { KEY: 'test-key' });
    const args = ['--set', 'OpenAIDalle3.seed=1,2', '--spend', 'yes', '--key-env', 'KEY'];
    expect(await world.save(sandbox.url, ...args, '--json')).toBe(0);
    const costs = [...world.out.matchAll(/"event":"(row|summary)".*"credits":(\d+)/g)];
    expect(costs.map(([, event, credits]) => `${event ?? ''} ${credits ?? ''}`)).toEqual([
      'row 6',
      'row 6',
      'summary 12',
    ]);
    expect(await world.save(sandbox.url, ...args)).toBe(0);
    expect(world.err).toMatch(/^Cost: 12 credits$/m);
  });

  it('tells of each row that failed what the server says, with its traceback on demand', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const nodes = through('SandboxFail', { how: 'OOMError' });
    const [world, program] = [await worldWith(nodes), await worldWith(nodes)];
    const words = /\nServer traceback:\n +File "sandbox\/nodes", in SandboxFail\n/;
    expect(await world.save(url, '--set', '1.color=5,6')).toBe(1);
    expect(world.err).not.toMatch(words);
    expect(await world.save(url, '--set', '1.color=5,6', '--traceback')).toBe(1);
    expect(world.err).toMatch(words);
    expect(await program.save(url, '--set', '1.color=5,6', '--json')).toBe(1);
    const traceback = [expect.stringContaining('in SandboxFail')];
    const failure = { type: 'OOMError', nodeId: '3', nodeType: 'SandboxFail', traceback };
    expect(program.events).toContainEqual(
      expect.objectContaining({ event: 'row', state: 'failed', failure }),
    );
  });

  it('prints the rows of a dry run and sends nothing', async () => {
    const { sandbox, world } = await worldBeside('local', picture);
    expect(await world.save(sandbox.url, '--set', '1.color=5,6', '--dry-run')).toBe(0);
    expect(world.out).toBe('   EmptyImage.color\n1  5\n2  6\n');
    expect(world.err).toContain('2 rows.');
    expect(sandbox.seen.accepted).toEqual([]);
    expect(await readdir(world.folder)).toEqual(['w.json']);
  });

  it.each([{ more: [] }, { more: ['--dry-run'] }])('checks every value first: $more', async ({ more }) => {
    const { sandbox, world } = await worldBeside('local', sampling);
    const set = ['--set', '3.sampler_name=euler,nope', '--set', '3.cfg=7,8,1000'];
    expect(await world.save(sandbox.url, ...set, ...more)).toBe(1);
    expect(world.err).toContain(
      'KSampler.sampler_name = nope (row 4): The server would reject the workflow:',
    );
    expect(world.err).toContain('KSampler.cfg = 1000 (row 3): The server would reject the workflow:');
    expect(sandbox.seen.accepted).toEqual([]);
    expect(await readdir(world.folder)).toEqual(['w.json']);
    expect(world.out.includes('6  nope')).toBe(more.length > 0);
  });

  it('lists only so many refused values, and none with --force', async () => {
    const { url, world } = await worldBeside('local', sampling);
    const tooMany = Array.from({ length: 30 }, (_, index) => 20_000 + index);
    const set = ['--set', `3.steps=${[1, ...tooMany].join(',')}`, '--dry-run'];
    expect(await world.save(url, ...set, '--json')).toBe(1);
    expect(world.out.match(/"event":"error"/g)).toHaveLength(10);
    expect(world.out).toContain('(row 2): ');
    expect(world.err).toContain("The values after these weren't checked.");
    expect(world.events.at(-1)).toMatchObject({ event: 'end', outcome: 'failed', exitCode: 1 });
    expect(await world.save(url, ...set, '--force')).toBe(0);
  });

  it.each(['foo', 'foo.bar=1', '1.color=red'])('takes --set %s for wrong usage', async (set) => {
    const { url, world } = await worldBeside('local', picture);
    expect(await world.save(url, '--set', set), world.err).toBe(2);
  });
});

describe('comfy-deck batch', () => {
  it('cancels at Ctrl-C and says how to continue, which needs the same workflow', async () => {
    const { sandbox, world } = await batchBeside('human', { set: { '1.color': [1, 2, 3] }, window: 1 }, slow);
    const running = runBatch(world, '--servers', sandbox.url, '--json');
    await world.said('"state":"queued"');
    await world.said('"state":"running"');
    await expect.poll(() => sandbox.seen.accepted.length).toBe(1);
    world.pressCtrlC();
    expect(await running).toBe(130);
    expect(world.err).toContain(`comfy-deck batch ${await startedBatch(world)} --servers ${sandbox.url}`);
    await writeFile(world.path('w.json'), JSON.stringify(picture));
    expect(await world.run('batch', await startedBatch(world), '--servers', sandbox.url)).toBe(1);
    expect(world.err).toContain('has changed since the batch was started.');
  });

  it('says how to continue at a second Ctrl-C', async () => {
    const { sandbox, world } = await batchBeside('human', { set: { '1.color': [1, 2, 3] }, window: 1 }, slow);
    const running = runBatch(world, '--servers', sandbox.url);
    await expect.poll(() => sandbox.seen.accepted.length).toBe(1);
    world.pressCtrlC();
    world.pressCtrlC();
    expect(world.exits).toEqual([130]);
    expect(world.err).toContain(`comfy-deck batch ${await startedBatch(world)} --servers ${sandbox.url}`);
    await running;
  });

  it('says what is saved and how to continue when another program has taken over', async () => {
    const { sandbox, world } = await batchBeside(
      'human',
      { set: { '1.color': [1, 2, 3, 4, 5, 6, 7, 8, 9] }, window: 1 },
      picture,
    );
    const running = runBatch(world, '--servers', sandbox.url, '--json');
    await world.said('"state":"saved"');
    const started = await startedBatch(world);
    await writeFile(path.join(world.path('out'), lockFileName(path.basename(started))), 'another program\n');
    expect(await running).toBe(1);
    expect(world.err).toContain(`comfy-deck batch ${started} --servers ${sandbox.url}`);
    const saved = (await pictures(world)).length;
    expect(world.events.at(-2)).toMatchObject({ event: 'summary', counts: { saved } });
    expect(world.events.at(-1)).toMatchObject({ event: 'end', outcome: 'failed', saved });
  });

  it('prints no command to continue once its folder was renamed', async () => {
    const { sandbox, world } = await batchBeside('human', { set: { '1.color': [1, 2, 3] }, window: 1 }, slow);
    const running = runBatch(world, '--servers', sandbox.url, '--json');
    await world.said('"state":"running"');
    await expect.poll(() => sandbox.seen.accepted.length, { timeout: 10_000 }).toBe(1);
    const started = path.basename(await startedBatch(world));
    await rename(world.path('out'), world.path('renamed'));
    world.pressCtrlC();
    expect(await running).toBe(130);
    expect(world.err).toContain(`${started} is no longer in the output folder`);
    expect(world.err).not.toContain('comfy-deck batch');
  });

  it('continues no batch that was never started', async () => {
    const { sandbox, world } = await batchBeside('local', { set: { '1.color': [1, 2] } });
    expect(await runBatch(world, '--servers', sandbox.url, '--resume')).toBe(1);
    expect(world.err).toContain('Start it without --resume');
    expect(sandbox.seen.accepted).toEqual([]);
  });

  it('continues where its records say, without --servers', async () => {
    const { sandbox, world } = await batchBeside('local', { set: { '1.color': [1, 2] } });
    expect(await runBatch(world, '--servers', sandbox.url)).toBe(0);
    await cancelRows(world, 1);
    expect(await runBatch(world, '--resume'), world.err).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(3);
    await cancelRows(world, 1);
    expect(await world.run('batch', await startedBatch(world)), world.err).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(4);
    // A key is for servers that a person names.
    world.env['KEY'] = 'a-key';
    expect(await runBatch(world, '--resume', '--key-env', 'KEY')).toBe(2);
    expect(world.err).toContain('a key is only sent to a server that you specify');
  });

  it('estimates the time of the rows that are left', async () => {
    const { sandbox, world } = await batchBeside('local', { set: { '1.color': [1, 2, 3, 4, 5, 6] } });
    const servers = ['--servers', sandbox.url];
    expect(await runBatch(world, ...servers, '--json')).toBe(0);
    // A minute each.
    const times = { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:01:00.000Z' };
    await world.changeRecords(() => times);
    await cancelRows(world, 2);
    expect(await runBatch(world, ...servers, '--resume', '--dry-run', '--json')).toBe(0);
    const plans = world.out.split('\n').filter((line) => line.includes('"event":"plan"'));
    expect(JSON.parse(plans.at(-1) ?? '')).toMatchObject({ rows: 6, left: 2, estimatedSeconds: 120 });
    expect(await world.run('batch', await startedBatch(world), ...servers, '--dry-run')).toBe(0);
    expect(world.err).toContain('6 rows. Left to run: 2.');
    expect(world.err).toContain('Estimated time: about 2 min, based on earlier runs of this workflow.');
  });

  it('asks no server for a batch of which records name only servers of strangers', async () => {
    const { sandbox, world } = await batchBeside('local', { set: { '1.color': [1, 2] } });
    expect(await runBatch(world, '--servers', sandbox.url)).toBe(0);
    await cancelRows(world, 2, { server: 'https://comfy.example' });
    expect(await runBatch(world, '--resume')).toBe(1);
    expect(world.err).toContain(
      'The batch ran on https://comfy.example. Specify its servers with --servers.',
    );
    expect(sandbox.seen.accepted).toHaveLength(2);
  });

  it('does not spend unasked', async () => {
    const inputs = { prompt: 'a cat', seed: 1, style: 'natural', quality: 'standard', size: '1024x1024' };
    const { sandbox, world } = await batchBeside(
      'cloud',
      { set: { '1.seed': [1, 2, 3] } },
      { ...picture, 1: { class_type: 'OpenAIDalle3', inputs } },
    );
    expect(await runBatch(world, '--servers', sandbox.url)).toBe(2);
    expect(world.err).toContain('Partner node OpenAIDalle3');
    expect(sandbox.seen.accepted).toEqual([]);
  });
});

const withSheet = (world: CliWorld, server: string, sheet: string, ...more: string[]): Promise<number> =>
  world.save(server, '--set', '1.color=1,2,3', '--window', '1', '--sheet', world.path(sheet), ...more);

describe('--sheet', () => {
  it.each(['folder', 'w.json/sheet.md'])('is refused before anything is sent if it is %s', async (sheet) => {
    const { sandbox, world } = await worldBeside('local', picture);
    await mkdir(world.path('folder'));
    expect(await withSheet(world, sandbox.url, sheet)).toBe(1);
    expect(world.err).toContain(
      `The sheet ${world.path(sheet)} can't be written. Specify another file with --sheet.`,
    );
    expect(sandbox.seen.accepted).toEqual([]);
    expect(await readdir(world.folder)).not.toContain('out');
  });

  it('loses neither the summary nor the numbers if it can no longer be written', async () => {
    const { url, world } = await worldBeside('local', picture);
    const ended = withSheet(world, url, 'sheets/sheet.md', '--json');
    await world.said('"state":"running"');
    rmSync(world.path('sheets'), { recursive: true });
    await writeFile(world.path('sheets'), '');
    expect(await ended).toBe(1);
    expect(world.out).toMatch(/"event":"summary",.*"saved":3,/);
    expect(world.events.at(-1)).toMatchObject({ event: 'end', outcome: 'failed', saved: 3 });
    const [, command = ''] = /To write it, run comfy-deck (.+)\.$/m.exec(world.err) ?? [];
    expect(command).toContain(`--servers ${url} --sheet ${world.path('sheets/sheet.md')}`);
    rmSync(world.path('sheets'));
    expect(await world.run(...command.split(' '))).toBe(0);
    expect((await readFile(world.path('sheets/sheet.md'), 'utf8')).match(/!\[/g)).toHaveLength(3);
  });
});
