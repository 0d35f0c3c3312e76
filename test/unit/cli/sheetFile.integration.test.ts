import { rmSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, worldWith, type Nodes } from './workflows';

const failing: Nodes = {
  ...picture,
  3: { class_type: 'SandboxFail', inputs: { value: ['1', 0], how: 'value' } },
  2: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'shot' } },
};

const withSheet = (world: CliWorld, server: string, sheet: string, ...more: string[]): Promise<number> =>
  world.save(server, '--set', '1.color=1,2,3', '--window', '1', '--sheet', world.path(sheet), ...more);

describe('--sheet', () => {
  it('says why a row has no outputs', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(failing);
    expect(await withSheet(world, url, 'sheet.md')).toBe(1);
    const [, reason = ''] = /^Row 1: (.*?)\.?$/m.exec(world.err) ?? [];
    expect(reason).not.toBe('');
    const text = (await readFile(world.path('sheet.md'), 'utf8')).replaceAll('\\', '');
    expect(text).toContain(`| ${reason}`);
    expect(text).not.toContain('not run');
  });

  it('creates the folder', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(picture);
    expect(await withSheet(world, url, 'new/folder/sheet.md')).toBe(0);
    expect(await readFile(world.path('new/folder/sheet.md'), 'utf8')).toContain('(../../out/w-');
  });

  it.each(['folder', 'w.json/sheet.md'])('is refused before anything is sent if it is %s', async (sheet) => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(picture);
    await mkdir(world.path('folder'));
    expect(await withSheet(world, sandbox.url, sheet)).toBe(1);
    expect(world.err).toContain(
      `The sheet ${world.path(sheet)} can't be written. Specify another file with --sheet.`,
    );
    expect(sandbox.seen.accepted).toEqual([]);
    expect(await readdir(world.folder)).not.toContain('out');
  });

  it('loses neither the summary nor the numbers if it can no longer be written', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(picture);
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
