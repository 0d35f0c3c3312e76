import { blankLetters, withoutEnd, withoutStart } from '../safety/ends';
import { type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import { pythonRepr, pythonStr, pythonTypeName } from '../workflow/values';
import { PythonRaise } from './pythonRaise';

/** Converts a literal as the server does (workflows 4.5). Raises what Python raises if that fails. */
export function convertLiteral(type: ExactValue, value: ExactValue): ExactValue {
  switch (type) {
    case 'INT':
      return toInt(value);
    case 'FLOAT':
      return toFloat(value);
    case 'STRING':
      return pythonStr(value);
    case 'BOOLEAN':
      return isTruthy(value);
    default:
      return value;
  }
}

/** Whether the server converts the values of such an input, so that a list does not stay one. */
export function isConverted(type: ExactValue): boolean {
  return type === 'INT' || type === 'FLOAT' || type === 'STRING' || type === 'BOOLEAN';
}

/** `{"__value__": x}` stands for x: the way to write a list that is not a link. */
export function unwrapLiteral(value: ExactValue): ExactValue {
  const wrapped = isExactObject(value) ? value.get('__value__') : undefined;
  return wrapped === undefined ? value : wrapped;
}

/** Python's `int(value)`: numbers are cut towards zero, text may be a decimal integer. */
function toInt(value: ExactValue): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'number') {
    if (Number.isNaN(value)) throw new PythonRaise('ValueError', 'cannot convert float NaN to integer');
    if (!Number.isFinite(value))
      throw new PythonRaise('OverflowError', 'cannot convert float infinity to integer');
    return BigInt(Math.trunc(value));
  }
  if (typeof value !== 'string') {
    const wanted = 'int() argument must be a string, a bytes-like object or a real number';
    throw new PythonRaise('TypeError', `${wanted}, not '${pythonTypeName(value)}'`);
  }
  const digits = asciiNumber(value);
  if (!/^[+-]?\d+(?:_\d+)*$/.test(digits)) {
    throw new PythonRaise('ValueError', `invalid literal for int() with base 10: ${pythonRepr(value)}`);
  }
  const length = digits.replace(/\D/g, '').length;
  if (length > mostDigits) {
    const text = `Exceeds the limit (${mostDigits} digits) for integer string conversion: value has ${length} digits`;
    throw new PythonRaise('ValueError', `${text}; use sys.set_int_max_str_digits() to increase the limit`);
  }
  return BigInt(digits.replace(/^\+|_/g, ''));
}

/** Python's `float(value)`: text may also be `nan`, `inf` or `infinity` in any case. */
function toFloat(value: ExactValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') {
    const double = Number(value);
    if (!Number.isFinite(double)) throw new PythonRaise('OverflowError', 'int too large to convert to float');
    return double;
  }
  if (typeof value !== 'string') {
    const wanted = 'float() argument must be a string or a real number';
    throw new PythonRaise('TypeError', `${wanted}, not '${pythonTypeName(value)}'`);
  }
  const text = asciiNumber(value);
  const word = /^([+-]?)(nan|inf(?:inity)?)$/i.exec(text);
  if (word) return word[2]?.toLowerCase() === 'nan' ? NaN : word[1] === '-' ? -Infinity : Infinity;
  if (
    !/^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/.test(text)
  ) {
    throw new PythonRaise('ValueError', `could not convert string to float: ${pythonRepr(value)}`);
  }
  return Number(text.replaceAll('_', ''));
}

/** Python's `bool(value)`: empty and zero are false, everything else is true, including the string "false". */
function isTruthy(value: ExactValue): boolean {
  if (isExactList(value)) return value.length > 0;
  if (isExactObject(value)) return value.size > 0;
  if (typeof value === 'number') return value !== 0;
  return Boolean(value);
}

/** Longer strings are not integers to Python. */
const mostDigits = 4300;

/** Blanks at the ends of a number, as Python has them: not all that JavaScript trims, and one that it does not. */
const pythonBlanks = `${blankLetters.replace('\ufeff', '')}\u0085`;

/** Python strips white space around numbers and reads the decimal digits of every script. */
function asciiNumber(text: string): string {
  const bare = withoutStart(withoutEnd(text, pythonBlanks), pythonBlanks);
  return bare.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Decimal digits come in tens in Unicode, from 0 to 9; tens may follow each other, as the mathematical ones do. */
function digitValue(digit: string): number {
  if (/\d/.test(digit)) return Number(digit);
  const code = digit.codePointAt(0) ?? 0;
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return (code - start) % 10;
}
