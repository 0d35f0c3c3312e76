import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { answering, sandboxForTest } from '../../support/sandboxFixture';
import { canaryKey, quotedForm } from '../../support/secretForms';
import type { CliWorld } from './cliWorld';
import { picture, runBatch, worldWith, worldWithBatch } from './workflows';

const key = canaryKey('batch');
const env = { COMFY_KEY: key };

describe("a stranger's batch file", () => {
  it('gets the key for no server that it names itself', async () => {
    const asked: string[] = [];
    const { url } = await answering((request, answer) => {
      asked.push(request.path);
      answer.end();
    });
    const world = await worldWithBatch({ count: 2, servers: [url] }, picture, env);
    const code = await runBatch(world, '--key-env', 'COMFY_KEY');
    expect(code, world.err).toBe(2);
    expect(world.err).toContain(`To send the key there, specify them with --servers ${url}.`);
    expect(asked).toEqual([]);
  });

  it('has its servers and its text files named before anything is sent', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const world = await worldWithBatch({ set: { '2.filename_prefix': { lines: 'names.txt' } } });
    await writeFile(world.path('names.txt'), 'a\nb\n');
    expect(await runBatch(world, '--servers', url)).toBe(0);
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
    expect(await runBatch(world, '--servers', sandbox.url)).toBe(1);
    expect(world.err).toContain(`The batch sends the text of these files to ${sandbox.url}.`);
    expect(sandbox.seen.accepted).toEqual([]);
    expect(await world.names()).toEqual([]);
    expect(await runBatch(world, '--servers', sandbox.url, '--upload', 'yes')).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(2);
  });

  it('has an invalid server named with the file, unless others are specified', async () => {
    const world = await worldWithBatch({ set: { '1.color': [1] }, servers: ['file:///etc'] });
    expect(await runBatch(world, '--dry-run')).toBe(1);
    expect(world.err).toMatch(
      /^.*w\.batch\.json names the server "file:\/\/\/etc", which is not an http or https address\. Enter an address, /,
    );
    expect(await runBatch(world, '--dry-run', '--servers', 'sandbox'), world.err).toBe(0);
  });
});

describe("someone else's started batch", () => {
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
    for (const name of await world.names('out', '.json'))
      expect(quotedForm(await readFile(world.path(`out/${name}`), 'utf8'), key), name).toBeUndefined();
    expect(await world.records()).toHaveLength(2);
  });

  it('keep the input files, not their bytes, and are small enough to go on with', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const loader = { class_type: 'LoadImage', inputs: { image: 'landscape.png' } };
    const world = await worldWithBatch(
      { set: { '2.filename_prefix': ['a', 'b'] } },
      { 1: loader, 2: picture['2'] ?? {} },
    );
    await copyFile('samples/inputs/landscape.png', world.path('landscape.png'));
    expect(await runBatch(world, '--servers', sandbox.url)).toBe(0);
    expect(world.err).toContain(`Files to upload to ${sandbox.url}:\n  landscape.png (`);
    for (const { inputs = [] } of await world.records()) {
      expect(inputs).toMatchObject([
        { name: 'landscape.png', kept: expect.stringMatching(/^input-/) as unknown },
      ]);
      expect(inputs[0]).not.toHaveProperty('content');
    }
    const accepted = sandbox.seen.accepted.length;
    expect(await runBatch(world, '--servers', sandbox.url, '--resume')).toBe(0);
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
    expect(await runBatch(world, '--servers', sandbox.url)).toBe(0);
    expect(await runBatch(world, '--servers', sandbox.url, '--resume')).toBe(0);
    expect(sandbox.seen.accepted).toHaveLength(2);
  });

  it('name the sandbox as such, whose address is gone', async () => {
    const world = await worldWith(picture);
    expect(await world.save('sandbox', '--set', '1.color=1,2')).toBe(0);
    expect((await world.records()).map(({ serverKind }) => serverKind)).toEqual(['sandbox', 'sandbox']);
  });
});
