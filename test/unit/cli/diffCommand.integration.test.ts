import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { withAttribute } from '../../../src/cli/gitSetupCommand';
import { removeFolder } from '../../../src/core/outputs/changeFile';
import { folderWith, withoutNetwork, withoutNetwork as run } from './withoutNetwork';

const prompt = (value: string): string => `{"1": {"class_type": "Number", "inputs": {"value": ${value}}}}`;

let file: (name: string) => string;
beforeEach(async () => {
  const texts = { 'one.json': '1', 'same.json': '1.0', 'other.json': '2' };
  const prompts = Object.entries(texts).map(([name, value]) => [name, prompt(value)] as const);
  file = await folderWith({ ...Object.fromEntries(prompts), 'broken.json': '{' });
});

describe('comfy-deck diff', () => {
  it('exits with 0 for the same meaning, 1 for a difference, 2 for what it cannot read', async () => {
    expect(await run('diff', file('one.json'), file('same.json'))).toMatchObject({ code: 0, out: '' });
    expect(await run('diff', file('one.json'), file('other.json'))).toMatchObject({
      code: 1,
      out: '~ Number (1)\n    value: 1 → 2\n',
    });
    const { code, err } = await run('diff', file('one.json'), file('broken.json'));
    expect([code, err.includes('broken.json')]).toEqual([2, true]);
    expect((await run('diff', file('one.json'))).code).toBe(2);
  });

  it('finds a value that a program changed without its copy by name', async () => {
    const seed = (value: number) => {
      const from = { id: 1, type: 'A', outputs: [{ links: [3] }], widgets_values: [value] };
      const to = { id: 2, type: 'B', inputs: [{ name: 'x', link: 3 }] };
      const nodes = [{ ...from, widgets_values_named: { seed: 1 } }, to];
      return JSON.stringify({ nodes, links: [[3, 1, 0, 2, 0, '*']], version: 0.4 });
    };
    const changed = await folderWith({ 'a.json': seed(1), 'b.json': seed(2) });
    expect((await run('diff', changed('a.json'), changed('b.json'))).code).toBe(1);
  });

  it('answers programs in one line of JSON', async () => {
    const { out } = await run('diff', '--json', file('one.json'), file('other.json'));
    const node = { before: '1', after: '1', type: 'Number' };
    const changes = [{ kind: 'value', node, input: 'value', before: 1, after: 2 }];
    expect(JSON.parse(out)).toEqual({ same: false, changes, layout: 0 });
  });

  it('draws both versions in one image', async () => {
    await writeFile(file('both.json'), '{"2": {"class_type": "Number", "inputs": {"value": 2}}}');
    const { code, out } = await run('diff', '--svg', file('one.json'), file('other.json'));
    expect([code, out.includes('data-change="changed"'), out.includes('value: 1 → 2')]).toEqual([
      1,
      true,
      true,
    ]);
    const other = await run('diff', '--svg', file('definitions.json'), file('both.json'));
    expect(other.code).toBe(2);
  });

  it('is a diff driver of Git, for changed and for new files', async () => {
    await run('diff', file('one.json'), file('other.json'));
    const seven = ['a.json', file('one.json'), 'abc', '100644', file('other.json'), 'def', '100644'];
    expect(await run('diff', ...seven)).toMatchObject({
      code: 0,
      out: 'a.json\n~ Number (1)\n    value: 1 → 2\n',
    });
    const added = ['a.json', '/dev/null', '.', '.', file('other.json'), 'def', '100644'];
    expect((await run('diff', ...added)).out).toBe('a.json\n+ Number (1)\n');
  });

  it('tells Git in a line what is no workflow, so that the other files are shown', async () => {
    await writeFile(file('blob-1'), Buffer.from([0, 255, 1]));
    const broken = ['a.json', file('blob-1'), 'abc', '100644', file('other.json'), 'def', '100644'];
    const { code, out } = await run('diff', ...broken);
    expect(code).toBe(0);
    expect(out).toBe('a.json\na.json contains no workflow.\n');
    expect(out).not.toContain('blob-1');
    const same = ['a.json', file('one.json'), 'abc', '100644', file('same.json'), 'def', '100644'];
    expect((await run('diff', ...same, 'b.json', 'similarity index 90%')).out).toBe(
      'a.json → b.json\nNo differences.\n',
    );
  });

  it('shows what changed in a repository', async () => {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
        cwd: file('.'),
        encoding: 'utf8',
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      });
    git('init', '-q');
    await writeFile(file('.gitattributes'), 'one.json diff=comfy\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    await writeFile(file('one.json'), prompt('3'));
    const driver = `diff.comfy.command="${process.execPath}" "${path.resolve('dist/cli.js')}" diff`;
    const shown = git('-c', driver, 'diff');
    expect(shown).toBe('one.json\n~ Number (1)\n    value: 1 → 3\n');
    git('commit', '-qam', 'ours');
    git('checkout', '-qb', 'theirs', 'HEAD~');
    await writeFile(file('one.json'), prompt('4'));
    git('commit', '-qam', 'theirs');
    expect(() => git('merge', '-q', '-')).toThrow();
    for (const more of [['--base'], ['HEAD', '--', 'one.json']])
      expect(git('-c', driver, 'diff', ...more)).toContain('one.json');
  });
});

