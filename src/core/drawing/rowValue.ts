import { t } from '../safety/localize';

/** What may be entered for the value of a row. Numbers are texts: no digit is lost. */
export interface RowField {
  readonly kind: 'int' | 'float' | 'boolean' | 'options';
  /** What it takes, in words. */
  readonly hint?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly step?: string | undefined;
  readonly options?: readonly string[] | undefined;
}

/** A number as its digits and how many of them stand after the point. */
interface Decimal {
  readonly units: bigint;
  readonly digits: number;
}

/** Nobody could read longer numbers, and they take long to be read. */
const mostDigits = 400;

function decimal(text: string | undefined): Decimal | undefined {
  if (text !== undefined && text.length > mostDigits) return undefined;
  const found = /^(-?(?:0|[1-9]\d*))(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text?.trim() ?? '');
  if (!found) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = found;
  const digits = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  if (Math.abs(digits) > mostDigits) return undefined;
  return digits < 0 ? { units: units * 10n ** BigInt(-digits), digits: 0 } : { units, digits };
}

function unitsAt({ units, digits }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - digits);
}

/** Less than 0 if one is less than the other. */
function compared(one: Decimal, other: Decimal): number {
  const digits = Math.max(one.digits, other.digits);
  const difference = unitsAt(one, digits) - unitsAt(other, digits);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function decimalText({ units, digits }: Decimal): string {
  const all = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const at = all.length - digits;
  return `${units < 0n ? '-' : ''}${all.slice(0, at)}${digits > 0 ? `.${all.slice(at)}` : ''}`;
}

/** What is wrong with an entered text, in a sentence. */
export function wrongText(field: RowField, text: string): string | undefined {
  switch (field.kind) {
    case 'boolean':
      return text === 'true' || text === 'false' ? undefined : t`Enter true or false.`;
    case 'options':
      return field.options?.includes(text) === true ? undefined : t`Select one of the options.`;
    default: {
      const [value, min, max] = [decimal(text), decimal(field.min), decimal(field.max)];
      // Python reads a larger one as infinity.
      if (!value || !Number.isFinite(Number(text))) return t`Enter a number such as 20 or 7.5.`;
      if (field.kind === 'int' && value.units % 10n ** BigInt(value.digits) !== 0n)
        return t`Enter a whole number.`;
      if (min && compared(value, min) < 0) return t`Enter a number of at least ${field.min ?? ''}.`;
      if (max && compared(value, max) > 0) return t`Enter a number of at most ${field.max ?? ''}.`;
      return undefined;
    }
  }
}

/** A number as it is written: a whole one with its digits alone, since others are read as floats and lose some. */
export function writtenText({ kind }: RowField, text: string): string {
  const value = kind === 'int' ? decimal(text) : undefined;
  return value ? String(value.units / 10n ** BigInt(value.digits)) : text.trim();
}

/** The next value up (1) or down (-1), as the arrows of a row lead to it; undefined at the end. */
export function steppedText(field: RowField, text: string, by: 1 | -1): string | undefined {
  switch (field.kind) {
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
      const [value, step] = [decimal(text), decimal(field.step ?? (field.kind === 'int' ? '1' : '0.5'))];
      if (!value || !step) return undefined;
      const [min, max] = [decimal(field.min), decimal(field.max)];
      const digits = Math.max(value.digits, step.digits);
      const next = { units: unitsAt(value, digits) + BigInt(by) * unitsAt(step, digits), digits };
      const kept = min && compared(next, min) < 0 ? min : max && compared(next, max) > 0 ? max : next;
      if (compared(kept, value) === 0) return undefined;
      return decimalText(kept.digits < digits ? { units: unitsAt(kept, digits), digits } : kept);
    }
  }
}
