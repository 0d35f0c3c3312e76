import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { answering } from '../../support/loopback';
import { sandboxForTest } from '../../support/sandboxFixture';
import { canaryKey, quotedForm } from '../../support/secretForms';
import type { CliWorld } from './cliWorld';
import { picture, worldWith } from './workflows';

const key = canaryKey('batch');
const env = { COMFY_KEY: key };

async function worldWithBatch(batch: object, workflow: object = picture): Promise<CliWorld> {
  const world = await worldWith(workflow, env);
  await writeFile(world.path('w.batch.json'), JSON.stringify({ format: 1, workflow: 'w.json', ...batch }));
  return world;
}

const batch = (world: CliWorld, ...more: string[]): Promise<number> =>
  world.run('batch', world.path('w.batch.json'), '--out', world.path('out'), ...more);

const outputsIn = async (world: CliWorld): Promise<readonly string[]> =>
  (await readdir(world.path('out')).catch(() => [])).map((name) => path.join(world.path('out'), name));

async function recordsOf(world: CliWorld): Promise<readonly RunRecord[]> {
  const files = (await outputsIn(world)).filter((name) => name.endsWith('.run.json'));
  const records = await Promise.all(files.map(async (file) => readRunRecord(await readFile(file, 'utf8'))));
  return records.map((record, index) => {
    if (!record) throw new Error(`${files[index] ?? ''} can't be read.`);
    return record;
  });
}

describe("a stranger's batch file", () => {
  it('gets the key for no server that it names itself', async () => {
    const asked: string[] = [];
    const { url } = await answering((request, answer) => {
      asked.push(request.path);
      answer.end();
    });
    const world = await worldWithBatch({ count: 2, servers: [url] });
    const code = await batch(world, '--key-env', 'COMFY_KEY');
    expect(code, world.err).toBe(2);
    expect(world.err).toContain(`To send the key there, specify them with --servers ${url}.`);
    expect(asked).toEqual([]);
  });

  it('has its servers and its text files named before anything is sent', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const world = await worldWithBatch({ set: { '2.filename_prefix': { lines: 'names.txt' } } });
    await writeFile(world.path('names.txt'), 'a\nb\n');
    expect(await batch(world, '--servers', url)).toBe(0);
    expect(world.err).toMatch(
      new RegExp(`Servers: ${url}\\.\nValues come from these files:\n {2}names\\.txt \\(4 bytes\\)\n`),
    );
  });

  it.each(['.env', 'ignored.txt'])('sends no line of %s unless told to', async (name) => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const world = await worldWithBatch({ set: { '2.filename_prefix': { lines: name } } });
    execFileSync('git', ['init', '--quiet', world.folder]);
    await writeFile(world.path('.gitignore'), 'ignored.txt\n');
    await writeFile(world.path(name), 'PASSWORD\nSECOND\n');
    expect(await batch(world, '--servers', sandbox.url)).toBe(1);
    expect(world.err).toContain(`The batch sends the text of these files to ${sandbox.url}.`);
    expect(sandbox.seen.accepted).toEqual([]);
    expect(await outputsIn(world)).toEqual([]);
    expect(await batch(world, '--servers', sandbox.url, '--upload', 'yes')).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(2);
  });

  it('has a server that is none named with the file, unless others are specified', async () => {
    const world = await worldWithBatch({ set: { '1.color': [1] }, servers: ['file:///etc'] });
    expect(await batch(world, '--dry-run')).toBe(1);
    expect(world.err).toMatch(
      /^.*w\.batch\.json names the server "file:\/\/\/etc", which is not an http or https address\. Enter an address, /,
    );
    expect(await batch(world, '--dry-run', '--servers', 'sandbox'), world.err).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe that never ends', async () => {
    const world = await worldWithBatch({ set: { '2.filename_prefix': { lines: 'pipe.txt' } } });
    execFileSync('mkfifo', [world.path('pipe.txt')]);
    const { url } = await sandboxForTest({ dialect: 'local' });
    expect(await batch(world, '--servers', url)).toBe(1);
    expect(world.err).toContain('pipe.txt is not a file.');
  });
});

