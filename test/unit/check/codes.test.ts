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

  it('is offered in the settings, but for what only runs report', () => {
    const { contributes } = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
    ) as {
      contributes: {
        configuration: {
          properties: Record<string, { propertyNames?: { enum: string[] }; items?: { enum: string[] } }>;
        };
      };
    };
    const { properties } = contributes.configuration;
    const byRuns = ['file-outside-workspace', 'server-rejection', 'execution-error'];
    const table = codes.filter((code) => !byRuns.includes(code)).toSorted();
    expect(properties['comfyDeck.checks.severity']?.propertyNames?.enum.toSorted()).toEqual(table);
    expect(properties['comfyDeck.checks.suppress']?.items?.enum.toSorted()).toEqual(table);
  });

  it('recognizes its own names', () => {
    expect(isCheckCode('cycle')).toBe(true);
    expect(isCheckCode('toString')).toBe(false);
    expect(codeSeverity('cycle')).toBe('error');
  });
});
