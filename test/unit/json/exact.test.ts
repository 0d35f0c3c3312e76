import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareNumbers, exactEquals } from '../../../src/core/json/exactEquals';
import { parseExact, parseExactRange, parsePythonJson } from '../../../src/core/json/boundedJson';
import { exactFrom, exactValue, plainFrom } from '../../../src/core/json/exactValue';
import { floatText, writeExact } from '../../../src/core/json/exactWriter';
import { parseJson } from '../../../src/core/json/tree';

describe('exact values', () => {
  it('keep integers, floats and the order of names', () => {
    const value = parseExact('{"b": 18446744073709551615, "2": 1.0, "1": 1, "__proto__": null}');
    expect([...(value as ReadonlyMap<string, unknown>)]).toEqual([
      ['b', 18446744073709551615n],
      ['2', 1],
      ['1', 1n],
      ['__proto__', null],
    ]);
  });

  it('are the same from text and from its tree', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const text = JSON.stringify(data);
        const root = parseJson(text).root;
        expect(root && exactValue(root)).toEqual(parseExact(text));
      }),
    );
  });

  it('are written as Python writes them', () => {
    const text = '{"a": [1, 1.0, 1e-05, 1e+16, 0.0001, -0.0, NaN, -Infinity, 18446744073709551616], "b": {}}';
    expect(writeExact(parseExact(text))).toBe(text);
  });

  it('round-trip through text', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(Object.is(parseExact(floatText(value)), value)).toBe(true);
      }),
    );
  });

  it('are converted to plain data and back', () => {
    const data = { a: [1, 2.5, 'x', null, true], b: { c: 2n ** 64n } };
    expect(plainFrom(exactFrom({ ...data, d: undefined }))).toEqual(data);
    expect(exactFrom(3)).toBe(3n);
  });

  it('are read from part of a text', () => {
    expect(parseExactRange('{"a": [1, "x"], "b": 2}', 6, 14)).toEqual([1n, 'x']);
  });

  const broken = ['', '{', '{"a" 1}', '[1,]', '"a', '01', 'nul', '{"a": 1} x', '"\\x"', '['.repeat(100_000)];
  it.each(broken)('reject %.20s', (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  });
});

describe('exactEquals', () => {
  it.each([
    ['1', '1.0', true],
    ['1', 'true', true],
    ['0', 'false', true],
    ['1', '"1"', false],
    ['NaN', 'NaN', false],
    ['18446744073709551616', '1.8446744073709552e19', true],
    ['18446744073709551615', '1.8446744073709552e19', false],
    ['[1, [2]]', '[1.0, [2]]', true],
    ['{"a": 1, "b": 2}', '{"b": 2, "a": true}', true],
    ['{"a": null}', '{"b": null}', false],
    ['"a"', '"A"', false],
    ['null', 'false', false],
  ])('evaluates %s == %s to %s, as Python does', (a, b, expected) => {
    expect(exactEquals(parseExact(a), parseExact(b))).toBe(expected);
  });

  it('compares with every digit', () => {
    expect(compareNumbers(18446744073709551616n, 18446744073709551615n)).toBe(1);
    expect(compareNumbers(true, 2)).toBe(-1);
    expect(compareNumbers(NaN, 1n)).toBeNaN();
  });
});

describe('parsePythonJson', () => {
  it('reads what Python servers write', () => {
    expect(parsePythonJson('{"min": -Infinity, "x": [NaN], "s": "NaN", "n": 18446744073709551615}')).toEqual({
      min: -Infinity,
      x: [NaN],
      s: 'NaN',
      n: 2 ** 64,
    });
  });

  it('agrees with JSON.parse on strict JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        expect(parsePythonJson(JSON.stringify(data))).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it.each(['', '{', 'NaNa', '{"a": NaN,}'])('throws a SyntaxError for %s', (text) => {
    expect(() => parsePythonJson(text)).toThrow(SyntaxError);
  });
});
