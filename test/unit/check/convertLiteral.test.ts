import { describe, expect, it } from 'vitest';
import { convertLiteral, isConverted, unwrapLiteral } from '../../../src/core/check/convertLiteral';
import { PythonRaise } from '../../../src/core/check/pythonRaise';
import type { ExactValue } from '../../../src/core/json/exactValue';

/* The results of Python's int(), float(), str() and bool() for the possible values of a prompt. */

/** The value, or Python's exception instead. */
function converted(type: string, value: ExactValue): unknown {
  try {
    return convertLiteral(type, value);
  } catch (error) {
    if (!(error instanceof PythonRaise)) throw error;
    return `${error.exceptionType}: ${error.text}`;
  }
}

const noInt = (text: string) => `ValueError: invalid literal for int() with base 10: '${text}'`;
const noFloat = (text: string) => `ValueError: could not convert string to float: '${text}'`;

describe('an INT', () => {
  it.each<[ExactValue, unknown]>([
    [18446744073709551616n, 18446744073709551616n],
    [true, 1n],
    [false, 0n],
    [20.9, 20n],
    [-20.9, -20n],
    ['7', 7n],
    ['+7', 7n],
    [' 1_000\n', 1000n],
    ['\u00a07\u2003', 7n],
    ['\u0661\u0669\uff15', 195n],
    ['\u{1d7cf}\u{1d7d9}\u{1d7ff}', 119n],
    ['9'.repeat(4300), BigInt('9'.repeat(4300))],
    ['1_'.repeat(4299) + '1', BigInt('1'.repeat(4300))],
  ])('is made of %s', (value, made) => {
    expect(converted('INT', value)).toBe(made);
  });

  it.each<[ExactValue, string]>([
    ...['', '7.0', '1__0', '_1', '7a', '1 0', '0x10'].map((text): [string, string] => [text, noInt(text)]),
    ['7\ufeff', noInt('7\\ufeff')],
    [NaN, 'ValueError: cannot convert float NaN to integer'],
    [-Infinity, 'OverflowError: cannot convert float infinity to integer'],
    [
      null,
      "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
    ],
    [
      '1'.repeat(4301),
      'ValueError: Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits; use sys.set_int_max_str_digits() to increase the limit',
    ],
  ])('is not made of %j', (value, raised) => {
    expect(converted('INT', value)).toBe(raised);
  });
});

describe('a FLOAT', () => {
  it.each<[ExactValue, number]>([
    [7.5, 7.5],
    [7n, 7],
    [true, 1],
    [false, 0],
    ['7', 7],
    ['-.5', -0.5],
    ['+5.', 5],
    [' 1_0.2_5 ', 10.25],
    ['\u0085 7\n', 7],
    ['.2_5', 0.25],
    ['1e1_00', 1e100],
    ['1e3', 1000],
    ['1E+1_0', 1e10],
    ['.5e-2', 0.005],
    ['\u0667.\u0665', 7.5],
    ['nan', NaN],
    ['-NaN', NaN],
    ['inf', Infinity],
    ['-INF', -Infinity],
  ])('is made of %s', (value, made) => {
    expect(converted('FLOAT', value)).toBe(made);
  });

  it.each<[ExactValue, string]>([
    ...['', '.', '7,5', '1e', '1__0', '1_.5', 'a1', 'infinite', 'an inf'].map((text): [string, string] => [
      text,
      noFloat(text),
    ]),
    ['\u001c7', noFloat('\\x1c7')],
    [10n ** 400n, 'OverflowError: int too large to convert to float'],
    [null, "TypeError: float() argument must be a string or a real number, not 'NoneType'"],
  ])('is not made of %s', (value, raised) => {
    expect(converted('FLOAT', value)).toBe(raised);
  });
});

describe('a BOOLEAN', () => {
  it.each<[ExactValue, boolean]>([
    ['false', true],
    ['', false],
    [0, false],
    [0n, false],
    [NaN, true],
    [0.1, true],
    [null, false],
    [[], false],
    [[0], true],
    [new Map(), false],
    [new Map([['a', 0]]), true],
  ])('of %s is %s', (value, made) => {
    expect(converted('BOOLEAN', value)).toBe(made);
  });
});

describe('the value of an input', () => {
  it.each(['INT', 'FLOAT', 'STRING', 'BOOLEAN'])('of type %s is converted', (type) => {
    expect(isConverted(type)).toBe(true);
  });

  it.each<[ExactValue]>([['IMAGE'], ['COMBO'], [['INT']]])('of type %j stays as it is', (type) => {
    expect(isConverted(type)).toBe(false);
    expect(convertLiteral(type, '5')).toBe('5');
  });

  it('of type STRING is the text that Python writes', () => {
    expect([true, null, 5n].map((value) => converted('STRING', value))).toEqual(['True', 'None', '5']);
  });

  it('can be wrapped, so that a list is no link', () => {
    expect(unwrapLiteral(new Map([['__value__', ['5', 0]]]))).toEqual(['5', 0]);
    expect(unwrapLiteral(['5', 0])).toEqual(['5', 0]);
    const other = new Map([['value', 5]]);
    expect(unwrapLiteral(other)).toBe(other);
  });
});
