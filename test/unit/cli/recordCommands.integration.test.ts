import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { writeRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { budgets } from '../../../src/core/safety/budgets';
import type { FaultySandbox } from '../../support/faults/faultySandbox';
import type { CliWorld } from './cliWorld';
import { worldBeside, picture, worldWith } from './workflows';

const seed = '18446744073709551615';
const seeded = JSON.stringify({
  ...picture,
  5: { class_type: 'KSampler', inputs: { seed: 0 }, _meta: { title: 'Sampler' } },
}).replace('"seed":0', `"seed": ${seed}`);

interface Ran {
  readonly world: CliWorld;
  readonly url: string;
  readonly record: string;
  readonly output: string;
}

/** A world in which a workflow has run. */
async function ran(workflow: unknown = picture): Promise<Ran> {
  const { url, world } = await worldBeside('local', workflow);
  expect(await world.save(url, '--force')).toBe(0);
  const [[record = ''], [output = '']] = [await world.recordFiles(), await world.names('out', '.png')];
  [world.out, world.err] = ['', ''];
  return { world, url, record, output: path.join(world.path('out'), output) };
}

describe('comfy-deck show', () => {
  it('prints how an output was made', async () => {
    const { world, url, record, output } = await ran();
    expect(await world.run('show', output)).toBe(0);
    const { out } = world;
    expect(out).toMatch(/^w\.json\nSaved\n/);
    expect(out).toContain(`Server: ComfyUI 0.33.0 (${url})\n`);
    expect(out).toContain(`Run record: ${record}\n`);
    expect(out).toMatch(/\nOutputs\n {2}w-.*\.png {2}\d+ bytes {2}16 × 16 {2}SaveImage\n/);
    expect(out).toMatch(/\n {2}SaveImage {2}#2 .*\n {4}images: from EmptyImage \(node 1\), slot 0\n/);
    world.out = '';
    expect(await world.run('show', record)).toBe(0);
    expect(world.out).toBe(out);
  });

  it('hides the password in the address of a server, like the list of jobs', async () => {
    const { world, record } = await ran();
    const server = 'http://user:secret-word@127.0.0.1:9';
    await world.changeRecords(() => ({ server, serverKind: undefined, state: 'submitted' }));
    for (const more of [[], ['--json']]) {
      expect(await world.run('show', record, ...more)).toBe(0);
      expect(await world.run('jobs', '--out', world.path('out'), ...more)).toBe(0);
    }
    expect(world.out).not.toContain('secret-word');
    expect(world.out.match(/http:\/\/\[hidden\]@127\.0\.0\.1:9/g)).toHaveLength(4);
  });
});

describe('a run record from elsewhere', () => {
  const sent = sendingRecord({ server: 'http://127.0.0.1:9', label: 'w.json', seeds: {}, sentAt: 0 });

  async function worldWithRecord(content: Uint8Array | string): Promise<{ world: CliWorld; file: string }> {
    const world = await worldWith(picture);
    await mkdir(world.path('out'));
    const file = world.path('out/w-20261125-120000.run.json');
    await writeFile(file, content);
    return { world, file };
  }

  it.each([['show'], ['rerun'], ['fetch'], ['jobs']])('says why it is not read: %s', async (command) => {
    const { world, file } = await worldWithRecord(writeRunRecord(sent).slice(0, -10));
    const operands = command === 'jobs' ? [] : [file];
    const call = (): Promise<number> => world.run(command, ...operands, '--out', world.path('out'));
    expect(await call()).toBe(command === 'jobs' ? 0 : 1);
    expect(world.err).toMatch(
      /^w-20261125-120000\.run\.json is not a run record, or another version of Comfy Deck wrote it\.\n/m,
    );
    world.err = '';
    await truncate(file, budgets.runRecord + 1);
    await call();
    const next = command === 'jobs' ? '' : ' Check that it is the right file.';
    expect(world.err).toContain(
      `w-20261125-120000.run.json is larger than 64 MB, so it wasn't read.${next}\n`,
    );
  });

  it.each([
    ['UTF-8 with a byte order mark', 'utf8'],
    ['UTF-16', 'utf16le'],
  ] as const)('is read in %s', async (_what, encoding) => {
    const text = new TextDecoder().decode(writeRunRecord({ ...sent, state: 'incomplete' }));
    const { world } = await worldWithRecord(Buffer.from(`\uFEFF${text}`, encoding));
    expect(await world.run('jobs', '--out', world.path('out'))).toBe(0);
    expect(world.out).toContain('no job ID  w.json  submitted, outputs not saved yet, submitted Jan 1, 1970');
  });

  it('is not looked for in an output, which may be large', async () => {
    const { world } = await worldWithRecord(writeRunRecord(sent));
    await writeFile(world.path('out/large.mp4'), '');
    await truncate(world.path('out/large.mp4'), budgets.runRecord + 1);
    expect(await world.run('show', world.path('out/large.mp4'))).toBe(1);
    expect(world.err).toMatch(/^No run record found for .*large\.mp4\./);
  });
});

describe('comfy-deck rerun', () => {
  it('sends exactly the prompt of the record, to its server', async () => {
    const { world, record } = await ran();
    const { promptText } = await world.record();
    await writeFile(world.path('w.json'), 'changed');
    expect(await world.run('rerun', record, '--out', world.path('again'))).toBe(0);
    const again = await world.record('again');
    expect(again.promptText).toBe(promptText);
    expect([again.label, again.state]).toEqual(['w.json', 'saved']);
  });

  it('keeps every digit of a seed, or draws a new one', async () => {
    const { world, record, url } = await ran(seeded);
    const rerun = async (out: string, ...more: string[]): Promise<RunRecord> => {
      const args = ['--server', url, '--force', '--out', world.path(out), ...more];
      expect(await world.run('rerun', record, ...args)).toBe(0);
      return world.record(out);
    };
    expect((await rerun('same')).seeds).toEqual({ '5.seed': seed });
    const { seeds } = await rerun('new', '--seed', 'random');
    expect(Object.keys(seeds)).toEqual(['5.seed']);
    expect(seeds).not.toEqual({ '5.seed': seed });
  });

  it('uses the input files of that time, and says which have changed or are missing', async () => {
    const { url, world } = await worldBeside('local', {
      1: { class_type: 'LoadImage', inputs: { image: 'cat.png' } },
      2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'cat' } },
    });
    const png = (value: number): Uint8Array =>
      encode({ width: 1, height: 1, channels: 3, depth: 8, data: Uint8Array.of(value, 0, 0) });
    await writeFile(world.path('cat.png'), png(1));
    expect(await world.save(url)).toBe(0);
    const [record = ''] = await world.recordFiles();
    const [input] = (await world.record()).inputs ?? [];
    const rerun = async (): Promise<string> => {
      world.err = '';
      expect(await world.run('rerun', record, '--out', world.path('again')), world.err).toBe(0);
      return world.err;
    };
    await writeFile(world.path('cat.png'), png(2));
    expect(await rerun()).not.toMatch(/changed|missing/);
    await rm(path.join(world.path('out'), input?.kept ?? ''));
    expect(await rerun()).toContain('cat.png has changed since that run, and no copy was kept.');
    await rm(world.path('cat.png'));
    expect(await rerun()).toContain('cat.png is missing, and no copy was kept.');
  });

  it('says which command runs a file that is no record, and sends nothing', async () => {
    const { world } = await ran();
    expect(await world.run('rerun', world.path('w.json'))).toBe(1);
    expect(world.err).toContain('w.json is not a run record. Specify a file that ends in .run.json.');
  });

  it('needs --server when the record names none', async () => {
    const { world, record } = await ran();
    await world.changeRecords(() => ({ server: 'file:///etc/passwd' }));
    expect(await world.run('rerun', record)).toBe(1);
    expect(world.err).toContain("The run record doesn't name a usable server. Specify one with --server.");
  });
});