it('comfy-deck print prints one value per line', async () => {
  expect(await run('print', file('one.json'))).toMatchObject({ code: 0, out: '1: Number\n  value = 1\n' });
  expect((await run('print', file('broken.json'))).code).toBe(2);
  // The page saves either.
  await writeFile(file('list.json'), prompt('[1.0, {"a": 2.0, "b": 0.5}, 12345678901234567890]'));
  expect((await run('print', file('same.json'))).out).toContain('value = 1\n');
  expect((await run('print', file('list.json'))).out).toContain(
    'value = [1, {"a": 2, "b": 0.5}, 12345678901234567890]',
  );
});

describe('comfy-deck graph', () => {
  it('writes an image, or the drawing for programs', async () => {
    const to = file('one.svg');
    expect((await run('graph', file('one.json'), '--out', to, '--theme', 'light')).code).toBe(0);
    expect(await readFile(to, 'utf8')).toContain('data-node="1"');
    const { out } = await run('graph', file('one.json'), '--json', '--definitions', file('definitions.json'));
    expect(JSON.parse(out)).toMatchObject({ nodes: { 1: { title: 'Number', widgets: [{ text: '1' }] } } });
  });

  it('says what is wrong with what it is given', async () => {
    expect((await run('graph', file('one.json'), '--inside', '9')).err).toContain('has no subgraph node 9');
    const missing = await run('graph', file('one.json'), '--out', file('no/such/folder.svg'));
    expect([missing.code, missing.err.includes("folder doesn't exist")]).toEqual([1, true]);
  });
});

/** Does it in a folder, and returns what it wrote and its exit code. */
async function setUp(folder: string, pattern: string): Promise<{ said: string; code: number }> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { code, err } = await withoutNetwork('git-setup', pattern);
    return { said: err, code };
  } finally {
    process.chdir(before);
  }
}

async function folderHere(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'git-setup-'));
  onTestFinished(() => removeFolder(root));
  return root;
}

describe('git-setup', () => {
  it('makes Git compare the files, from any folder of the repository, and does it once', async () => {
    const root = await folderHere();
    execFileSync('git', ['init', '-q', root]);
    await mkdir(path.join(root, 'sub'));
    expect(await setUp(path.join(root, 'sub'), 'my flows\\*.json')).toMatchObject({ code: 0 });
    expect(await setUp(root, 'my flows/*.json')).toMatchObject({ code: 0 });
    expect(await readFile(path.join(root, '.gitattributes'), 'utf8')).toBe('"my flows/*.json" diff=comfy\n');
    const ask = (...args: string[]) =>
      execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
    expect(ask('config', 'diff.comfy.command')).toBe('comfy-deck diff');
    await writeFile(path.join(root, 'sub', 'a.json'), '');
    expect(ask('check-attr', 'diff', 'my flows/a.json')).toMatch(/diff: comfy$/);
    expect(ask('check-attr', 'diff', 'sub/a.json')).toMatch(/unspecified$/);
  });

  it('keeps every byte of attributes in another encoding', async () => {
    const root = await folderHere();
    execFileSync('git', ['init', '-q', root]);
    await writeFile(path.join(root, '.gitattributes'), '# caf\u00e9', 'latin1');
    await setUp(root, '*.json');
    const bytes = await readFile(path.join(root, '.gitattributes'), 'latin1');
    expect(bytes).toBe('# caf\u00e9\n*.json diff=comfy\n');
  });

  it('says where there is no repository', async () => {
    const { said, code } = await setUp(await folderHere(), '*.json');
    expect(code).toBe(1);
    expect(said).toContain('not in a Git repository');
  });
});

it.each([
  ['', 'a/*.json diff=comfy\n'],
  ['*.png binary', '*.png binary\na/*.json diff=comfy\n'],
  ['*.png binary\r\n', '*.png binary\r\na/*.json diff=comfy\r\n'],
  ['a/*.json diff=comfy\r\n', 'a/*.json diff=comfy\r\n'],
])('the attributes of a repository %j keep what they have', (old, text) => {
  expect(withAttribute(old, 'a/*.json')).toBe(text);
});
