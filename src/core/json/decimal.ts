/** `units` / 10^`digits`; `digits` is never negative. */
export interface Decimal {
  readonly units: bigint;
  readonly digits: number;
}

/** Longer numbers, exponents, and fractions are a mistake: no input has such a value, and they take long to be read. */
const mostDigits = 400;

export function isNumberText(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

export function parseDecimal(text = ''): Decimal | undefined {
  if (text.length > mostDigits || !isNumberText(text)) return undefined;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = fraction.length - Number(exponent);
  if (Math.abs(digits) > mostDigits) return undefined;
  // "-0.5": the sign is part of the digits, "-05".
  const units = BigInt(whole + fraction);
  return digits < 0 ? { units: units * 10n ** BigInt(-digits), digits: 0 } : { units, digits };
}

export function scaledUnits({ units, digits }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - digits);
}

export function decimalText({ units, digits }: Decimal): string {
  const all = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const at = all.length - digits;
  return `${units < 0n ? '-' : ''}${all.slice(0, at)}${digits > 0 ? `.${all.slice(at)}` : ''}`;
}
