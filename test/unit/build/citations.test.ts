import { describe, expect, it } from 'vitest';
import { citationProblems } from '../../support/citationProblems';

const documents = {
  protocol: ['# Protocol', '## 3. Events', 'Text.', '### 3.6 Binary frames', '## 7 Errors'].join('\n'),
  workflows: [
    '## 2. From graph to prompt',
    '### 2, A. Loading',
    '1. Links are read.',
    '2. Definitions are read.',
    '### 2, B. Widgets',
    '## 4. The check',
    '### 4.2 The order',
    '| row | condition |',
    '| --- | --------- |',
    '| 0   | a cycle   |',
    '| 9   | not listed |',
  ].join('\n'),
};

/** A comment with a citation. Assembled here, so that the check finds nothing in this file itself. */
function citing(document: string, place: string): string[] {
  return citationProblems(
    [{ file: 'src/a.ts', text: `\n/** A fact (${document} ${place}). */\n` }],
    documents,
  );
}

describe('citations', () => {
  it.each([
    ['protocol', '3.6'],
    ['protocol', '3.6, 7'],
    ['protocol', '3.6: any words'],
    ['protocol', '3.6, workflows 4.2'],
    ['workflows', '2, B'],
    ['workflows', '2, A2'],
    ['workflows', '4.2, row 9'],
    ['workflows', '4.2, rows 0 and 9; 2'],
    ['version', '1.100'],
  ])('of %s %s resolve', (document, place) => {
    expect(citing(document, place)).toEqual([]);
  });

  it.each([
    ['protocol', '3.7', 'docs/protocol.md has no 3.7'],
    ['protocol', '3.6, 3.9', 'docs/protocol.md has no 3.9'],
    ['workflows', '2, C', 'docs/workflows.md has no 2, C'],
    ['workflows', '2, A3', 'docs/workflows.md has no 2, A, row 3'],
    ['workflows', '4.2, row 8', 'docs/workflows.md has no 4.2, row 8'],
    ['peers', 'N10', 'docs/peers.md is no numbered document'],
  ])('of %s %s fail', (document, place, words) => {
    expect(citing(document, place)).toEqual([`src/a.ts:2: ${words}.`]);
  });

  it('are found outside parentheses and across line breaks', () => {
    const name = 'protocol';
    const text = `/**\n * Shapes of ${name} 3.8, empty ones too.\n */\nconst a = 1; // (${name}\n// 3.9)\n`;
    expect(citationProblems([{ file: 'src/a.ts', text }], documents)).toEqual([
      'src/a.ts:2: docs/protocol.md has no 3.8.',
      'src/a.ts:4: docs/protocol.md has no 3.9.',
    ]);
  });
});
