import { indexOfChoices } from './choiceIndex';
import type { ExpandedInput } from '../catalog/dynamic';
import { type ExactValue, isExactList } from '../json/exactValue';
import { pythonRepr } from '../workflow/values';
import type { ErrorPlace } from './errorPlace';
import { inputConfig, inputError, type ValidationError } from './validationError';

/** The server does not print or send back longer lists. */
const longestPrinted = 20;

/** Checks that a combo's value, or each value of a multi-select, is among its options (workflows 4.2, row 9). */
export function checkChoices(
  input: ExpandedInput,
  value: ExactValue,
  place: ErrorPlace,
): ValidationError | undefined {
  const { spec } = input;
  // Newer servers leave lists that another route serves to that route.
  if (spec.kind !== 'combo' || spec.options.has('remote_combo')) return undefined;
  const chosen = spec.multiselect && isExactList(value) ? value : [value];
  const index = indexOfChoices(spec.choices);
  const wrong = chosen.filter((each) => !index.has(each));
  if (wrong.length === 0) return undefined;
  const isLong = spec.choices.length > longestPrinted;
  const list = isLong ? `(list of length ${spec.choices.length})` : pythonRepr(spec.choices);
  const details = `${input.name}: ${wrong.map(pythonRepr).join(', ')} not in ${list}`;
  return inputError('value_not_in_list', 'Value not in list', details, input.name, place, {
    input_config: isLong ? null : inputConfig(input),
    received_value: value,
  });
}
