import type { ValidationError } from '../../src/core/check/literalErrors';
import type { NodeValidators, ValidatorAnswer } from '../../src/core/check/validators';
import type { Verdict } from '../../src/core/check/verdict';
import { type Prompt, exactInputValue } from '../../src/core/workflow/prompt';
import { pythonRepr } from '../../src/core/workflow/values';
import type { ExactObject } from '../../src/core/json/exactValue';
import { writeExact } from '../../src/core/json/exactWriter';
import { parsePythonJson } from '../../src/core/json/boundedJson';

export interface RecordedError {
  type: string;
  message: string;
  details: string;
  extra_info: Record<string, unknown>;
}

export interface RecordedVerdict {
  valid: boolean;
  error: RecordedError | null;
  good_outputs: string[];
  node_errors: Record<string, { errors: RecordedError[]; dependent_outputs: string[]; class_type: string }>;
}

/** A real server's answer: a verdict, or the exception that it failed with. */
export type Recorded = RecordedVerdict | { raised: string };

/**
 * Where the predicted verdict differs from the recorded one, in words; empty if they match. Errors are compared as
 * sets, with their texts and facts.
 */
export function differences(verdict: Verdict, recorded: Recorded): string[] {
  if ('raised' in recorded) {
    const crash = verdict.crash && `${verdict.crash.exceptionType}: ${verdict.crash.message}`;
    return crash === recorded.raised ? [] : [`crash: ${crash ?? 'none'} instead of ${recorded.raised}`];
  }
  if (verdict.crash) return [`crash: ${verdict.crash.exceptionType}: ${verdict.crash.message}`];
  const found: string[] = [];
  const compare = (what: string, mine: unknown, theirs: unknown): void => {
    const [left, right] = [JSON.stringify(mine), JSON.stringify(theirs)];
    if (left !== right) found.push(`${what}: ${left} instead of ${right}`);
  };
  compare('valid', verdict.valid, recorded.valid);
  compare('good outputs', [...verdict.goodOutputs].sort(), [...recorded.good_outputs].sort());
  compare('error', summaryOf(verdict.error), summaryOf(recorded.error));
  compare('node errors', predictedErrors(verdict, recorded), recordedErrors(recorded));
  return found;
}

/**
 * The validators with the recorded refusals for a prompt: only the server knew whether a file exists; the
 * consequences are predicted.
 */
export function withRecordedRefusals(
  validators: NodeValidators,
  prompt: Prompt,
  recorded: Recorded,
): NodeValidators {
  const refused = refusals(prompt, recorded);
  if (refused.size === 0) return validators;
  return new Map(
    [...validators].map(([classType, validator]) => {
      const check = (inputs: ExactObject): ValidatorAnswer => {
        for (const [name, value] of inputs) {
          const answer = refused.get(pythonRepr([classType, name, value]));
          if (answer !== undefined) return answer;
        }
        return true;
      };
      return [classType, { ...validator, check }];
    }),
  );
}

/** Node type, input and value to the message of the node type. */
function refusals(prompt: Prompt, recorded: Recorded): Map<string, ValidatorAnswer> {
  const refused = new Map<string, ValidatorAnswer>();
  if ('raised' in recorded) return refused;
  for (const [id, { errors, class_type }] of Object.entries(recorded.node_errors)) {
    for (const { type, details, extra_info } of errors) {
      if (type !== 'custom_validation_failed') continue;
      const input = prompt.node(id)?.inputs.find(({ name }) => name === extra_info.input_name);
      if (!input) continue;
      const reason = details.slice(input.name.length + ' - '.length);
      refused.set(
        pythonRepr([class_type, input.name, exactInputValue(input)]),
        reason === '' ? false : reason,
      );
    }
  }
  return refused;
}

/** How many refusals by a node type's own check a recorded verdict contains. */
export function countRefusals(recorded: Recorded): number {
  if ('raised' in recorded) return 0;
  const errors = Object.values(recorded.node_errors).flatMap((node) => node.errors);
  return errors.filter(({ type }) => type === 'custom_validation_failed').length;
}

/** The details list the server's sets, whose order is random. */
function summaryOf(error: ValidationError<string> | RecordedError | null): unknown {
  if (!error) return null;
  return [error.type, error.message, error.details.split('\n').sort(), comparable(error.extra_info)];
}

function predictedErrors(verdict: Verdict, recorded: RecordedVerdict): string[] {
  return [...verdict.nodeErrors]
    .flatMap(([id, { errors, classType }]) => errors.map((each) => line(id, classType, each, recorded)))
    .sort();
}

function recordedErrors(recorded: RecordedVerdict): string[] {
  return Object.entries(recorded.node_errors)
    .flatMap(([id, { errors, class_type }]) => errors.map((each) => line(id, class_type, each, recorded)))
    .sort();
}

function line(
  id: string,
  classType: unknown,
  error: ValidationError | RecordedError,
  recorded: RecordedVerdict,
): string {
  const extra = comparable(error.extra_info);
  // The large verdict files contain an ellipsis instead of definitions.
  const isShort = JSON.stringify(recorded.node_errors).includes('"input_config":"\u2026"');
  if (isShort) delete extra.input_config;
  return JSON.stringify([
    id,
    classType,
    error.type,
    error.message,
    error.details,
    Object.entries(extra).sort(),
  ]);
}

/** Extra facts as plain data. Tracebacks refer to lines of the server's code, which nobody can predict. */
function comparable(extra: ExactObject | Record<string, unknown>): Record<string, unknown> {
  const data =
    extra instanceof Map
      ? (parsePythonJson(writeExact(extra as ExactObject)) as Record<string, unknown>)
      : extra;
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'traceback'));
}
