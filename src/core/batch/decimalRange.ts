import { numberText, t } from '../safety/localize';
import { BatchProblem } from './batchProblem';

/** `digits` * 10^-`scale`; the scale is never negative. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Exponents and fractions beyond this are a mistake: no input has such a step. */
const mostDigits = 400;

/**
 * The numbers from one limit to the other, in steps, as JSON texts: 0.1 to 0.3 by 0.1 ends with 0.3. All have as many
 * decimals as the most precise of the three; integers of any size stay exact. A range may count down.
 * @param step default 1, or -1 if `to` is smaller; its sign does not matter
 * @throws BatchProblem for a step of zero, what is no number, or more than `most` numbers
 */
export function decimalRange(from: string, to: string, step: string | undefined, most: number): string[] {
  const [first, last, by] = [from, to, step ?? '1'].map(decimalOf);
  if (!first || !last || !by) {
    throw new BatchProblem(
      t`Enter a range as from..to or from..to..step.`,
      t`For example, 6..8 or 6..8..0.5.`,
    );
  }
  if (by.digits === 0n) {
    throw new BatchProblem(t`The step of a range can't be zero.`, t`Enter another step, or leave it out.`);
  }
  const scale = Math.max(first.scale, last.scale, by.scale);
  const [start, end, size] = [atScale(first, scale), atScale(last, scale), absolute(atScale(by, scale))];
  const direction = end < start ? -1n : 1n;
  const count = absolute(end - start) / size + 1n;
  if (count > BigInt(most)) {
    throw new BatchProblem(
      t`The range from ${from} to ${to} has more than ${numberText(most)} numbers.`,
      t`Use a larger step.`,
    );
  }
  return Array.from({ length: Number(count) }, (_, index) =>
    decimalText(start + direction * size * BigInt(index), scale),
  );
}

/** Whether a text is a JSON number. */
export function isNumberText(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

/** Whether a text is a JSON number without fraction and exponent. */
export function isIntegerText(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)$/.test(text);
}

function decimalOf(text: string): Decimal | undefined {
  if (!isNumberText(text) || text.length > mostDigits) return undefined;
  const [mantissa = '', exponentText = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponentText);
  if (Math.abs(scale) > mostDigits) return undefined;
  const digits = BigInt(whole + fraction);
  // "-0.5": the sign is part of the digits, "-05".
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function atScale({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

function decimalText(digits: bigint, scale: number): string {
  if (scale === 0) return digits.toString();
  const sign = digits < 0n ? '-' : '';
  const padded = absolute(digits)
    .toString()
    .padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
