import type { InputSpec } from '../../catalog/inputSpec';
import { exactFrom, type ExactValue, isExactList, isExactObject } from '../../json/exactValue';

/** A widget of a node, as the editor makes it from the definition (workflows 2, B). */
export interface Widget {
  readonly name: string;
  /** The input that it belongs to; undefined for those that the editor or a node pack adds. */
  readonly spec: InputSpec | undefined;
  readonly isStored: boolean;
  readonly isSent: boolean;
  /** Undefined if the editor has none, as for a combo without options. */
  readonly defaultValue: ExactValue | undefined;
}

export interface WidgetUse {
  readonly isStored: boolean;
  readonly isSent: boolean;
  /** The type of the slot if it differs from the input's; null if the widget has none. */
  readonly slotType?: string | null;
  readonly name?: string;
}

export interface WidgetType extends WidgetUse {
  /** The value in a new node if the definition has none; undefined if the editor has none either. */
  readonly value: ExactValue | undefined;
  readonly before?: readonly Widget[];
}

export const storedAndSent: WidgetUse = { isStored: true, isSent: true };
export const storedNotSent: WidgetUse = { isStored: true, isSent: false };
export const neitherStoredNorSent: WidgetUse = { isStored: false, isSent: false };

export function extraWidget(
  name: string,
  defaultValue: ExactValue | undefined,
  { isStored, isSent }: WidgetUse,
): Widget {
  return { name, spec: undefined, isStored, isSent, defaultValue };
}

/** A value as a text field shows it. */
export function fieldText(value: ExactValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (isExactList(value)) return value.map(fieldText).join(',');
  return isExactObject(value) ? '[object Object]' : String(value);
}

/** A number that a browser computed, as it writes it. */
export function sentNumber(value: number): ExactValue {
  return Number.isFinite(value) ? exactFrom(value) : null;
}

/** A value as the JSON text that a browser writes. */
export function browserJsonText(value: ExactValue): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (part instanceof Map) return Object.fromEntries(part as Map<string, unknown>);
    return typeof part === 'bigint' ? Number(part) : part;
  });
}
