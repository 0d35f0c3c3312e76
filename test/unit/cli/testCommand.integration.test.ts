import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decode } from 'fast-png';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox';
import { sandboxForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, slow, through, worldWith, type Nodes } from './workflows';

/** The picture in another colour, 0xRRGGBB. */
const coloured = (color: number): Nodes => ({
  ...picture,
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color } },
});

function test(world: CliWorld, ...more: string[]): Promise<number> {
  [world.out, world.err] = ['', ''];
  const diff = ['--diff', world.path('diff')];
  return world.run('test', world.path('w.json'), '--server', 'sandbox', ...diff, ...more);
}

/** A graph whose text has options. */
const choosing = {
  nodes: [
    {
      id: 1,
      type: 'Text Multiline',
      outputs: [{ name: 'STRING', type: 'STRING', links: [1] }],
      widgets_values: ['{one|two|three|four|five|six|seven|eight}'],
    },
    { id: 2, type: 'PreviewAny', inputs: [{ name: 'source', type: '*', link: 1 }] },
  ],
  links: [[1, 1, 0, 2, 0, '*']],
  version: 0.4,
};

async function change(world: CliWorld, workflow: Nodes): Promise<void> {
  await writeFile(world.path('w.json'), JSON.stringify(workflow));
}

/** A world whose workflow has kept outputs. */
async function kept(workflow: unknown = picture): Promise<CliWorld> {
  const world = await worldWith(workflow);
  expect(await test(world, '--update')).toBe(0);
  return world;
}

