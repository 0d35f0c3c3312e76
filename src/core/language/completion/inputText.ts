import type { InputSpec } from '../../catalog/inputSpec';
import type { ExactValue } from '../../json/exactValue';
import { writeExact } from '../../json/exactWriter';

/** The JSON text of what a new input holds; undefined for sockets, which only a link can fill. */
export function defaultText(spec: InputSpec): string | undefined {
  const value = defaultValue(spec);
  return value === undefined ? undefined : writeExact(value);
}

function defaultValue(spec: InputSpec): ExactValue | undefined {
  if (spec.forceInput) return undefined;
  if (spec.kind === 'combo')
    return spec.choices.includes(spec.default ?? null)
      ? spec.default
      : (spec.choices[0] ?? spec.default ?? '');
  if (spec.kind === 'dynamicCombo') return spec.default ?? spec.branches[0]?.key;
  if (spec.default !== undefined && spec.default !== null) return spec.default;
  switch (spec.kind) {
    case 'int':
      return typeof spec.min === 'bigint' && spec.min > 0n ? spec.min : 0n;
    case 'float':
      return spec.min !== undefined && spec.min > 0 ? spec.min : 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return undefined;
  }
}
