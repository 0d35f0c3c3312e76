import { describe, expect, it } from 'vitest';
import { promiseProblems, type Proofs, proofsApart, type ReadFile } from '../../support/promiseProblems';

const markdown = [
  '# Promises',
  '## 1 Keys',
  '- **Never logged.** The log contains no key.',
  '- `token` (string): the key, in',
  '  the query: always.',
].join('\n');

const texts: Readonly<Record<string, string>> = {
  'src/key.ts': '',
  'src/log': '',
  'src/log/log.ts': "import { key } from '../key';",
  'test/unit/log.test.ts': "import { log } from '../../src/log/log';\nit('isn\\'t in the log', () => {});",
  'test/unit/other.test.ts': "import type { Key } from '../../src/key';",
};
const read: ReadFile = (file) => texts[file];

const logged = {
  code: ['src/log'],
  tests: ["test/unit/log.test.ts: isn't in the log", 'npm run soak: kill'],
};
const token = { code: ['src/key.ts'], noTest: 'the server decides' };
const whole: Proofs = { '1 Keys': { 'Never logged': logged, '`token` (string)': token } };

describe('promises', () => {
  it('are proven by code and by a test or a reason', () => {
    expect(promiseProblems('docs/a.md', markdown, whole, read)).toEqual([]);
    expect(proofsApart(whole, read)).toEqual([]);
  });

  it.each<[string, Proofs, string]>([
    ['has no proof', { '1 Keys': { 'Never logged': logged } }, 'has no proof of “`token` (string)”'],
    ['is proven in vain', { '1 Keys': { ...whole['1 Keys'], More: logged } }, 'does not promise “More”'],
    [
      'has code that is gone',
      { '1 Keys': { ...whole['1 Keys'], 'Never logged': { ...logged, code: ['src/gone.ts'] } } },
      '“Never logged”: there is no src/gone.ts',
    ],
    [
      'has a test that is gone',
      { '1 Keys': { ...whole['1 Keys'], 'Never logged': { tests: ['test/unit/gone.test.ts'] } } },
      '“Never logged”: there is no test/unit/gone.test.ts',
    ],
    [
      'has a title that is gone',
      { '1 Keys': { ...whole['1 Keys'], 'Never logged': { tests: ['test/unit/log.test.ts: hides it'] } } },
      '“Never logged”: test/unit/log.test.ts has no test “hides it”',
    ],
    [
      'has a test alone',
      { '1 Keys': { ...whole['1 Keys'], 'Never logged': { tests: ['npm run soak'] } } },
      'no code',
    ],
    [
      'has code alone',
      { '1 Keys': { ...whole['1 Keys'], 'Never logged': { code: [] } } },
      'neither a test nor a reason',
    ],
  ])('one that %s is a problem', (_, proofs, words) => {
    const problems = promiseProblems('docs/a.md', markdown, proofs, read).join('\n');
    expect(problems).toContain(words);
  });

  it('that stand twice are a problem', () => {
    expect(promiseProblems('docs/a.md', `${markdown}\n- **Never logged**: again`, whole, read)).toEqual([
      'docs/a.md, 1 Keys: has “Never logged” twice.',
    ]);
  });

  it('may stand beside other lists, where only some sections count', () => {
    const more = `${markdown}\n## Words\n- **key**: a secret`;
    expect(promiseProblems('docs/a.md', more, whole, read)).toHaveLength(1);
    expect(promiseProblems('docs/a.md', more, whole, read, { isWhole: false })).toEqual([]);
  });

  it('need a test that loads their code', () => {
    const apart = {
      '1 Keys': { 'Never logged': { code: ['src/key.ts'], tests: ['test/unit/other.test.ts'] } },
    };
    expect(proofsApart(apart, read)).toEqual(['Never logged']);
    expect(proofsApart({ '1 Keys': { 'Never logged': { ...logged, code: ['src/key.ts'] } } }, read)).toEqual(
      [],
    );
  });
});