describe('comfy-deck test', () => {
  it('fails until outputs are kept, then passes', async () => {
    const world = await worldWith(picture);
    expect(await test(world)).toBe(1);
    expect(world.out).toContain('✗ ');
    expect(world.out).toContain('2-1.png (SaveImage): No expected output yet.');
    expect(world.err).toMatch(/w\.json has no expected outputs yet\. To accept these, add --update\./);
    expect(await world.names('w.expected')).toEqual([]);
    expect(await world.names('diff')).toEqual(['w-2-1.actual.png']);

    expect(await test(world, '--update')).toBe(0);
    expect(world.out).toContain('2-1.png (SaveImage): Added.');
    expect(await world.names('w.expected')).toEqual(['2-1.png']);
    expect(await world.names('diff')).toEqual([]);

    expect(await test(world)).toBe(0);
    expect(world.out).toMatch(/✓ .*w\.json 2-1\.png \(SaveImage\)\n1 output passed\.\n$/);
  });

  it('compares pixels, not the workflow in the picture, and touches nothing that passes', async () => {
    const world = await kept();
    const before = await readFile(world.path('w.expected/2-1.png'));
    const renamed = { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'other' } };
    await change(world, { ...picture, 2: renamed });
    expect(await test(world)).toBe(0);
    expect(world.out).toContain('Only metadata differs');
    expect(await test(world, '--update')).toBe(0);
    expect(await readFile(world.path('w.expected/2-1.png'))).toEqual(before);
  });

  it('shows how a changed workflow differs, and writes JUnit XML', async () => {
    const world = await kept();
    const before = await readFile(world.path('w.expected/2-1.png'));
    await change(world, coloured(0xff0000));
    const junit = world.path('results/junit.xml');
    expect(await test(world, '--junit', junit)).toBe(1);
    expect(world.out).toMatch(
      /✗ .*2-1\.png \(SaveImage\): Color difference [\d.]+; 100% of the pixels differ\.\n/,
    );
    expect(world.out).toContain(world.path('diff/w-2-1.difference.png'));
    expect(world.err).toContain('accept them with --update');
    expect(decode(await readFile(world.path('diff/w-2-1.difference.png')))).toMatchObject({
      width: 3 * 16 + 2 * 8,
      height: 16,
    });
    expect(await world.names('diff')).toEqual(['w-2-1.actual.png', 'w-2-1.difference.png']);
    const xml = await readFile(junit, 'utf8');
    expect(xml).toContain('<testsuites name="comfy-deck test" tests="1" failures="1" errors="0"');
    expect(xml).toMatch(/<failure message="Color difference /);
    expect(await readFile(world.path('w.expected/2-1.png'))).toEqual(before);

    expect(await test(world, '--update', '--junit', junit)).toBe(0);
    expect(world.out).toContain('Updated.');
    expect(await readFile(junit, 'utf8')).toContain('tests="1" failures="0" errors="0"');
    expect(await world.names('diff')).toEqual([]);
    expect(await test(world)).toBe(0);
  });

  it('reports kept outputs that are no longer made, and removes them on request, nothing else', async () => {
    const world = await kept({
      ...picture,
      4: { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
      3: { class_type: 'SaveImage', inputs: { images: ['4', 0], filename_prefix: 'again' } },
    });
    expect(await world.names('w.expected')).toEqual(['2-1.png', '3-1.png']);
    const mine = ['README-1.md', 'README.md', 'TODO-2024.txt', 'holiday-1.jpg'];
    for (const name of mine) await writeFile(world.path(`w.expected/${name}`), 'mine');
    await change(world, picture);
    expect(await test(world)).toBe(1);
    expect(world.out).toContain('3-1.png: Expected, but not produced by this run.');
    expect(await test(world, '--update')).toBe(0);
    expect(await world.names('w.expected')).toEqual(['2-1.png', ...mine]);
  });

  it.each([
    { link: 'w.expected', option: '--expected' },
    { link: 'diff', option: '--diff' },
  ])('reads and writes nothing through $link if it is a symbolic link', async ({ link, option }) => {
    const world = await worldWith(picture);
    await mkdir(world.path('other'));
    const names = ['2-1.png', '7-1.txt', 'w-2-1.actual.png'];
    for (const name of names) await writeFile(world.path(`other/${name}`), 'mine');
    await symlink(world.path('other'), world.path(link));
    for (const more of [[], ['--update']]) {
      expect(await test(world, ...more)).toBe(1);
      expect(world.err).toContain(`${link} is a symbolic link.`);
      expect(world.err).toContain(`Replace it with a folder, or choose another one with ${option}.`);
    }
    expect(await world.names('other')).toEqual(names);
    for (const name of names) expect(await readFile(world.path(`other/${name}`), 'utf8')).toBe('mine');
  });

  it('fails for a file of another kind', async () => {
    const world = await kept();
    await rename(world.path('w.expected/2-1.png'), world.path('w.expected/2-1.webp'));
    expect(await test(world)).toBe(1);
    expect(world.out).toContain('The file ends in .png, expected .webp.');
    expect(await test(world, '--update')).toBe(0);
    expect(await world.names('w.expected')).toEqual(['2-1.png']);
  });

  it('tests several workflows, and reports one that cannot be run', async () => {
    const world = await kept();
    await writeFile(world.path('broken.json'), '{"1": {"class_type": "No<Such>Node", "inputs": {}}}');
    const junit = world.path('junit.xml');
    const files = [world.path('broken.json'), world.path('w.json')];
    world.out = '';
    expect(await world.run('test', ...files, '--server', 'sandbox', '--junit', junit)).toBe(1);
    expect(world.out).toContain('1 output passed, 1 workflow not tested.');
    const xml = await readFile(junit, 'utf8');
    expect(xml).toContain('tests="2" failures="0" errors="1"');
    expect(xml).toContain('No&lt;Such&gt;Node');
    expect(xml).not.toContain('No<Such>');
  });

  it('refuses two workflows with one folder of kept outputs', async () => {
    const world = await worldWith(picture);
    await mkdir(world.path('b'));
    await writeFile(world.path('b/w.json'), JSON.stringify(picture));
    const files = [world.path('w.json'), world.path('b/w.json')];
    expect(await world.run('test', ...files, '--server', 'sandbox', '--expected', world.path('kept'))).toBe(
      2,
    );
    expect(await world.run('test', ...files, '--server', 'sandbox', '--update')).toBe(0);
    expect(await world.names('b/w.expected')).toEqual(['2-1.png']);
  });

  it('runs paid nodes only with --spend yes', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(await readFile('samples/partner-image.json', 'utf8'), { KEY: 'test-key' });
    const args = ['test', world.path('w.json'), '--server', sandbox.url, '--update'];
    expect(await world.run(...args)).toBe(2);
    expect(world.err).toContain('Allow it with --spend yes.');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
    expect(await world.run(...args, '--spend', 'yes', '--key-env', 'KEY')).toBe(0);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
    expect(world.err + world.out).not.toContain('test-key');
  });

  it('keeps nothing when the server leaves part of the workflow out', async () => {
    const world = await worldWith({
      ...picture,
      3: { class_type: 'SaveImage', inputs: { filename_prefix: 'x' } },
    });
    expect(await test(world, '--update')).toBe(1);
    expect(world.err).toContain('The server ran only part of the workflow. Fix the warnings.');
    expect(world.out).toBe('0 outputs passed, 1 workflow not tested.\n');
    expect(await world.names('w.expected')).toEqual([]);
  });

  it('picks the same option of {a|b} each time', async () => {
    const world = await kept(choosing);
    for (let time = 0; time < 4; time++) expect(await test(world)).toBe(0);
    expect(await readFile(world.path('w.expected/2-text-1.txt'), 'utf8')).toBe('one');
  });

  it('keeps the folder and says how to fetch what the server still has', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    sandbox.faults.set('answer', { method: 'GET', path: '/view', kind: 'forbidden' });
    const world = await worldWith(picture);
    expect(await world.run('test', world.path('w.json'), '--server', sandbox.url, '--update')).toBe(1);
    const [, folder = ''] = /^ {2}comfy-deck fetch \S+ --out (\S+)/m.exec(world.err) ?? [];
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    expect(path.basename(folder)).toMatch(/^comfy-deck-test-/);
    expect((await readdir(folder)).join()).toMatch(/\.run\.json/);
    expect(await world.names('w.expected')).toEqual([]);
    sandbox.faults.clear('answer');
    const job = /comfy-deck fetch (\S+)/.exec(world.err)?.[1] ?? '';
    expect(await world.run('fetch', job, '--out', folder, '--server', sandbox.url)).toBe(0);
    expect((await readdir(folder)).join()).toMatch(/\.png/);
  });

  it('leaves no temporary folder behind', async () => {
    const world = await kept();
    await change(world, coloured(0xff0000));
    expect(await test(world, '--json')).toBe(1);
    const [start] = world.events;
    if (start?.event !== 'start') throw new Error('no start');
    expect(await readdir(start.out).catch(() => 'gone')).toBe('gone');
  });

  it('cancels the job on Ctrl-C', async () => {
    const { url } = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const world = await worldWith(slow);
    const ended = world.run('test', world.path('w.json'), world.path('w2.json'), '--server', url, '--json');
    await world.said('"state":"running"');
    world.pressCtrlC();
    expect(await ended).toBe(130);
    expect(world.err).toContain('The job was cancelled on the server.');
    expect(world.err).not.toContain('w2.json');
  });
});

