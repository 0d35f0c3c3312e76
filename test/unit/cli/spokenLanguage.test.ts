import { describe, expect, it } from 'vitest';
import { isChinese, isForPrograms } from '../../../src/cli/spokenLanguage';

describe('the language of the command line', () => {
  it.each([
    [{ LANG: 'zh_CN.UTF-8' }, true],
    [{ LANG: 'zh' }, true],
    [{ LC_MESSAGES: 'zh_CN', LANG: 'en_US.UTF-8' }, true],
    [{ LC_ALL: '', LC_MESSAGES: '', LANG: 'zh_CN.UTF-8' }, true],
    [{ LC_ALL: 'C', LC_MESSAGES: 'zh_CN', LANG: 'zh_CN.UTF-8' }, false],
    [{ LC_MESSAGES: 'de_DE.UTF-8', LANG: 'zh_CN.UTF-8' }, false],
    [{ LANG: 'zh_Hans_CN.utf8@pinyin' }, true],
    [{ LANG: 'zh_CN.GB18030' }, false],
    [{ LANG: 'zh_SG.UTF-8' }, true],
    [{ LANG: 'zh_TW.UTF-8' }, false],
    [{ LANG: 'zh_HK.UTF-8' }, false],
    [{ LANG: 'zh-Hant' }, false],
    [{ LC_ALL: 'zh_TW.Big5', LANG: 'zh_CN.UTF-8' }, false],
    [{ LANG: 'zhx' }, false],
    [{ LANG: 'C' }, false],
    [{}, false],
  ])('comes from the first variable that is set, in UTF-8: %j', (env, chinese) => {
    expect(isChinese(env)).toBe(chinese);
  });

  it.each([
    'run a.json --json',
    'validate a.json --format json',
    'validate --format=json a.json',
    '--version',
  ])('is English for programs: %s', (line) => {
    expect(isForPrograms(line.split(' '))).toBe(true);
  });

  it.each(['run a.json', 'validate a.json --format github', 'music -- --json', 'run --version', ''])(
    "is the user's otherwise: %s",
    (line) => {
      expect(isForPrograms(line.split(' '))).toBe(false);
    },
  );
});
