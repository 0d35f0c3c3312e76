import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { validateOptions } from '../../../src/cli/arguments/optionTable';
import { readCommandLine } from '../../../src/cli/cli';
import { expandPatterns } from '../../../src/cli/expandPatterns';

let root: string;

beforeAll(async () => {
  root = (await mkdtemp(path.join(tmpdir(), 'patterns-'))).replaceAll('\\', '/');
  await mkdir(`${root}/sub (2)`);
  for (const name of ['b.json', 'a.json', 'a(1).json', 'c[1].json', 'x.txt', '.d.json', 'sub (2)/e.json'])
    await writeFile(`${root}/${name}`, '{}');
});

/** The expanded arguments, without the folder. */
async function expanded(...args: readonly string[]): Promise<string[]> {
  const all = args.map((each) => each.replace('ROOT', root));
  return (await expandPatterns(all, validateOptions)).map((each) => each.replace(root, 'ROOT'));
}

describe('a pattern in quotes, or in a shell that leaves it alone', () => {
  it.each([
    ['ROOT/*.json', ['ROOT/a(1).json', 'ROOT/a.json', 'ROOT/b.json', 'ROOT/c[1].json']],
    ['ROOT\\*.json', ['ROOT/a(1).json', 'ROOT/a.json', 'ROOT/b.json', 'ROOT/c[1].json']],
    ['ROOT/{b,a}.json', ['ROOT/a.json', 'ROOT/b.json']],
    ['ROOT/?.json', ['ROOT/a.json', 'ROOT/b.json']],
    ['ROOT/**/e.json', ['ROOT/sub (2)/e.json']],
    ['ROOT/sub (2)/*.json', ['ROOT/sub (2)/e.json']],
    ['ROOT/a(1)*', ['ROOT/a(1).json']],
    // A file of that name is meant first.
    ['ROOT/c[1].json', ['ROOT/c[1].json']],
    ['ROOT/missing.json', ['ROOT/missing.json']],
  ])('%s is expanded in the order of names', async (pattern, files) => {
    expect(await expanded(pattern)).toEqual(files);
  });

  it('is one only where a file stands, not in the value of an option', async () => {
    const options = ['--definitions', 'ROOT/*.json', '--format', 'github'];
    expect(await expanded(...options, 'ROOT/b*', '--', 'ROOT/x*')).toEqual([
      ...options,
      'ROOT/b.json',
      '--',
      'ROOT/x.txt',
    ]);
  });

  it('makes no options of names', async () => {
    await writeFile(`${root}/sub (2)/--spend=yes.json`, '{}');
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(`${root}/sub (2)`);
    onTestFinished(() => cwd.mockRestore());
    expect(await expanded('-*.json', '--', '*.json')).toEqual([
      '-*.json',
      '--',
      './--spend=yes.json',
      'e.json',
    ]);
  });

  it('that nothing matches is an error that names it', async () => {
    await expect(expanded('ROOT/n*.json')).rejects.toThrow('No file matches');
    const pattern = `${root}/n*.json`;
    expect(await readCommandLine(['validate', '--server', 'sandbox', pattern])).toEqual({
      command: 'wrong',
      of: 'validate',
      problem: `No file matches ${pattern}.`,
    });
  });

  it('is expanded by the commands that take workflow files', async () => {
    const all = await readCommandLine(['validate', '--server', 'sandbox', `${root}\\?.json`]);
    expect(all).toMatchObject({ command: 'validate', files: [`${root}/a.json`, `${root}/b.json`] });
    const one = await readCommandLine(['graph', `${root}/b*`]);
    expect(one).toMatchObject({ command: 'graph', file: `${root}/b.json` });
    const two = await readCommandLine(['diff', `${root}/?.json`]);
    expect(two).toMatchObject({ command: 'diff', before: `${root}/a.json`, after: `${root}/b.json` });
  });
});
