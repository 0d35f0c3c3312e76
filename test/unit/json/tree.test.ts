import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { exactValue, plainFrom } from '../../../src/core/json/exactValue';
import type { JsonNode, JsonObject } from '../../../src/core/json/node';
import { isTolerated } from '../../../src/core/json/problem';
import { sourceTextIn } from '../../../src/core/json/textEdit';
import { parseJson, strictJson } from '../../../src/core/json/tree';
import { budgets } from '../../../src/core/safety/budgets';

function objectOf(text: string): JsonObject {
  const { root } = parseJson(text);
  if (root?.kind !== 'object') throw new Error('not an object');
  return root;
}

/** The kind of each problem and the text it marks. */
function problemsOf(text: string): string[] {
  return parseJson(text).problems.map(({ kind, offset, length }) =>
    `${kind} ${text.slice(offset, offset + length)}`.trim(),
  );
}

/** The value of a node, as plain data. */
function plain(node: JsonNode | undefined): unknown {
  return node && plainFrom(exactValue(node));
}

describe('parseJson', () => {
  it('continues after any number of NaN and duplicate names, as servers do', () => {
    const numbers = Array.from({ length: 1_000 }, () => 'NaN').join(',');
    const doubled = Array.from({ length: 1_000 }, () => '"a": 1').join(',');
    const text = `{"numbers": [${numbers}], "doubled": {${doubled}}, "last": 1}`;
    const { root, problems } = parseJson(text);
    expect(root?.kind === 'object' && root.get('last')).toMatchObject({ kind: 'number' });
    expect(root?.length).toBe(text.length);
    expect(problems.every(isTolerated)).toBe(true);
    expect(problems.length).toBeLessThan(1_000);
  });

  it('reads strict JSON without a problem', () => {
    const { root, problems } = parseJson(' {"a": [1, -2.5e3, "x\\n\\u00e9", true, null], "b": {}}\n');
    expect(problems).toEqual([]);
    expect(plain(root)).toEqual({ a: [1, -2500, 'x\né', true, null], b: {} });
  });

  it('knows the position of everything', () => {
    const text = '{ "a" : [1, {"b": "x"}] }';
    const places = objectOf(text).properties.map((property) => ({
      whole: sourceTextIn(text, property),
      key: sourceTextIn(text, property.key),
      value: property.value && sourceTextIn(text, property.value),
    }));
    expect(places).toEqual([{ whole: '"a" : [1, {"b": "x"}]', key: '"a"', value: '[1, {"b": "x"}]' }]);
  });

  it('keeps every digit of a number', () => {
    const node = objectOf('{"seed": 18446744073709551615, "cfg": 1.0}');
    expect(node.get('seed')).toMatchObject({ text: '18446744073709551615', bigint: 18446744073709551615n });
    expect(node.get('cfg')).toMatchObject({ text: '1.0', value: 1, isInteger: false, bigint: undefined });
  });

  it("returns a number's text without keeping the file in memory", () => {
    const number = objectOf('{"seed": 7, "note": "private"}').get('seed');
    expect(JSON.stringify(number)).toBe('{"offset":9,"length":1}');
  });

  it('reads NaN and infinities and reports that they are not strict', () => {
    const text = '[NaN, -Infinity, Infinity]';
    expect(problemsOf(text)).toEqual(['nonFinite NaN', 'nonFinite -Infinity', 'nonFinite Infinity']);
    expect(plain(parseJson(text).root)).toEqual([NaN, -Infinity, Infinity]);
  });

  it('uses the last of several equal names and marks it', () => {
    const text = '{"a": 1, "b": 2, "a": 3}';
    expect(problemsOf(text)).toEqual(['duplicateKey "a"']);
    expect(objectOf(text).get('a')).toMatchObject({ text: '3' });
  });

  it('finds equal names in large objects too', () => {
    const names = Array.from({ length: 40 }, (_, index) => `"n${index}": ${index}`);
    const text = `{${[...names, '"n7": 99', '"n39": 98'].join(',')}}`;
    expect(problemsOf(text)).toEqual(['duplicateKey "n7"', 'duplicateKey "n39"']);
    expect(objectOf(text).get('n7')).toMatchObject({ text: '99' });
    expect(objectOf(text).get('n12')).toMatchObject({ text: '12' });
  });

  it.each([
    ['', ['unexpectedEnd']],
    ['{"a": 1', ['unexpectedEnd']],
    ['{"a": }', ['expectedValue }']],
    ['{"a" 1}', ['expectedColon 1']],
    ['{"a"}', ['expectedColon }']],
    ['{"a": 1 "b": 2}', ['expectedComma "b"']],
    ['[1 2]', ['expectedComma 2']],
    ['[1,]', ['trailingComma ,']],
    ['{"a": 1,}', ['trailingComma ,']],
    ['[,1]', ['expectedValue ,']],
    ['{1: 2}', ['expectedKey 1', 'invalidToken :', 'expectedKey 2']],
    ['[1]]', ['expectedEnd ]']],
    ['{} {}', ['expectedEnd {}']],
    ['// note\n[1]', ['comment // note']],
    ['[1 /* one */]', ['comment /* one */']],
    ['"open', ['invalidString "open']],
    ['"bad \\x escape"', ['invalidString "bad \\x escape"']],
    ['[1.]', ['invalidNumber 1.']],
    ['[01]', ['expectedComma 1']],
    ["{'a': 1}", ["invalidToken 'a'", 'invalidToken :', 'expectedKey 1']],
    ['undefined', ['invalidToken undefined', 'unexpectedEnd']],
    ['[NaNa]', ['invalidToken NaNa']],
    ['[1, {NaN: 1}]', ['nonFinite NaN', 'expectedKey NaN', 'invalidToken :', 'expectedKey 1']],
  ])('reports what is wrong with %s', (text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });

  it('reads as much as it can of a broken text', () => {
    const text = '{"a": {"b": 1, "c": [1, 2';
    const node = objectOf(text);
    expect(plain(node)).toEqual({ a: { b: 1, c: [1, 2] } });
    expect(sourceTextIn(text, node)).toBe(text);
  });

  it('skips a byte order mark', () => {
    expect(parseJson('\uFEFF{"a": 1}').problems).toEqual([]);
  });

  it('lists no more problems than help anybody, whatever they are', () => {
    for (const [text, kind] of [
      ['//\n', 'comment'],
      [',', 'expectedValue'],
    ] as const) {
      const { problems } = parseJson(text.repeat(10_000));
      expect(problems.length, kind).toBeLessThan(300);
      expect(problems[0]?.kind).toBe(kind);
    }
  });

  it('ends a string at its line, and keeps what it says', () => {
    for (const [text, value] of [
      ['["a\\n', 'a\\n'],
      ['["a\\qb"]', 'a\\qb'],
      ['["a\tb"]', 'a\tb'],
      ['["a\nb"]', 'a'],
    ] as const) {
      const { root, problems } = parseJson(text);
      expect(problems[0]).toMatchObject({ kind: 'invalidString', offset: 1 });
      expect(root?.kind === 'array' && root.items[0]).toMatchObject({ kind: 'string', value });
    }
  });

  it('rejects excessive nesting instead of overflowing the stack', () => {
    const { root, problems } = parseJson('['.repeat(100_000));
    expect(problems.map(({ kind }) => kind)).toEqual(['tooDeep']);
    expect(root?.kind).toBe('array');
  });

  it.each([
    ['values', '0,'],
    ['lists', '[],'],
    ['members', '"a":0,'],
  ])('does not keep a text of more %s than a file may have, and reads no further', (what, text) => {
    // A million would take as many seconds as this takes milliseconds.
    const { fileValues } = budgets;
    const limit = 2_000;
    Object.assign(budgets, { fileValues: limit });
    onTestFinished(() => void Object.assign(budgets, { fileValues }));
    const [open, close] = what === 'members' ? ['{', '"a":0}'] : ['[', '0]'];
    const most = parseJson(open + text.repeat(limit - 2) + close);
    expect(most.root?.length).toBe(most.text.length);
    const { root, problems } = parseJson(`${open}${text.repeat(limit)}}}}}}}`);
    expect(root).toBeUndefined();
    expect(problems).toMatchObject([{ kind: 'tooMany', offset: 0 }]);
  });

  it('reads what JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const { root, problems } = parseJson(text);
        expect(problems).toEqual([]);
        expect(JSON.stringify(plain(root), asDoubles)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('never throws, and finds a problem exactly where JSON.parse does', () => {
    const sign = fc.constantFrom('{', '}', '[', ']', ',', ':', '1', '-', '"', ' ', '\n', '\\');
    const piece = fc.oneof(sign, fc.constantFrom('"a"', '"b"', '.5', 'true', 'NaN', '//'));
    const anything = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const { problems } = parseJson(text);
        const isStrict = problems.every(({ kind }) => kind === 'duplicateKey');
        expect(isStrict).toBe(reads(text));
        expect(problems.every((problem) => isTolerated(problem)) || !reads(text)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

/** JSON.parse only has doubles. */
function asDoubles(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function reads(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('strictJson', () => {
  it('replaces comments and trailing commas with spaces', () => {
    const text = '// mine\r\n{ /* a,\n b */ "a": [1, 2,], // end\n  "b": 3 /* x */ , }\n/* over */';
    const strict = strictJson(text);
    expect(strict).toBe('       \r\n{      \n      "a": [1, 2 ],       \n  "b": 3           }\n          ');
    expect(strict).toHaveLength(text.length);
    expect(JSON.parse(strict)).toEqual({ a: [1, 2], b: 3 });
  });

  it('leaves the inside of strings alone', () => {
    const text = '\uFEFF{"a": "// no", "b": "/* no */ ,}", "c": "\\"//", "d": [1,2]}';
    expect(strictJson(text)).toBe(text);
    expect(strictJson(`${text}//`)).toBe(`${text}  `);
  });

  it('leaves broken JSON broken', () => {
    for (const text of [
      '{,}',
      '[,]',
      '[1,,]',
      '{"a": /',
      '[1 / 2]',
      '{"a" "b",,}',
      '{"a": "open // ',
      '',
      ',',
      '{ /* open',
    ])
      expect(parseJson(strictJson(text)).problems.length, text).toBeGreaterThan(0);
  });
});
