import type { ExpandedInput } from '../catalog/dynamic';
import type { ExactObject, ExactValue } from '../json/exactValue';
import type { ErrorPlace } from './errorPlace';

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
  /** From 0.3 servers, for unknown and missing node types. */
  | 'invalid_prompt';

export interface ValidationError<Type extends string = NodeErrorType> {
  readonly type: Type;
  readonly message: string;
  readonly details: string;
  readonly extra_info: ExactObject;
  /** What to underline; absent when the error is about the entire prompt. */
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
