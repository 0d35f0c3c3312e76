import { describe, expect, it } from 'vitest';
import { type RowField, steppedText, writtenText, wrongText } from '../../../src/core/drawing/rowValue';

const int: RowField = { kind: 'int', min: '0', max: '18446744073709551615' };
const float: RowField = { kind: 'float', min: '0', max: '1', step: '0.01' };
const options: RowField = { kind: 'options', options: ['euler', 'heun', 'ddim'] };

describe('the next value of a row', () => {
  it.each([
    [int, '20', 1, '21'],
    // Every digit counts.
    [int, '9007199254740993', 1, '9007199254740994'],
    [int, '18446744073709551614', 1, '18446744073709551615'],
    [int, '18446744073709551615', 1, undefined],
    [int, '0', -1, undefined],
    [{ ...int, step: '8' }, '12', 1, '20'],
    [{ ...int, step: '64', max: '100' }, '64', 1, '100'],
    [float, '0.3', 1, '0.31'],
    [float, '0.10', -1, '0.09'],
    [float, '0.005', -1, '0.000'],
    [{ ...float, min: '-1.0' }, '0.0', -1, '-0.01'],
    [{ kind: 'float', step: '1e-05' }, '1', 1, '1.00001'],
    [{ kind: 'float', step: '0.1' }, '1e-3', 1, '0.101'],
    [{ kind: 'float' }, '7.5', 1, '8.0'],
    [int, 'twenty', 1, undefined],
    [{ kind: 'float', step: '0.1' }, '1e999', 1, undefined],
    [{ kind: 'int' }, '1'.repeat(1_000_000), 1, undefined],
    // Odd definitions and values.
    [{ kind: 'float', step: '1e-320' }, '7.5', 1, undefined],
    [{ kind: 'float', step: '1e+300' }, '7.5', 1, '1e+300'],
    [{ kind: 'int', step: '-2' }, '7', 1, '8'],
    [{ kind: 'int', step: '0.5' }, '7', 1, '8'],
    [{ kind: 'int', step: 'Infinity', min: 'NaN' }, '7', -1, '6'],
    [{ kind: 'int', min: '10', max: '5' }, '7', 1, undefined],
    [{ kind: 'int', min: '0.5' }, '1', -1, undefined],
    [{ kind: 'float', step: '0.1' }, '1e20', 1, undefined],
    [options, 'euler', 1, 'heun'],
    [options, 'euler', -1, undefined],
    [options, 'eulre', 1, 'euler'],
    [{ kind: 'boolean' }, 'true', 1, 'false'],
    [{ kind: 'boolean' }, 'false', -1, 'true'],
  ] as const)('%o: %s by %i is %s', (field, text, by, next) => {
    expect(steppedText(field, text, by)).toBe(next);
  });
});

describe('what is wrong with an entered value', () => {
  it.each([
    [int, '20', undefined],
    [int, '18446744073709551616', 'Enter a number of at most 18446744073709551615.'],
    [int, '-1', 'Enter a number of at least 0.'],
    [int, '7.5', 'Enter a whole number.'],
    [int, '7.0', undefined],
    [int, '', 'Enter a number such as 20 or 7.5.'],
    [int, '1e99999', 'Enter a number such as 20 or 7.5.'],
    [float, '1.0001', 'Enter a number of at most 1.'],
    [options, 'heun', undefined],
    [options, 'he', 'Select one of the options.'],
    [{ kind: 'boolean' }, 'yes', 'Enter true or false.'],
  ] as const)('%o: %s', (field, text, wrong) => {
    expect(wrongText(field, text)).toBe(wrong);
  });
});

describe('a number as it is written', () => {
  it('is whole without point and exponent, which would cost it digits', () => {
    expect(writtenText(int, '9007199254740993.0')).toBe('9007199254740993');
    expect(writtenText(int, '1.8446744073709551615e19')).toBe('18446744073709551615');
    expect(writtenText({ kind: 'int' }, ' -5.0 ')).toBe('-5');
    expect(writtenText(float, ' 0.50 ')).toBe('0.50');
  });
});

describe('a list with one option twice', () => {
  it('leads from one option to the next', () => {
    const twice: RowField = { kind: 'options', options: ['a', 'a', 'b'] };
    expect(steppedText(twice, 'a', 1)).toBe('b');
    expect(steppedText(twice, 'a', -1)).toBeUndefined();
    expect(steppedText(twice, 'b', -1)).toBe('a');
  });
});
