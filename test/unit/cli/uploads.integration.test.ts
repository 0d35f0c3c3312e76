import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import { CliWorld } from './cliWorld';
import { picture, worldWith, type Nodes } from './workflows';

describe('comfy-deck run uploads', () => {
  const loading: Nodes = {
    1: { class_type: 'LoadImage', inputs: { image: 'mine.png' } },
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
  };

  async function worldWithPicture(): Promise<CliWorld> {
    const world = await worldWith(loading);
    const other = await worldWith(picture);
    await other.run('run', other.path('w.json'), '--server', 'sandbox', '--out', other.path('out'));
    await writeFile(world.path('mine.png'), await readFile(other.out.trim()));
    return world;
  }

  it('nothing when told not to', async () => {
    const sandbox = await sandboxForTest();
    const world = await worldWithPicture();
    const args = ['run', world.path('w.json'), '--server', sandbox.url, '--upload', 'no'];
    expect(await world.run(...args)).toBe(2);
    expect(world.err).toContain('--upload yes');
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(0);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
  });

  it('each by name before it leaves', async () => {
    const { url } = await sandboxForTest();
    const world = await worldWithPicture();
    expect(await world.save(url, '--json')).toBe(0);
    const kinds = world.events.map((event) => (event.event === 'stage' ? event.stage : event.event));
    expect(kinds.indexOf('uploads')).toBeLessThan(kinds.indexOf('uploading'));
    const { size } = await stat(world.path('mine.png'));
    expect(world.events.find(({ event }) => event === 'uploads')).toEqual({
      event: 'uploads',
      server: url,
      allowed: true,
      files: [{ path: 'mine.png', bytes: size, kinds: ['image'], marks: [] }],
    });
    expect(world.err).toContain(`Files to upload to ${url}:\n  mine.png (${size} bytes)\n`);
  });

  it.each([
    ['a hidden file', '.mine.png', 'hidden file'],
    ['a file in a hidden folder', '.cache/mine.png', 'hidden file'],
    ['a file that Git ignores', 'ignored/mine.png', 'ignored by Git'],
  ])('%s only with --upload yes, also to this machine', async (_, name, why) => {
    const sandbox = await sandboxForTest();
    const plain = await worldWithPicture();
    const world = await worldWith({ ...loading, 1: { class_type: 'LoadImage', inputs: { image: name } } });
    await mkdir(path.dirname(world.path(name)), { recursive: true });
    await writeFile(world.path(name), await readFile(plain.path('mine.png')));
    await writeFile(world.path('.gitignore'), 'ignored/\n');
    execFileSync('git', ['init', '--quiet', world.folder]);
    expect(await world.save(sandbox.url)).toBe(2);
    expect(world.err).toContain(why);
    expect(world.err).toContain('--upload yes');
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(0);
    expect(await world.save(sandbox.url, '--upload', 'yes')).toBe(0);
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(1);
  });
});

function png(channels: 3 | 4): Uint8Array {
  const data = Uint8Array.from({ length: channels }, () => 40);
  return encode({ width: 1, height: 1, channels, depth: 8, data });
}

async function world(): Promise<CliWorld> {
  const opened = await CliWorld.open();
  await writeFile(opened.path('cat.png'), png(3));
  await writeFile(opened.path('mask.png'), png(4));
  return opened;
}

it('uploads a picture with its mask and prints its name on the server', async () => {
  const sandbox = await sandboxForTest({ dialect: 'local' });
  const cli = await world();
  const [picture, mask] = [cli.path('cat.png'), cli.path('mask.png')];
  expect(await cli.run('upload', picture, '--mask', mask, '--server', sandbox.url)).toBe(0);
  expect(cli.out).toBe('cat-masked.png\n');
  expect([...sandbox.files.names('input', '')].sort()).toEqual(['cat-masked.png', 'cat.png']);
});

it('uploads a picture alone, and replaces it on request', async () => {
  const sandbox = await sandboxForTest({ dialect: 'local' });
  sandbox.files.write({ filename: 'cat.png', subfolder: '', type: 'input' }, png(4));
  const cli = await world();
  const upload = ['upload', cli.path('cat.png'), '--server', sandbox.url];
  expect(await cli.run(...upload)).toBe(0);
  expect(await cli.run(...upload, '--overwrite', '--json')).toBe(0);
  expect(cli.out).toBe('cat (1).png\n{"event":"uploaded","value":"cat.png"}\n');
});

it('puts a mask on a picture that is on the server', async () => {
  const sandbox = await sandboxForTest({ dialect: 'local' });
  sandbox.files.write({ filename: 'made.png', subfolder: '', type: 'output' }, png(3));
  const cli = await world();
  const mask = ['--mask', cli.path('mask.png'), '--server', sandbox.url];
  expect(await cli.run('upload', 'made.png', '--on', 'output', ...mask)).toBe(0);
  expect(cli.out).toBe('made-masked.png\n');
  expect(await cli.run('upload', 'lost.png', '--on', 'input', ...mask)).toBe(1);
  expect(cli.err).toContain("The server didn't save a masked image. It may not have lost.png.");
});
