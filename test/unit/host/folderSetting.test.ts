import { describe, expect, it } from 'vitest';
import { readFolderSetting } from '../../../src/host/outputs/outputPlace';

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
