import type { Verdict } from '../../src/core/check/verdict';
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

/** Where the predicted verdict differs from the recorded one, in words; empty when they agree. */
export function differences(verdict: Verdict, recorded: Recorded): string[] {
  if ('raised' in recorded) {
    const crash = verdict.crash && `${verdict.crash.exceptionType}: ${verdict.crash.message}`;
    return crash === recorded.raised ? [] : [`crash: ${crash ?? 'none'} instead of ${recorded.raised}`];
  }
  if (verdict.crash) return [`crash: ${verdict.crash.exceptionType}: ${verdict.crash.message}`];
  // A refused upload hides which outputs would have been good; its node is left out on both sides.
  const custom = new Set(Object.keys(recorded.node_errors).filter((id) => hasCustom(recorded, id)));
  const found: string[] = [];
  const compare = (what: string, mine: unknown, theirs: unknown): void => {
    const [left, right] = [JSON.stringify(mine), JSON.stringify(theirs)];
    if (left !== right) found.push(`${what}: ${left} instead of ${right}`);
  };
  if (custom.size === 0) {
    compare('valid', verdict.valid, recorded.valid);
    compare('good outputs', [...verdict.goodOutputs].sort(), [...recorded.good_outputs].sort());
    compare('error', summaryOf(verdict.error), summaryOf(recorded.error));
  }
  compare('node errors', predictedErrors(verdict), recordedErrors(recorded));
  return found;
}

/** Whether a verdict holds a refusal by a class's own check, which needs the server's files. */
export function isCustom(recorded: Recorded): boolean {
  return 'node_errors' in recorded && Object.keys(recorded.node_errors).some((id) => hasCustom(recorded, id));
}

function hasCustom(recorded: RecordedVerdict, id: string): boolean {
  return recorded.node_errors[id]?.errors.some(({ type }) => type === 'custom_validation_failed') ?? false;
}

/** The lines of the details come in the random order of the server's sets. */
function summaryOf(
  error: { type: string; message: string; details: string; extra_info: unknown } | null,
): unknown {
  if (!error) return null;
  const extra = error.type === 'missing_node_type' ? plain(error.extra_info) : null;
  return [error.type, error.message, error.details.split('\n').sort(), extra];
}

function predictedErrors(verdict: Verdict): string[] {
  return [...verdict.nodeErrors]
    .flatMap(([id, { errors, classType }]) => {
      return errors.map((each) =>
        line(id, String(classType), each.type, each.message, each.details, plain(each.extra_info)),
      );
    })
    .sort();
}

function recordedErrors(recorded: RecordedVerdict): string[] {
  return Object.entries(recorded.node_errors)
    .flatMap(([id, { errors, class_type }]) => {
      return errors
        .filter(({ type }) => type !== 'custom_validation_failed')
        .map((each) => line(id, class_type, each.type, each.message, each.details, each.extra_info));
    })
    .sort();
}

function line(
  id: string,
  classType: string,
  type: string,
  message: string,
  details: string,
  extra: unknown,
): string {
  const { input_name, exception_type } = extra as { input_name?: unknown; exception_type?: unknown };
  return JSON.stringify([id, classType, type, input_name ?? null, exception_type ?? null, message, details]);
}

function plain(value: unknown): unknown {
  return value instanceof Map ? parseLooseJson(writeExact(value as Parameters<typeof writeExact>[0])) : value;
}
