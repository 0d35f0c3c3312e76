import { type Decimal, parseDecimal, decimalText, scaledUnits } from '../json/decimal';
import { floatText } from '../json/exactWriter';
import { t } from '../safety/localize';

export interface RowField {
  readonly kind: 'int' | 'float' | 'boolean' | 'options' | 'text' | 'lines';
  readonly hint?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly step?: string | undefined;
  readonly options?: readonly string[] | undefined;
}

/** A float has no more digits that count. */
const mostFloatDigits = 25;

function difference(one: Decimal, other: Decimal): bigint {
  const digits = Math.max(one.digits, other.digits);
  return scaledUnits(one, digits) - scaledUnits(other, digits);
}

export function wrongText(field: RowField, text: string): string | undefined {
  switch (field.kind) {
    case 'boolean':
      return text === 'true' || text === 'false' ? undefined : t`Enter true or false.`;
    case 'options':
      return field.options?.includes(text) === true ? undefined : t`Select one of the options.`;
    case 'text':
    case 'lines':
      return undefined;
    default: {
      const [value, min, max] = [text.trim(), field.min, field.max].map(parseDecimal);
      // Python reads a larger one as infinity.
      if (!value || !Number.isFinite(Number(text))) return t`Enter a number such as 20 or 7.5.`;
      if (field.kind === 'int' && value.units % 10n ** BigInt(value.digits) !== 0n)
        return t`Enter a whole number.`;
      if (min && difference(value, min) < 0n) return t`Enter a number of at least ${field.min ?? ''}.`;
      if (max && difference(value, max) > 0n) return t`Enter a number of at most ${field.max ?? ''}.`;
      return undefined;
    }
  }
}

/** A value as it is written. A whole number has its digits alone, since others are read as floats and lose some. */
export function writtenText({ kind }: RowField, text: string): string {
  if (kind === 'text' || kind === 'lines') return JSON.stringify(text);
  const value = kind === 'int' ? parseDecimal(text.trim()) : undefined;
  return value ? String(value.units / 10n ** BigInt(value.digits)) : text.trim();
}

/** Definitions may have any number; whole numbers make whole steps. */
function stepOf({ kind, step }: RowField): Decimal {
  const given = parseDecimal(step);
  const isStep = given && given.units > 0n && (kind === 'float' || Number.isInteger(Number(step)));
  return isStep ? given : kind === 'int' ? { units: 1n, digits: 0 } : { units: 5n, digits: 1 };
}

/** The next value up (1) or down (-1), as the arrows of a row lead to it; undefined at the end. */
export function steppedText(field: RowField, text: string, by: 1 | -1): string | undefined {
  switch (field.kind) {
    case 'text':
    case 'lines':
      return undefined;
    case 'boolean':
      return text === 'true' ? 'false' : 'true';
    case 'options': {
      const { options = [] } = field;
      let at = options.indexOf(text);
      if (at < 0) return options[0];
      // A list may have one option twice.
      while (options[at] === text) at += by;
      return options[at];
    }
    default: {
      const [value, min, max] = [text.trim(), field.min, field.max].map(parseDecimal);
      if (!value) return undefined;
      const step = stepOf(field);
      const digits = Math.max(value.digits, step.digits);
      const next = { units: scaledUnits(value, digits) + BigInt(by) * scaledUnits(step, digits), digits };
      const kept = min && difference(next, min) < 0n ? min : max && difference(next, max) > 0n ? max : next;
      const nextText = decimalText(
        kept.digits < digits ? { units: scaledUnits(kept, digits), digits } : kept,
      );
      // This also applies if a float is too large, or the step too small, to have another value.
      const isSame = digits > 0 ? Number(nextText) === Number(text) : difference(kept, value) === 0n;
      if (isSame || wrongText(field, nextText) !== undefined) return undefined;
      const isLong = field.kind === 'float' && nextText.length > mostFloatDigits;
      return isLong ? floatText(Number(nextText)) : nextText;
    }
  }
}