describe("a stranger's started batch", () => {
  const started = {
    format: 1,
    id: 'x',
    label: 'w.json',
    workflowHash: '',
    isPaid: false,
    startedAt: '2026-11-22T10:00:00Z',
    axes: [],
  };

  async function resume(more: object): Promise<CliWorld> {
    const world = await worldWith(picture);
    await mkdir(world.path('evil/out'), { recursive: true });
    await writeFile(world.path('.profile'), '{}');
    await writeFile(world.path('evil/out/x.batch-run.json'), JSON.stringify({ ...started, ...more }));
    const file = world.path('evil/out/x.batch-run.json');
    expect(await world.run('batch', file, '--dry-run', '--servers', 'sandbox')).toBe(1);
    return world;
  }

  it.each(['../../.profile', '../../w.json', '/etc/hosts', '../.hidden/w.json'])(
    'does not lead to %s',
    async (workflow) => {
      const { err } = await resume({ workflow });
      expect(err).toContain('is outside the current folder.');
    },
  );

  it('is refused for a workflow with another text, before the rows are printed', async () => {
    const world = await worldWith(picture);
    const kept = { ...started, workflow: 'w.json', workflowHash: 'other' };
    await writeFile(world.path('x.batch-run.json'), JSON.stringify(kept));
    expect(await world.run('batch', world.path('x.batch-run.json'), '--dry-run')).toBe(1);
    expect(world).toMatchObject({ out: '' });
    expect(world.err).toContain('has changed since the batch was started.');
  });

  it('is none if it has more rows than a batch may have', async () => {
    const column = { nodeId: '1', nodeName: 'x', input: 'color', offset: 0, length: 1 };
    const axis = { columns: [column], steps: Array.from({ length: 1000 }, () => ['1']) };
    const { err } = await resume({ workflow: 'w.json', axes: [axis, axis, axis] });
    expect(err).toContain('is not a started batch.');
  });
});

describe('the records of a batch', () => {
  it('contain no key, wherever it stands in the workflow', async () => {
    const { url } = await sandboxForTest({ dialect: 'cloud' });
    const { 1: first, 2: second } = picture;
    const world = await worldWith({ 1: first, 2: { ...second, _meta: { title: `Title ${key}` } } }, env);
    expect(await world.save(url, '--set', '1.color=1,2', '--key-env', 'COMFY_KEY'), world.err).toBe(0);
    for (const file of await outputsIn(world)) {
      if (!file.endsWith('.json')) continue;
      expect(quotedForm(await readFile(file, 'utf8'), key), file).toBeUndefined();
    }
    expect(await recordsOf(world)).toHaveLength(2);
  });

  it('contain the title of a node without the key in a plain run too', async () => {
    const { url } = await sandboxForTest({ dialect: 'cloud' });
    const { 1: first, 2: second } = picture;
    const world = await worldWith({ 1: { ...first, _meta: { title: `Title ${key}` } }, 2: second }, env);
    expect(await world.save(url, '--key-env', 'COMFY_KEY')).toBe(0);
    const [record] = await recordsOf(world);
    expect(record?.nodes?.['1']?.title).toBe('Title [hidden]');
  });

  it('keep the input files, not their bytes, and are small enough to go on with', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const loader = { class_type: 'LoadImage', inputs: { image: 'landscape.png' } };
    const world = await worldWithBatch(
      { set: { '2.filename_prefix': ['a', 'b'] } },
      { 1: loader, 2: picture['2'] ?? {} },
    );
    await copyFile('samples/inputs/landscape.png', world.path('landscape.png'));
    expect(await batch(world, '--servers', sandbox.url)).toBe(0);
    expect(world.err).toContain(`Files to upload to ${sandbox.url}:\n  landscape.png (`);
    for (const { inputs = [] } of await recordsOf(world)) {
      expect(inputs).toMatchObject([
        { name: 'landscape.png', kept: expect.stringMatching(/^input-/) as unknown },
      ]);
      expect(inputs[0]).not.toHaveProperty('content');
    }
    const accepted = sandbox.seen.accepted.length;
    expect(await batch(world, '--servers', sandbox.url, '--resume')).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(accepted);
  });

  it('can be read again however deep a value is nested', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const junk: unknown = JSON.parse(`${'['.repeat(150)}1${']'.repeat(150)}`);
    const { 1: first, 2: second } = picture;
    const world = await worldWithBatch(
      { set: { '1.color': [1, 2] } },
      { 1: { ...first, inputs: { ...first?.inputs, junk } }, 2: second },
    );
    expect(await batch(world, '--servers', sandbox.url)).toBe(0);
    expect(await batch(world, '--servers', sandbox.url, '--resume')).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(2);
  });

  it('name the sandbox as such, whose address is gone', async () => {
    const world = await worldWith(picture);
    expect(await world.save('sandbox', '--set', '1.color=1,2')).toBe(0);
    expect((await recordsOf(world)).map(({ serverKind }) => serverKind)).toEqual(['sandbox', 'sandbox']);
  });
});