/** Nothing is saved. */
const wholly = through('SandboxBlock', { block: true, message: 'Not today' });
/** A picture behind a node that blocks it, and one that is saved all the same. */
const partly: Nodes = {
  ...wholly,
  ...picture,
  4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'blocked' } },
};

describe('branches that were blocked', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await sandboxForTest({ dialect: 'local' });
  });

  it('are told by run, show and fetch', async () => {
    const world = await worldWith(partly);
    expect(await world.save(sandbox.url)).toBe(0);
    expect(world.err).toContain('SaveImage #4: blocked');
    expect(world.err).not.toContain('SaveImage #4: completed');
    expect(world.err).toContain('SaveImage was blocked: Not today.');
    const [record = ''] = await world.recordFiles();
    expect(await world.run('show', record)).toBe(0);
    expect(world.out).toContain('SaveImage was blocked: Not today.');
    expect(await world.call('fetch', record, '--server', sandbox.url)).toBe(0);
    expect(world.err).toContain('SaveImage was blocked: Not today.');
    expect(await world.run('show', record, '--json')).toBe(0);
    expect(world.out).toContain('"errors":["SaveImage was blocked: Not today."]');
  });

  it('are an event', async () => {
    const world = await worldWith(partly);
    expect(await world.save(sandbox.url, '--json')).toBe(0);
    const names = { nodeId: '4', nodeType: 'SaveImage', name: 'SaveImage' };
    const blocked = { event: 'blocked', ...names, message: 'Execution Blocked: Not today' };
    expect(world.events.filter(({ event }) => event === 'blocked')).toEqual([blocked]);
  });

  it('are why a run has no outputs, and a test nothing to compare', async () => {
    const world = await worldWith(wholly);
    expect(await world.save(sandbox.url)).toBe(0);
    expect(world.err).toContain('without outputs, because its branches were blocked');
    const [record = ''] = await world.recordFiles();
    expect(await world.call('fetch', record, '--server', sandbox.url)).toBe(0);
    expect(world.err).toContain('without outputs, because its branches were blocked');
    expect(world.err).not.toContain('lists no');
    expect(await world.run('test', world.path('w.json'), '--server', 'sandbox')).toBe(1);
    expect(world.err).toContain('SaveImage was blocked: Not today.');
    expect(world.err).toContain('Its branches were blocked.');
  }, 60_000);
});
