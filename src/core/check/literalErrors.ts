import type { ExpandedInput } from '../catalog/dynamic';
import type { InputSpec } from '../catalog/inputSpec';
import { compareNumbers, isNumeric } from '../json/exactEquals';
import { type ExactValue, isExactList, type ExactObject } from '../json/exactValue';
import { pythonRepr, pythonStr, pythonTypeName } from '../workflow/values';
import { indexOfChoices } from './choiceIndex';
import { convertLiteral } from './convertLiteral';
import type { ErrorPlace } from './errorPlace';
import { PythonRaise } from './pythonRaise';

/** Converts an unwrapped literal to the type of its input, or returns the server's error (workflows 4.5). */
export function convertInput(
  input: ExpandedInput,
  value: ExactValue,
  place: ErrorPlace,
): { value: ExactValue } | { error: ValidationError } {
  const type = input.spec.rawType;
  try {
    return { value: convertLiteral(type, value) };
  } catch (error) {
    if (!(error instanceof PythonRaise)) throw error;
    const message = `Failed to convert an input value to a ${pythonStr(type)} value`;
    const details = `${input.name}, ${pythonStr(value)}, ${error.text}`;
    const extra = { input_config: inputConfig(input), received_value: value, exception_message: error.text };
    return { error: inputError('invalid_input_type', message, details, input.name, place, extra) };
  }
}

/** Checks the range and the list of options (workflows 4.2, rows 7 to 9). */
export function checkConverted(
  input: ExpandedInput,
  value: ExactValue,
  place: ErrorPlace,
): ValidationError | undefined {
  return checkRange(input, value, place) ?? checkChoices(input, value, place);
}

/** The value of a combo, or those of a multi-select, that aren't options. */
export function unlistedValues(spec: InputSpec, value: ExactValue): readonly ExactValue[] {
  // Newer servers leave lists that another route serves to that route.
  if (spec.kind !== 'combo' || spec.options.has('remote_combo')) return [];
  const index = indexOfChoices(spec.choices);
  return (spec.multiselect && isExactList(value) ? value : [value]).filter((each) => !index.has(each));
}

/** The server does not print or send back longer lists. */
const longestPrinted = 20;

function checkChoices(
  input: ExpandedInput,
  value: ExactValue,
  place: ErrorPlace,
): ValidationError | undefined {
  const { spec } = input;
  const wrong = unlistedValues(spec, value);
  if (spec.kind !== 'combo' || wrong.length === 0) return undefined;
  const isLong = spec.choices.length > longestPrinted;
  const list = isLong ? `(list of length ${spec.choices.length})` : pythonRepr(spec.choices);
  const details = `${input.name}: ${wrong.map(pythonRepr).join(', ')} not in ${list}`;
  return inputError('value_not_in_list', 'Value not in list', details, input.name, place, {
    input_config: isLong ? null : inputConfig(input),
    received_value: value,
  });
}

/** Checks `min`, then `max`, if the definition has them, with every digit. NaN passes both, as in Python. */
function checkRange(input: ExpandedInput, value: ExactValue, place: ErrorPlace): ValidationError | undefined {
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

/** The types of error that a server reports about one node (protocol 7.2). */
export type NodeErrorType =
  | 'required_input_missing'
  | 'bad_linked_input'
  | 'return_type_mismatch'
  | 'invalid_input_type'
  | 'value_smaller_than_min'
  | 'value_bigger_than_max'
  | 'value_not_in_list'
  | 'custom_validation_failed'
  | 'invalid_dynamic_input'
  | 'dependency_cycle'
  | 'exception_during_inner_validation'
  | 'exception_during_validation';

export type PromptErrorType =
  | 'missing_node_type'
  | 'prompt_no_outputs'
  | 'prompt_outputs_failed_validation'
  /** Used by 0.3 servers for unknown and missing node types. */
  | 'invalid_prompt';

export interface ValidationError<Type extends string = NodeErrorType> {
  readonly type: Type;
  readonly message: string;
  readonly details: string;
  readonly extra_info: ExactObject;
  /** The part to underline; absent when the error is about the entire prompt. */
  readonly place?: ErrorPlace;
}

/** `[type, options]` as the definition has it, with `{}` where it has no options. */
export function inputConfig({ spec }: ExpandedInput): ExactValue {
  return [spec.rawType, spec.options];
}

export function inputError(
  type: NodeErrorType,
  message: string,
  details: string,
  input: string,
  place: ErrorPlace,
  extra: Readonly<Record<string, ExactValue>> = {},
): ValidationError {
  return {
    type,
    message,
    details,
    extra_info: new Map([['input_name', input], ...Object.entries(extra)]),
    place,
  };
}
