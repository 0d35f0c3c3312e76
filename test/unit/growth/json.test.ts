import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { JsonLimitError, parseExact, parsePythonJson } from '../../../src/core/json/boundedJson';
import { exactValue } from '../../../src/core/json/exactValue';
import { writeExact } from '../../../src/core/json/exactWriter';
import { PositionIndex } from '../../../src/core/json/position';
import { insertProperty } from '../../../src/core/json/textEdit';
import { parseJson } from '../../../src/core/json/tree';
import { evaluatePrice } from '../../../src/core/language/price/expression';
import { choosePrompt } from '../../../src/core/workflow/graph/dynamicPrompt';
import { pythonRepr } from '../../../src/core/workflow/values';
import { expectGentleGrowth } from '../../support/growth';
import { members, type Shapes } from './shapes';

const texts: Shapes = {
  'a number of many digits': (size) => `0.${'3'.repeat(size)}e5`,
  'a text of escapes': (size) => `"${'\\u00e9\\n\\"'.repeat(size)}"`,
  'a text that never ends': (size) => `"${'\\"'.repeat(size)}`,
  'names, also twice': (size) => `{${members(size, (id) => `"name ${id}":NaN,"${id % 7}":${id}`)}}`,
  'objects in a list': (size) => `[${members(size, () => '{"a":{"b":[]}}')}]`,
  'braces that never close': (size) => '{"a":'.repeat(size),
  commas: (size) => `[${','.repeat(size)}]`,
  'comments and blanks': (size) => `${'/* */ \n\t\r'.repeat(size)}/*`,
};

function orRefused(read: () => unknown): void {
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
        orRefused(() => pythonRepr(parseExact(text)));
        orRefused(() => parsePythonJson(text));
      },
    });
  });

  it('keeps no integer with more digits than a Python server reads', () => {
    const long = '9'.repeat(1_000_000);
    expect(() => parseExact(long)).toThrow(SyntaxError);
    const { root, problems } = parseJson(`{"seed":${long}}`);
    expect(problems).toMatchObject([{ kind: 'longNumber' }]);
    expect(() => root && writeExact(exactValue(root))).not.toThrow();
    expect(parseExact('9'.repeat(4_300))).toBe(BigInt('9'.repeat(4_300)));
  });
});

describe('texts of an editor', { timeout: 300_000 }, () => {
  it.each<[string, (size: number) => string, (text: string) => unknown]>([
    ['lines', (size) => 'a\r\n\r\n'.repeat(size), positionsOfLines],
    ['the layout of a new member', (size) => `{${' \n'.repeat(size)}"a": 1}`, insertMember],
    ['choices in choices', (size) => '{a|b}{a|'.repeat(size), (text) => choosePrompt(text, () => 0.9)],
    ['the steps of a price', (size) => `(${'$a := 1+1;'.repeat(size / 25)} $a)`, evaluateAny],
    ['definitions', definitionsText, (text) => [...Catalog.fromText(text).definitions()]],
  ])('take linear time: %s', async (_name, input, run) => {
    await expectGentleGrowth({ from: 1_024, to: 500_000, input, run });
  });
});

function positionsOfLines(text: string): number {
  const index = new PositionIndex(text);
  let sum = 0;
  for (let offset = 0; offset < text.length; offset += 16) sum += index.positionAt(offset).character;
  return sum;
}

function insertMember(text: string): unknown {
  const { root } = parseJson(text);
  return root?.kind === 'object' && insertProperty(text, root, 'b', '2');
}

function evaluateAny(text: string): void {
  try {
    evaluatePrice(text, {});
  } catch {
    // A refusal is fast enough.
  }
}

function definitionsText(size: number): string {
  const definition = (id: number): string =>
    `"Class ${id}":{"input":{"required":{"a":[["${id}"],{}]}},"output":["A"]}`;
  return `{${members(size / 5, definition)}}`;
}
