import { type ExactValue, isExactList, isExactObject } from './exactValue';

/** Writes a float as Python does: always with a point or an exponent, and exponents from 1e16 on and below 1e-4. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (Object.is(value, -0)) return '-0.0';
  if (value === 0) return '0.0';
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 16) {
    // Within this span JavaScript and Python agree on the digits; only JavaScript's own exponents start elsewhere.
    const plain = String(value);
    return /^-?\d+$/.test(plain) ? `${plain}.0` : plain;
  }
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** JSON text of an exact value, with the numbers as a Python server writes them (NaN and Infinity bare). */
export function writeExact(value: ExactValue): string {
  if (isExactList(value)) return `[${value.map(writeExact).join(', ')}]`;
  if (isExactObject(value)) {
    const members = [...value].map(([name, member]) => `${JSON.stringify(name)}: ${writeExact(member)}`);
    return `{${members.join(', ')}}`;
  }
  if (typeof value === 'number') return floatText(value);
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(value);
}
