import type { ExpandedInput } from '../catalog/dynamic';
import { compareNumbers, isNumeric } from '../json/exactEquals';
import type { ExactValue } from '../json/exactValue';
import { pythonRepr, pythonStr, pythonTypeName } from '../workflow/values';
import type { ErrorPlace } from './errorPlace';
import { PythonRaise } from './pythonRaise';
import { inputConfig, inputError, type ValidationError } from './validationError';

/** Checks `min`, then `max`, if the definition has them, with every digit. NaN passes both, as in Python. */
export function checkRange(
  input: ExpandedInput,
  value: ExactValue,
  place: ErrorPlace,
): ValidationError | undefined {
  const { options } = input.spec;
  const [min, max] = [options.get('min'), options.get('max')];
  const details = { input_config: inputConfig(input), received_value: value };
  if (min !== undefined && compare(value, '<', min, place) < 0) {
    const message = `Value ${pythonStr(value)} smaller than min of ${pythonStr(min)}`;
    return inputError('value_smaller_than_min', message, input.name, input.name, place, details);
  }
  if (max !== undefined && compare(value, '>', max, place) > 0) {
    const message = `Value ${pythonStr(value)} bigger than max of ${pythonStr(max)}`;
    return inputError('value_bigger_than_max', message, input.name, input.name, place, details);
  }
  return undefined;
}

/** Strings are compared with strings, numbers with numbers; Python raises for everything else. */
function compare(value: ExactValue, operator: '<' | '>', limit: ExactValue, place: ErrorPlace): number {
  if (isNumeric(value) && isNumeric(limit)) return compareNumbers(value, limit);
  if (typeof value === 'string' && typeof limit === 'string')
    return value < limit ? -1 : value > limit ? 1 : 0;
  if (Array.isArray(value) && Array.isArray(limit)) return pythonRepr(value) < pythonRepr(limit) ? -1 : 1;
  const types = `'${pythonTypeName(value)}' and '${pythonTypeName(limit)}'`;
  throw new PythonRaise('TypeError', `'${operator}' not supported between instances of ${types}`, place);
}
