import { describe, expect, it } from 'vitest';
import { refusalError } from '../../../src/core/protocol/refusal';
import { readFileSync } from 'node:fs';
import { commandTexts, isChinese, isForPrograms, useCommandTexts } from '../../../src/cli/spokenLanguage';

describe('what the command line says instead of VS Code', () => {
  it('replaces texts that there are, and names its own means', () => {
    const texts = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8')) as object;
    for (const [windows, own] of Object.entries(commandTexts())) {
      expect(Object.keys(texts)).toContain(windows);
      expect(own).toMatch(/--(?:key-env|server|out)|comfy-deck/);
    }
  });

  it('is said by every error', () => {
    const refused = refusalError({ endpoint: 'GET /api/x', status: 401, bodyText: '', isKeyless: true });
    expect(refused.nextAction).toBe('Sign in with an API key.');
    useCommandTexts();
    const error = (status: number, isKeyless = false) =>
      refusalError({ endpoint: 'GET /api/x', status, bodyText: '', isKeyless }).nextAction;
    expect([error(401, true), error(401), error(404)]).toEqual([
      'Set an environment variable to your API key, and name it with --key-env.',
      'Set the variable that --key-env names to a valid API key.',
      'Check --server, and whether the server still has it.',
    ]);
  });
});

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
    [{ LANG: 'de_DE.UTF-8' }, false, 'zh-CN'],
    [{}, true, 'zh-CN'],
    [{}, false, 'zh-TW'],
    [{}, false, 'en-US'],
    [{ LANG: 'zh_HK.UTF-8' }, false],
    [{ LANG: 'zh-Hant' }, false],
    [{ LC_ALL: 'zh_TW.Big5', LANG: 'zh_CN.UTF-8' }, false],
    [{ LANG: 'zhx' }, false],
    [{ LANG: 'C' }, false],
    [{}, false],
  ] as const)('comes from the first variable that is set, in UTF-8: %j', (env, chinese, system?: string) => {
    expect(isChinese(env, system)).toBe(chinese);
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
