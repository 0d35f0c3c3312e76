import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

import { codes, codeTitle, isCheckCode, codeSeverity } from '../../../src/core/check/codes';

/** The sections of the page: heading, severity and title. */
function sections(): { code: string; severity: string; title: string }[] {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/checks.md'), 'utf8');
  return [...page.matchAll(/^### (\S+)\n\n\*\*(\w+)\*\*: (.+)\.\n\n\S/gm)].map(
    ([, code = '', severity = '', title = '']) => ({ code, severity: severity.toLowerCase(), title }),
  );
}

describe('the table of codes', () => {
  it('is the same as docs/checks.md, section by section', () => {
    const table = codes.map((code) => ({ code, severity: codeSeverity(code), title: codeTitle(code) }));
    expect(sections()).toEqual(table);
  });

  it('recognizes its own names', () => {
    expect(isCheckCode('cycle')).toBe(true);
    expect(isCheckCode('toString')).toBe(false);
    expect(codeSeverity('cycle')).toBe('error');
  });
});
