import { describe, expect, it } from 'vitest';
import { isSameUri, pathInFolder } from '../../../src/host/platform/sameUri';

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
