import type { ValidationError } from '../../src/core/check/validationError';
import type { Verdict } from '../../src/core/check/verdict';
import { pythonStr } from '../../src/core/workflow/values';
import type { ExactObject } from '../../src/core/json/exactValue';
import { writeExact } from '../../src/core/json/exactWriter';
import { parseLooseJson } from '../../src/core/json/looseJson';

/** One error as a recorded answer has it. */
export interface RecordedError {
  type: string;
  message: string;
  details: string;
  extra_info: Record<string, unknown>;
}

/** A recorded answer of the real server, or of its validator alone. */
export interface RecordedVerdict {
  valid: boolean;
  error: RecordedError | null;
  good_outputs: string[];
  node_errors: Record<string, { errors: RecordedError[]; dependent_outputs: string[]; class_type: string }>;
}

/** What a real server said: a verdict, or the exception that it failed with. */
export type Recorded = RecordedVerdict | { raised: string };

/** These are off, on the server, for inputs that a class checks itself. */
const switchedOff = new Set(['value_smaller_than_min', 'value_bigger_than_max', 'value_not_in_list']);

/**
 * Where the predicted verdict differs from the recorded one, in words; empty when they agree. Errors are compared as
 * sets with their texts; refusals by a class's own check are left out, they need the server's files.
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
  if (customInputs(recorded).size === 0) {
    compare('valid', verdict.valid, recorded.valid);
    compare('good outputs', [...verdict.goodOutputs].sort(), [...recorded.good_outputs].sort());
    compare('error', summaryOf(verdict.error), summaryOf(recorded.error));
  }
  compare('node errors', predictedErrors(verdict, recorded), recordedErrors(recorded));
  return found;
}

/** Node and input of each refusal by a class's own check. */
export function customInputs(recorded: Recorded): Set<string> {
  if ('raised' in recorded) return new Set();
  return new Set(
    Object.entries(recorded.node_errors).flatMap(([id, { errors }]) => {
      const custom = errors.filter(({ type }) => type === 'custom_validation_failed');
      return custom.map(({ extra_info }) => `${id} ${String(extra_info.input_name)}`);
    }),
  );
}

/** The lines of the details come in the random order of the server's sets. */
function summaryOf(error: ValidationError<string> | RecordedError | null): unknown {
  if (!error) return null;
  return [error.type, error.message, error.details.split('\n').sort(), comparable(error.extra_info)];
}

function predictedErrors(verdict: Verdict, recorded: RecordedVerdict): string[] {
  const custom = customInputs(recorded);
  const lines = [...verdict.nodeErrors].flatMap(([id, { errors, classType }]) => {
    return errors
      .filter(({ type, extra_info }) => {
        return (
          !switchedOff.has(type) || !custom.has(`${id} ${pythonStr(extra_info.get('input_name') ?? null)}`)
        );
      })
      .map((each) => line(id, classType, each, recorded));
  });
  return lines.sort();
}

function recordedErrors(recorded: RecordedVerdict): string[] {
  const lines = Object.entries(recorded.node_errors).flatMap(([id, { errors, class_type }]) => {
    return errors
      .filter(({ type }) => type !== 'custom_validation_failed')
      .map((each) => line(id, class_type, each, recorded));
  });
  return lines.sort();
}

function line(
  id: string,
  classType: unknown,
  error: ValidationError | RecordedError,
  recorded: RecordedVerdict,
): string {
  const extra = comparable(error.extra_info);
  // The large verdict files hold an ellipsis in place of definitions.
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

/** Extra facts as plain data. Tracebacks name lines of the server's code; nobody predicts them. */
function comparable(extra: ExactObject | Record<string, unknown>): Record<string, unknown> {
  const data =
    extra instanceof Map
      ? (parseLooseJson(writeExact(extra as ExactObject)) as Record<string, unknown>)
      : extra;
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'traceback'));
}
