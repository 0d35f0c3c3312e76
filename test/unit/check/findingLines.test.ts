import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findingLines } from '../../../src/core/check/findingLines';
import type { Finding } from '../../../src/core/check/finding';

interface Matcher {
  readonly pattern: {
    readonly regexp: string;
    readonly file: number;
    readonly line: number;
    readonly column: number;
    readonly severity: number;
    readonly code: number;
    readonly message: number;
  };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: { readonly problemMatchers: readonly Matcher[] };
};

/** What VS Code's Problems panel makes of a line. */
function matched(line: string): Readonly<Record<string, string | undefined>> | undefined {
  const pattern = manifest.contributes.problemMatchers[0]?.pattern;
  const found = pattern && new RegExp(pattern.regexp).exec(line);
  if (!found) return undefined;
  const { file, line: row, column, severity, code, message } = pattern;
  return {
    at: `${found[file] ?? ''} ${found[row] ?? ''}:${found[column] ?? ''}`,
    severity: found[severity],
    code: found[code],
    message: found[message],
  };
}

const finding: Finding = {
  code: 'option-unknown',
  severity: 'error',
  message: '"eulr" is not one of: euler',
  offset: 4,
  length: 6,
  nodeId: '3',
};

describe('the lines of a validation task', () => {
  it.each([
    ['/w/a.json', { at: '/w/a.json 2:3' }],
    ['c:\\w\\a b.json', { at: 'c:\\w\\a b.json 2:3' }],
  ])('are found by the problem matcher: %s', (file, at) => {
    const [line = ''] = findingLines(file, '{\n  "eulr"\n}', [finding]);
    const rest = { severity: 'error', code: 'option-unknown', message: '"eulr" is not one of: euler' };
    expect(matched(line)).toEqual({ ...at, ...rest });
  });

  it('leave out hints', () => {
    expect(findingLines('a.json', '{}', [{ ...finding, offset: 0, severity: 'hint' }])).toEqual([]);
  });

  it('keep a message of several lines on one', () => {
    const [line] = findingLines('a.json', '{}', [{ ...finding, offset: 0, message: 'a\nb\u001b[2J' }]);
    expect(line).toBe('a.json:1:1: error option-unknown (node 3): a b [2J');
  });
});
