import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine, shellKind } from '../../../src/cli/shellWords';
import { notOnWindows } from '../../support/notOnWindows';

const print = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';

/** The words that a program gets when the line is pasted into the shell of this system. */
function pasted(words: readonly string[]): unknown {
  const line = commandLine([process.execPath, '-e', print, '--', ...words]);
  const [shell, ...options]: readonly [string, ...string[]] =
    process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', `"${line}"`] : ['/bin/sh', '-c', line];
  const how = { encoding: 'utf8', windowsVerbatimArguments: true } as const;
  return JSON.parse(execFileSync(shell, options, how));
}

const words = [
  'plain',
  'two words',
  'outputs/a (2).run.json',
  'C:\\my out\\a.json',
  'C:\\out',
  'ends with \\',
  '\\\\server\\share\\a b',
  "it's",
  'http://a,http://b?c=1&d=2',
  '猫 & | <dog>',
  '#1',
  '~',
  '*',
  '@a',
  '',
];
const onlyPosix = ['$HOME', '`id`', '$(id)', 'a!b', '%PATH%', 'say "hi"'];

describe('a printed command', () => {
  it('gives its words when it is pasted', () => {
    const all = process.platform === 'win32' ? words : [...words, ...onlyPosix];
    expect(pasted(all)).toEqual(all);
  });

  it.skipIf(notOnWindows('cmd replaces variables within quotes too'))(
    'gives any words when it is pasted',
    () => {
      const signs = ' "\'$`\\!%&|;<>(){}[]*?~#@=,:abc'.split('');
      const words = fc.array(fc.array(fc.constantFrom(...signs)), { maxLength: 8 });
      fc.assert(
        fc.property(words, (all) => {
          const texts = all.map((each) => each.join(''));
          expect(pasted(texts)).toEqual(texts);
        }),
        { numRuns: 30 },
      );
    },
  );

  it.each([
    ['outputs/a.json', 'outputs/a.json', 'outputs/a.json', 'outputs/a.json'],
    ['C:\\my out', "'C:\\my out'", '"C:\\my out"', '"C:\\my out"'],
    ['C:\\out', "'C:\\out'", 'C:\\out', 'C:\\out'],
    ['my out', '"my out"', '"my out"', '"my out"'],
    ['a,b', '"a,b"', '"a,b"', '"a,b"'],
    ['C:\\my out\\', "'C:\\my out\\'", '"C:\\my out\\\\"', '"C:\\my out\\\\"'],
    ['$a', "'$a'", '"$a"', "'$a'"],
    ["it's $a", "'it'\\''s $a'", '"it\'s $a"', "'it''s $a'"],
    // What follows the quote would be run by cmd.
    ['a\\"&b', "'a\\\"&b'", '"a\\\\""&b"', "'a\\\\\\\"&b'"],
    ['%A:~0,1%&b', '"%A:~0,1%&b"', '""^%"A:~0,1"^%"&b"', '"%A:~0,1%&b"'],
    ['a\\%', "'a\\%'", '"a\\\\"^%""', '"a\\%"'],
    ['a “b”', '"a “b”"', '"a “b”"', "'a “b”'"],
    ['a "b"', '\'a "b"\'', '"a ""b"""', '\'a \\"b\\"\''],
  ])('spells %j as each shell needs it', (word, posix, cmd, powershell) => {
    expect([
      commandLine([word], 'posix'),
      commandLine([word], 'cmd'),
      commandLine([word], 'powershell'),
    ]).toEqual([posix, cmd, powershell]);
  });

  it('holds no characters that act', () => {
    expect(commandLine(['a\nb\u202e\u0007c'], 'posix')).toBe('abc');
  });
});

describe('the shell of the person', () => {
  const system = 'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\Windows\\System32\\Modules';

  it.each([
    ['linux', {}, 'posix'],
    ['darwin', { PSModulePath: 'a;b;c' }, 'posix'],
    ['win32', { PSModulePath: system }, 'cmd'],
    ['win32', {}, 'cmd'],
    ['win32', { PSModulePath: system, MSYSTEM: 'MINGW64' }, 'posix'],
    ['win32', { PSModulePath: `C:\\Users\\me\\Documents\\PowerShell\\Modules;${system}` }, 'powershell'],
  ] as const)('on %s with %j is %s', (on, env, kind) => {
    expect(shellKind(env, on)).toBe(kind);
  });
});
