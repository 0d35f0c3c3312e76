import { writeFile } from 'node:fs/promises';
import { encode } from 'fast-png';
import { expect, it } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import { CliWorld } from './cliWorld';

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