/** A world whose only run was lost so. */
async function lostWorld(change: object): Promise<{ sandbox: FaultySandbox; world: CliWorld }> {
  const { sandbox, world } = await worldBeside('local', picture);
  expect(await world.save(sandbox.url)).toBe(0);
  const lost = { state: 'lost', why: 'forgotten', expected: [], files: [] };
  await world.changeRecords(() => ({ ...lost, ...change }));
  return { sandbox, world };
}

const forgotten = { job: 'forgotten-job' };

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

  it('are listed without a command that sends them to an unknown server', async () => {
    const { world } = await lostWorld({ ...forgotten, server: 'https://comfy.example' });
    expect(await world.call('jobs', '--lost')).toBe(0);
    expect(world.err).toContain('To run those of https://comfy.example again');
    expect(world.err).not.toContain('comfy-deck rerun');
  });

  it.each(['http://127.0.0.1:1', 'http://192.168.7.7:8188'])(
    'may be some while %s was not asked',
    async (server) => {
      const { world } = await lostWorld({ state: 'submitted', why: undefined, server });
      expect(await world.call('jobs', '--lost')).toBe(1);
      expect(world.err).toContain(server);
      expect(world.err).not.toContain('No runs were lost');
    },
  );

  it('are not run again if the server has them after all', async () => {
    const { sandbox, world } = await lostWorld({});
    expect(await world.call('rerun', '--lost', '--server', sandbox.url)).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(1);
  });

  it('are not sent while the server does not respond', async () => {
    const { sandbox, world } = await lostWorld(forgotten);
    await sandbox.close();
    expect(await world.call('rerun', '--lost', '--server', sandbox.url)).toBe(1);
    expect(world.err).toContain('Nothing is listening');
    const file = world.path('w.json');
    expect(await world.run('diff', file, file, '--server', sandbox.url)).toBe(2);
  });
});
