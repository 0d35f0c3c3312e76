import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { JsonLimitError, parseExact, parsePythonJson } from '../../../src/core/json/boundedJson';
import { exactValue } from '../../../src/core/json/exactValue';
import { writeExact } from '../../../src/core/json/exactWriter';
import { PositionIndex } from '../../../src/core/json/position';
import { applyEdits, insertProperty } from '../../../src/core/json/textEdit';
import { parseJson } from '../../../src/core/json/tree';
import { choosePrompt } from '../../../src/core/workflow/graph/dynamicPrompt';
import { indented } from '../../../src/core/json/indentedText';
import { pythonRepr } from '../../../src/core/workflow/values';
import { expectGentleGrowth } from '../../support/growth';
import { numbers, type Shapes } from './shapes';

const texts: Shapes = {
  'a number of many digits': (size) => '9'.repeat(size),
  'many numbers': (size) => `[${numbers(size).join(',')}]`,
  'a fraction of many digits': (size) => `0.${'3'.repeat(size)}e5`,
  'a long text': (size) => JSON.stringify('a'.repeat(size)),
  'a text of escapes': (size) => `"${'\\u00e9\\n'.repeat(size)}"`,
  'a text of quotes': (size) => `"${'\\"'.repeat(size)}"`,
  'a text that never ends': (size) => `"${'\\"'.repeat(size)}`,
  'names that occur twice': (size) =>
    `{${numbers(size)
      .map((id) => `"${id % 7}":${id}`)
      .join(',')}}`,
  'many names': (size) =>
    `{${numbers(size)
      .map((id) => `"name ${id}":${id}`)
      .join(',')}}`,
  'objects in a list': (size) =>
    `[${numbers(size)
      .map(() => '{"a":{"b":[]}}')
      .join(',')}]`,
  'NaN and Infinity': (size) =>
    `[${numbers(size)
      .map(() => 'NaN,-Infinity')
      .join(',')}]`,
  'brackets that never close': (size) => '['.repeat(size),
  'braces that never close': (size) => '{"a":'.repeat(size),
  commas: (size) => `[${','.repeat(size)}]`,
  comments: (size) => '/* */'.repeat(size),
  'a comment that never ends': (size) => '/*'.repeat(size),
  blanks: (size) => `${' \n\t\r'.repeat(size)}1`,
  backslashes: (size) => `"${'\\\\'.repeat(size)}"`,
};

function ignoringRefusal(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof JsonLimitError)) throw error;
  }
}

describe('JSON', { timeout: 300_000 }, () => {
  it.each(Object.entries(texts))('is read and written in linear time: %s', async (_name, input) => {
    await expectGentleGrowth({
      from: 1_024,
      to: 1_000_000,
      input,
      run: (text) => {
        const { root } = parseJson(text);
        if (root) writeExact(exactValue(root));
        ignoringRefusal(() => pythonRepr(parseExact(text)));
        ignoringRefusal(() => parsePythonJson(text));
      },
    });
  });

  it('keeps no integer with more digits than a Python server reads', () => {
    const long = '9'.repeat(1_000_000);
    expect(() => parseExact(long)).toThrow(SyntaxError);
    const document = parseJson(`{"seed":${long}}`);
    expect(document.problems).toMatchObject([{ kind: 'longNumber' }]);
    expect(() => writeExact(exactValue(document.root ?? parseRoot('null')))).not.toThrow();
    expect(parseExact('9'.repeat(4_300))).toBe(BigInt('9'.repeat(4_300)));
  });
});

function parseRoot(text: string): NonNullable<ReturnType<typeof parseJson>['root']> {
  const { root } = parseJson(text);
  if (!root) throw new Error('nothing read');
  return root;
}

describe('texts of an editor', { timeout: 300_000 }, () => {
  it.each<[string, (size: number) => string, (text: string) => unknown]>([
    ['lines', (size) => 'a\r\n\r\n'.repeat(size), linesOf],
    ['edits', (size) => 'a,'.repeat(size), edited],
    ['the lay-out of a new member', (size) => `{${' \n'.repeat(size)}"a": 1}`, withMember],
    ['the lay-out of an empty object', (size) => `${'\n  '.repeat(size)}{}`, withMember],
    [
      'indentation',
      (size) =>
        `[${numbers(size)
          .map((id) => `["${id}",[ "[ ", 0 ]]`)
          .join(',')}]`,
      indented,
    ],
    ['indentation of blanks', (size) => `[${' \n'.repeat(size)}]`, indented],
    ['choices in a prompt', (size) => '{a|b}'.repeat(size), (text) => choosePrompt(text, () => 0)],
    ['choices in choices', (size) => '{a|'.repeat(size), (text) => choosePrompt(text, () => 0.9)],
    ['choices that never close', (size) => '{'.repeat(size), (text) => choosePrompt(text, () => 0)],
    ['comments that never close', (size) => '/*'.repeat(size), (text) => choosePrompt(text, () => 0)],
  ])('take linear time: %s', async (_name, input, run) => {
    await expectGentleGrowth({ from: 1_024, to: 500_000, input, run });
  });

  it('are definitions, whatever their number and names', async () => {
    await expectGentleGrowth({
      from: 1_024,
      to: 100_000,
      input: (size) =>
        `{${numbers(size)
          .map((id) => `"Class ${id}":{"input":{"required":{"a":[["${id}"],{}]}},"output":["A"]}`)
          .join(',')}}`,
      run: (text) => [...Catalog.fromText(text).definitions()],
    });
  });
});

function linesOf(text: string): number {
  const index = new PositionIndex(text);
  let sum = 0;
  for (let offset = 0; offset < text.length; offset += 16) {
    sum += index.positionAt(offset).character;
  }
  return sum;
}

function edited(text: string): string {
  const edits = numbers(text.length / 2).map((index) => ({ offset: 2 * index, length: 1, newText: 'bb' }));
  return applyEdits(text, edits);
}

function withMember(text: string): unknown {
  const { root } = parseJson(text);
  return root?.kind === 'object' && insertProperty(text, root, 'b', '2');
}
