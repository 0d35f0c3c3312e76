import { describe, expect, it } from 'vitest';
import { readFolderSetting } from '../../../src/host/outputs/outputPlace';
import { isSameUri, pathInFolder } from '../../../src/host/platform/sameUri';
import { versionedName } from '../../../src/host/platform/versionedName';

const file = (path: string, authority = '') => ({ scheme: 'file', authority, path });

describe('two URIs', () => {
  it.each([
    ['win32', '/c:/Flow/a.json', '/C:/flow/A.json', true],
    ['darwin', '/Users/me/a.json', '/users/me/A.json', true],
    ['linux', '/home/me/a.json', '/home/me/A.json', false],
    ['win32', '/c:/flows/a.json', '/d:/flows/a.json', false],
  ] as const)('on %s: %s and %s', (system, one, other, isSame) => {
    expect(isSameUri(file(one), file(other), system)).toBe(isSame);
  });

  it('of other file systems have case, and their servers none', () => {
    const remote = (path: string, authority: string) => ({ scheme: 'vscode-remote', authority, path });
    expect(isSameUri(remote('/a', 'WSL+x'), remote('/a', 'wsl+X'), 'win32')).toBe(true);
    expect(isSameUri(remote('/a', 'wsl+x'), remote('/A', 'wsl+x'), 'win32')).toBe(false);
  });
});

describe('the path in a folder', () => {
  it.each([
    ['win32', '/c:/Flow', '/C:/flow/a/B.json', 'a/B.json'],
    ['win32', '/c:/', '/C:/a.json', 'a.json'],
    ['win32', '/c:/flow', '/c:/flowchart/a.json', undefined],
    ['win32', '/c:/flow', '/d:/flows/a.json', undefined],
    ['linux', '/flow', '/Flow/a.json', undefined],
    ['linux', '/flow', '/flow', ''],
  ] as const)('on %s: %s, %s', (system, folder, inside, path) => {
    expect(pathInFolder(file(folder), file(inside), system)).toBe(path);
  });

  it('on another server is none', () => {
    expect(pathInFolder(file('/share', 'one'), file('/share/a', 'two'), 'win32')).toBeUndefined();
  });
});

describe('the setting for the output folder', () => {
  it.each([
    ['', 'outputs'],
    ['  ', 'outputs'],
    ['renders/today', 'renders/today'],
    ['${workspaceFolder}/renders', 'renders'],
    ['${workspaceFolder}', '.'],
    ['a/../b', 'a/../b'],
    ['~backup', '~backup'],
    ['.github/pictures', '.github/pictures'],
  ])('%j is the folder %j', (setting, path) => {
    expect(readFolderSetting(setting)).toEqual({ kind: 'folder', path });
  });

  it.each([
    ['~', /outside/],
    ['~/pictures', /outside/],
    ['/var/pictures', /outside/],
    ['C:\\pictures', /outside/],
    ['..', /outside/],
    ['a/../../b', /outside/],
    ['${workspaceFolder}/../b', /outside/],
    ['out\u0000puts', /control character/],
    ['out\nputs', /control character/],
    ['${userHome}/pictures', /variable/],
    ['pictures/${workspaceFolder}', /variable/],
    ['.git', /\.git/],
    ['module/.GIT/hooks', /\.git folder/],
  ])('%j is rejected', (setting, words) => {
    const read = readFolderSetting(setting);
    expect(read.kind === 'problem' && read.problem).toMatch(words);
  });
});

it('a document of the Git extension is named with its version', () => {
  const named = (scheme: string, ref: string): string => {
    const query = JSON.stringify({ path: '/flows/flow.json', ref });
    return versionedName({ scheme, path: '/flows/flow.json', query } as never);
  };
  expect(named('file', 'HEAD')).toBe('flow.json');
  expect(named('git', 'HEAD')).toBe('flow.json (HEAD)');
  expect(named('git', '')).toBe('flow.json (Index)');
  expect(named('git', '~')).toBe('flow.json (Index)');
  expect(named('git', 'a'.repeat(40))).toBe('flow.json (aaaaaaa)');
});
