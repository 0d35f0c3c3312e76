import { describe, expect, it } from 'vitest';

import { convertLiteral, unwrapLiteral } from '../../../src/core/check/convert';
import { areCompatible } from '../../../src/core/check/linkTypes';
import { PythonRaise } from '../../../src/core/check/pythonRaise';
import { parseExact } from '../../../src/core/json/exactReader';

/** The converted value, or the message of the exception. */
function convert(type: string, json: string): unknown {
  try {
    return convertLiteral(type, parseExact(json));
  } catch (error) {
    if (error instanceof PythonRaise) return error.message;
    throw error;
  }
}

describe('convertLiteral', () => {
  it.each<[string, string, unknown]>([
    ['INT', '20.9', 20n],
    ['INT', '-20.9', -20n],
    ['INT', 'true', 1n],
    ['INT', '" +20 "', 20n],
    ['INT', '"1_0"', 10n],
    ['INT', '"-7"', -7n],
    ['INT', '"٣٤"', 34n],
    ['INT', '1e19', 10000000000000000000n],
    ['INT', '"1__0"', "ValueError: invalid literal for int() with base 10: '1__0'"],
    ['INT', '"20.5"', "ValueError: invalid literal for int() with base 10: '20.5'"],
    ['INT', '""', "ValueError: invalid literal for int() with base 10: ''"],
    ['INT', '"0x10"', "ValueError: invalid literal for int() with base 10: '0x10'"],
    ['INT', 'NaN', 'ValueError: cannot convert float NaN to integer'],
    ['INT', 'Infinity', 'OverflowError: cannot convert float infinity to integer'],
    [
      'INT',
      '{}',
      "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'dict'",
    ],
    ['FLOAT', '1', 1],
    ['FLOAT', 'false', 0],
    ['FLOAT', '" 1e3 "', 1000],
    ['FLOAT', '".5"', 0.5],
    ['FLOAT', '"5."', 5],
    ['FLOAT', '"1_0.0_1"', 10.01],
    ['FLOAT', '"NaN"', NaN],
    ['FLOAT', '"-Infinity"', -Infinity],
    ['FLOAT', '"."', "ValueError: could not convert string to float: '.'"],
    ['FLOAT', '"0x1"', "ValueError: could not convert string to float: '0x1'"],
    ['FLOAT', 'null', "TypeError: float() argument must be a string or a real number, not 'NoneType'"],
    ['STRING', 'null', 'None'],
    ['STRING', '1.0', '1.0'],
    ['STRING', '{"a": [true]}', "{'a': [True]}"],
    ['BOOLEAN', '"false"', true],
    ['BOOLEAN', '""', false],
    ['BOOLEAN', '0.0', false],
    ['BOOLEAN', 'NaN', true],
    ['BOOLEAN', '{}', false],
    ['IMAGE', '"x"', 'x'],
  ])('makes %s of %s', (type, json, expected) => {
    expect(convert(type, json)).toEqual(expected);
  });

  it('unwraps a wrapped value and leaves other objects', () => {
    expect(unwrapLiteral(parseExact('{"__value__": ["a"], "__type__": "CURVE"}'))).toEqual(['a']);
    expect(unwrapLiteral(parseExact('{"__value__": null}'))).toBeNull();
    expect(unwrapLiteral(parseExact('{"a": 1}'))).toEqual(new Map([['a', 1n]]));
  });
});

describe('areCompatible', () => {
  it.each<[unknown, unknown, boolean]>([
    ['IMAGE', 'IMAGE', true],
    ['*', 'IMAGE', true],
    ['IMAGE', '*', true],
    ['COMFY_MATCHTYPE_V3', 'IMAGE', true],
    ['IMAGE', 'IMAGE, MASK', true],
    ['FLOAT,INT', 'INT,STRING', true],
    ['IMAGE,*', 'MASK', true],
    ['INT', 'FLOAT', false],
    ['image', 'IMAGE', false],
    [['a'], 'COMBO', true],
    [['a'], ['a'], true],
    [['a'], ['a', 'b'], false],
    ['COMBO', ['a'], false],
    ['STRING', ['a'], false],
  ])('%j into %j: %s', (output, input, expected) => {
    expect(areCompatible(output as string, input as string)).toBe(expected);
  });
});
