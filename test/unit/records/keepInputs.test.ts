import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keepInputs, type InputToKeep } from '../../../src/core/records/keepInputs';
import { budgets } from '../../../src/core/safety/budgets';
import { MemoryFolder } from '../outputs/memoryFolder';

function input(name: string, text: string, node = '1'): InputToKeep {
  const content = Buffer.from(text);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { node, input: 'image', name, path: `input/${name}`, bytes: content.length, sha256, content };
}

const nameOf = ({ sha256 }: InputToKeep, extension: string): string =>
  `input-${sha256.slice(0, 16)}${extension}`;

describe('the input files of a run', () => {
  it('are copied next to its record, each content once', async () => {
    const folder = new MemoryFolder();
    const inputs = [input('a.PNG', 'cat'), input('b.png', 'cat', '2'), input('c.png', 'dog')];
    const kept = await keepInputs(folder, inputs, 100);
    expect(kept.map((each) => each.kept)).toEqual([
      nameOf(input('', 'cat'), '.png'),
      nameOf(input('', 'cat'), '.png'),
      nameOf(input('', 'dog'), '.png'),
    ]);
    expect(kept[0]).not.toHaveProperty('content');
    expect(folder.names).toHaveLength(2);
  });

  it('are written once for many runs', async () => {
    const folder = new MemoryFolder();
    await keepInputs(folder, [input('a.png', 'cat')], 100);
    const [kept] = await keepInputs(folder, [input('a.png', 'cat')], 100);
    expect(kept?.kept).toBe(nameOf(input('', 'cat'), '.png'));
    expect(folder.names).toHaveLength(1);
  });

  it('are named without a copy if they are too large, or the name is taken by something else', async () => {
    const folder = new MemoryFolder();
    const taken = input('a.png', 'cat');
    folder.files.set(nameOf(taken, '.png'), Buffer.from('something else'));
    const kept = await keepInputs(folder, [taken, input('b.png', 'a large dog')], 5);
    expect(kept.map((each) => each.kept)).toEqual([undefined, undefined]);
    expect(kept.map(({ path }) => path)).toEqual(['input/a.png', 'input/b.png']);
  });

  it('are not copied if the disk would be too full after that', async () => {
    const folder = new MemoryFolder();
    folder.told = budgets.diskReserve + 2;
    const [kept] = await keepInputs(folder, [input('a.png', 'cat')], 100);
    expect([kept?.kept, folder.names]).toEqual([undefined, []]);
    folder.told = budgets.diskReserve + 3;
    expect((await keepInputs(folder, [input('a.png', 'cat')], 3))[0]?.kept).toBeDefined();
  });

  it('count as copied when another run of the same file was faster, and not when something else was', async () => {
    for (const [written, isKept] of [
      ['cat', true],
      ['dog', false],
    ] as const) {
      const folder = new MemoryFolder();
      const cat = input('a.png', 'cat');
      folder.rename = (_from, to) => {
        folder.files.set(to, Buffer.from(written));
        return Promise.reject(new Error('It is there.'));
      };
      const [kept] = await keepInputs(folder, [cat], 100);
      expect(kept?.kept).toBe(isKept ? nameOf(cat, '.png') : undefined);
    }
  });

  it('keep the ending of the file, whatever a server calls it', async () => {
    const folder = new MemoryFolder();
    const cat = { ...input('cat.png', 'cat'), name: '../x/cat.exe [temp]' };
    await keepInputs(folder, [cat], 100);
    expect(folder.names).toEqual([nameOf(cat, '.png')]);
  });

  it('never get a name that leaves the folder or that a desktop runs', async () => {
    const folder = new MemoryFolder();
    await keepInputs(folder, [input('../../a.exe', 'cat')], 100);
    expect(folder.names).toEqual([`${nameOf(input('', 'cat'), '.exe')}.txt`]);
  });
});
