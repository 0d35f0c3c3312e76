import type { CheckReport } from '../core/check/checkWorkflow';
import type { Severity } from '../core/check/codes';
import { findingLines } from '../core/check/findingLines';
import { isLoopError } from '../core/check/rules/serverWords';
import type { ValidationError } from '../core/check/validationError';
import type { Verdict } from '../core/check/verdict';
import { plainFrom } from '../core/json/exactValue';
import { writeExact } from '../core/json/exactWriter';
import { PositionIndex } from '../core/json/position';
import { jsonLine } from './terminal';

/** A file with its findings. */
export interface CheckedFile {
  readonly file: string;
  readonly text: string;
  readonly report: CheckReport;
}

/** One line of JSON. The verdict is null if there was nothing to judge; lines and characters count from 0. */
export function jsonLines({ file, text, report }: CheckedFile): string {
  const positions = new PositionIndex(text);
  const diagnostics = report.findings.map(
    ({ code, severity, message, offset, length, nodeId, nodeIds, input }) => ({
      code,
      severity,
      message,
      range: { start: positions.positionAt(offset), end: positions.positionAt(offset + length) },
      node: nodeId ?? null,
      nodes: nodeIds,
      input: input ?? null,
    }),
  );
  const verdict = report.verdict ? verdictData(report.verdict) : null;
  return jsonLine({ file, format: report.format, verdict, diagnostics });
}

/** One line per finding, but for hints. */
export function textLines({ file, text, report }: CheckedFile): string {
  return findingLines(file, text, report.findings)
    .map((line) => `${line}\n`)
    .join('');
}

const annotations: Readonly<Record<Severity, string | undefined>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: undefined,
};

/** Workflow commands that GitHub Actions shows next to the lines of a pull request. */
export function githubLines({ file, text, report }: CheckedFile): string {
  const positions = new PositionIndex(text);
  return report.findings
    .map(({ code, severity, message, offset, length }) => {
      const kind = annotations[severity];
      if (kind === undefined) return '';
      const [start, end] = [positions.positionAt(offset), positions.positionAt(offset + length)];
      const at = `line=${start.line + 1},endLine=${end.line + 1}`;
      // Columns are not allowed if an annotation spans lines.
      const columns =
        start.line === end.line ? `,col=${start.character + 1},endColumn=${end.character + 1}` : '';
      return `::${kind} file=${property(file)},${at}${columns},title=${property(code)}::${commandData(message)}\n`;
    })
    .join('');
}

function verdictData(verdict: Verdict): Record<string, unknown> {
  const { valid, error, goodOutputs, nodeErrors, crash } = verdict;
  return {
    valid,
    error: error && { type: error.type, node_id: textOf(error, 'node_id') },
    good_outputs: goodOutputs,
    node_errors: Object.fromEntries(
      [...nodeErrors].map(([id, { errors }]) => [
        id,
        errors.map((each) => ({
          type: each.type,
          input: textOf(each, 'input_name'),
          extra_info: isLoopError(each) ? plainFrom(each.extra_info) : undefined,
        })),
      ]),
    ),
    // Not a refusal: the server's own code fails and answers 500.
    raised: crash && `${crash.exceptionType}: ${crash.message}`,
  };
}

function textOf({ extra_info }: ValidationError<string>, name: string): string | null {
  const value = extra_info.get(name);
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : writeExact(value);
}

function commandData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return commandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
