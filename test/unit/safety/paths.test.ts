import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isGitFolder,
  isPathBelow,
  isStrange,
  leadsOutside,
  pathBelow,
  unusableName,
} from '../../../src/core/safety/paths';
import { workflowPathWithoutHome } from '../../../src/cli/commandRuns';

const { posix, win32 } = path;

describe('the path from a folder to a file in it', () => {
  it.each([
    ['/flow', '/flow/a/b.json', 'a/b.json'],
    ['/flow', '/flow', ''],
    ['/flow', '/flow/..foo/b.json', '..foo/b.json'],
    ['/flow', '/flow/...', '...'],
    ['/', '/a.json', 'a.json'],
    ['/flow', '/flow/../b.json', undefined],
    ['/flow', '/', undefined],
    ['/flow', '/flowchart/b.json', undefined],
    ['/flow', '/Flow/b.json', undefined],
  ])('%s -> %s', (folder, file, expected) => {
    expect(pathBelow(folder, file, posix)).toBe(expected);
  });

  it.each([
    ['C:\\work', 'C:\\work\\a\\b.json', 'a/b.json'],
    ['C:\\Work', 'c:\\wORK\\B.json', 'B.json'],
    ['C:\\work', 'C:\\work\\..foo\\b.json', '..foo/b.json'],
    ['C:\\', 'c:\\b.json', 'b.json'],
    ['C:\\work\\A.json', 'c:\\Work\\a.JSON', ''],
    ['C:\\work', 'c:\\Work\\.', ''],
    ['\\\\?\\C:\\work', 'C:\\work\\b.json', undefined],
    ['C:\\work', 'D:\\work\\b.json', undefined],
    ['C:\\work', 'C:\\b.json', undefined],
    ['\\\\server\\share\\work', '\\\\SERVER\\share\\work\\b.json', 'b.json'],
    ['\\\\server\\share', '\\\\server\\other\\b.json', undefined],
    ['C:\\work', '\\\\server\\share\\b.json', undefined],
  ])('on Windows, %s -> %s', (folder, file, expected) => {
    expect(pathBelow(folder, file, win32)).toBe(expected);
  });

  it('is what a record says of a workflow in a folder whose name starts with two dots', () => {
    expect(workflowPathWithoutHome(path.resolve('..foo/a.json'), 'outputs')).toBe('..foo/a.json');
  });
});

describe('a relative path', () => {
  it.each(['a.json', 'a/b.json', '..foo/b.json', 'a..b'])('%s stays in its folder', (name) => {
    expect(isPathBelow(name)).toBe(true);
    expect(leadsOutside(name)).toBe(false);
  });

  it.each(['..', '../a', 'a/../b', '/a', 'C:\\a', 'c:a', '\\\\server\\share\\a', '..\\a', 'a\\..\\b', 'a\0'])(
    '%s may leave it',
    (name) => {
      expect(isPathBelow(name)).toBe(false);
      expect(leadsOutside(name)).toBe(true);
    },
  );

  it('leads outside from a home folder or by a control character, and not by any backslash or colon', () => {
    for (const name of ['~/a', 'a\nb']) expect(leadsOutside(name)).toBe(true);
    for (const name of ['sub\\a.png', 'what: this.png']) expect(leadsOutside(name)).toBe(false);
  });
});

describe('a name that is something else on Windows', () => {
  it.each([
    ['CON', 'CON'],
    ['out/aux.svg', 'aux.svg'],
    ['nul .txt', 'nul .txt'],
    ['a/COM1/b', 'COM1'],
    ['out.', 'out.'],
    ['out /a', 'out '],
    ['a:b.svg', 'a:b.svg'],
    ['a.png::$DATA', 'a.png::$DATA'],
    ['C:a', 'C:a'],
  ])('%s is refused', (file, name) => {
    expect(unusableName(file)).toBe(name);
    expect(isStrange(file)).toBe(true);
    expect(isPathBelow(file)).toBe(false);
  });

  it.each(['C:\\my out"', 'what?', 'a<b', 'a\tb'])('%j can not be written', (file) => {
    expect(unusableName(file)).toBeDefined();
    expect(isStrange(file)).toBe(false);
  });

  it.each([
    '.',
    '../out',
    './a/b.json',
    'C:\\Users\\RUNNER~1\\out',
    'c:/out',
    '\\\\server\\share\\out',
    '\\\\?\\C:\\out',
    '/tmp/out',
    'auxiliary',
    'con-1',
    '猫 1.json',
  ])('%s is not', (file) => {
    expect(unusableName(file)).toBeUndefined();
    expect(isStrange(file)).toBe(false);
  });
});

describe('the folder of Git', () => {
  it.each([
    '.git',
    '.GIT',
    'GIT~1',
    'git~12',
    '.git::$INDEX_ALLOCATION',
    '.git.',
    '.git . ',
    '.g\u200cit',
    '．git',
  ])('is %j', (name) => expect(isGitFolder(name)).toBe(true));

  it.each(['git', '.github', '.gitignore', 'git~', 'git~1a', 'digit~1'])('is not %j', (name) =>
    expect(isGitFolder(name)).toBe(false),
  );
});
