import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { withoutNetwork as run } from './withoutNetwork';

const definitions = { Number: { input: { required: { value: ['INT', {}] } }, output: ['INT'] } };
const prompt = (value: string): string => `{"1": {"class_type": "Number", "inputs": {"value": ${value}}}}`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'comfy-deck-diff-'));
  await writeFile(file('definitions.json'), JSON.stringify(definitions));
  await writeFile(file('one.json'), prompt('1'));
  await writeFile(file('same.json'), prompt('1.0'));
  await writeFile(file('other.json'), prompt('2'));
  await writeFile(file('broken.json'), '{');
});
afterEach(() => rm(folder, { recursive: true }));

function file(name: string): string {
  return path.join(folder, name);
}

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

  it('answers programs in one line of JSON', async () => {
    const { out } = await run('diff', '--json', file('one.json'), file('other.json'));
    expect(JSON.parse(out)).toEqual({
      same: false,
      changes: [
        {
          kind: 'value',
          node: { before: '1', after: '1', type: 'Number' },
          input: 'value',
          before: 1,
          after: 2,
        },
      ],
      layout: 0,
    });
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
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      });
    git('init', '-q');
    await writeFile(file('.gitattributes'), 'one.json diff=comfy\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    await writeFile(file('one.json'), prompt('3'));
    const cli = path.resolve('dist/cli.js');
    const shown = git('-c', `diff.comfy.command="${process.execPath}" "${cli}" diff`, 'diff');
    expect(shown).toBe('one.json\n~ Number (1)\n    value: 1 → 3\n');
    git('commit', '-qam', 'ours');
    git('checkout', '-qb', 'theirs', 'HEAD~');
    await writeFile(file('one.json'), prompt('4'));
    git('commit', '-qam', 'theirs');
    expect(() => git('merge', '-q', '-')).toThrow();
    expect(git('-c', `diff.comfy.command="${process.execPath}" "${cli}" diff`, 'diff', '--base')).toContain(
      'one.json',
    );
    expect(
      git('-c', `diff.comfy.command="${process.execPath}" "${cli}" diff`, 'diff', 'HEAD', '--', 'one.json'),
    ).toContain('one.json');
  });
});

describe('comfy-deck print', () => {
  it('prints one value per line', async () => {
    expect(await run('print', file('one.json'))).toMatchObject({ code: 0, out: '1: Number\n  value = 1\n' });
    expect((await run('print', file('broken.json'))).code).toBe(2);
    // The page saves either.
    await writeFile(file('list.json'), prompt('[1.0, {"a": 2.0, "b": 0.5}, 12345678901234567890]'));
    expect((await run('print', file('same.json'))).out).toContain('value = 1\n');
    expect((await run('print', file('list.json'))).out).toContain(
      'value = [1, {"a": 2, "b": 0.5}, 12345678901234567890]',
    );
  });
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
