import type { CheckContext } from '../core/check/checkContext';
import { type CheckReport, checkWorkflow } from '../core/check/checkWorkflow';
import { knownValidators } from '../core/check/knownValidators';
import { readReplacements } from '../core/catalog/nodeReplacements';
import type { IsLocal } from '../core/check/rule';
import { nodeTypeAliases } from '../core/check/rules/classTypes';
import { type NodeValidators, readValidators } from '../core/check/validators';
import { predictVerdict, type Verdict } from '../core/check/verdict';
import { parsePythonJson } from '../core/json/boundedJson';
import { isNameOfKind } from '../core/runs/uploadKinds';
import { readPrompt } from '../core/workflow/prompt';
import { WorkflowDocument } from '../core/workflow/workflowDocument';
import { CommandProblem } from './commandProblem';
import type { Arguments } from './commandArguments';
import { hasMediaBeside, readWorkflowFile, refuseLargeFile, whyUnreadable } from './workflowFile';
import { readInput, readServerDefinitions, runUntilInterrupted } from './readDefinitions';
import { type CommandContext, exitCodes, jsonLine } from './terminal';
import { plural, t } from '../core/safety/localize';
import { findingLines } from '../core/check/findingLines';
import { isLoopError } from '../core/check/rules/serverWords';
import type { ValidationError } from '../core/check/literalErrors';
import { plainFrom } from '../core/json/exactValue';
import { writeExact } from '../core/json/exactWriter';
import { PositionIndex } from '../core/json/position';

/** Keeps one file at a time in memory. */
export function validateCommand(options: Arguments<'validate'>, context: CommandContext): Promise<number> {
  const { terminal } = context;
  return runUntilInterrupted(terminal, async (signal) => {
    const checks = await readContext(options, context, signal);
    const write = { text: textLines, json: jsonLines, github: githubLines }[options.format];
    const totals = { files: 0, errors: 0, warnings: 0, faulty: 0 };
    for (const file of options.files) {
      signal.throwIfAborted();
      const checked = await checkFile(file, checks);
      terminal.out(write(checked), options.format === 'github' ? 'workflowCommands' : undefined);
      const errors = checked.report.findings.filter(({ severity }) => severity === 'error').length;
      totals.files++;
      totals.errors += errors;
      totals.warnings += checked.report.findings.filter(({ severity }) => severity === 'warning').length;
      if (errors > 0 || checked.report.verdict?.valid === false) totals.faulty++;
    }
    const { files, errors, warnings, faulty } = totals;
    if (options.format === 'text') {
      const checked = plural(files, t`1 file`, t`${files} files`);
      const errorCount = plural(errors, t`1 error`, t`${errors} errors`);
      const warningCount = plural(warnings, t`1 warning`, t`${warnings} warnings`);
      terminal.err(`${t`${checked}, ${faulty} with problems: ${errorCount}, ${warningCount}.`}\n`);
    }
    return faulty > 0 ? exitCodes.failed : exitCodes.done;
  });
}

async function checkFile(file: string, context: CheckContext): Promise<CheckedFile> {
  let text: string;
  try {
    const refusal = await refuseLargeFile(file);
    if (refusal) return { file, text: '', report: withoutWorkflow('none', refusal.message) };
    text = await readWorkflowFile(file);
  } catch (error) {
    return { file, text: '', report: withoutWorkflow('none', whyUnreadable(t`The file`, error)) };
  }
  const document = WorkflowDocument.of(text);
  const report = await checkBeside(file, document, context);
  if (report.findings.length > 0) return { file, text, report };
  const { format } = document;
  if (format.kind === 'none') {
    const none = withoutWorkflow('none', format.message, format.offset);
    // When posted, any object counts as a prompt to the server.
    const { catalog, validators, replacements } = context;
    if (format.reason !== 'notAWorkflow' || !catalog) return { file, text, report: none };
    const verdict = predictVerdict(readPrompt(document.json), catalog, {
      validators,
      replacements,
    });
    return { file, text, report: { ...none, verdict } };
  }
  if (format.kind === 'objectInfo') {
    const message = t`The file contains node definitions, not a workflow. Pass it with --definitions.`;
    return { file, text, report: withoutWorkflow(format.kind, message) };
  }
  return { file, text, report };
}

/** Files that the server doesn't list are looked for where a run would take them from. */
async function checkBeside(
  file: string,
  document: WorkflowDocument,
  context: CheckContext,
): Promise<CheckReport> {
  const asked = new Set<string>();
  const note: IsLocal = (name, kind) => {
    if (isNameOfKind(kind, name)) asked.add(name);
    return false;
  };
  const report = checkWorkflow(document, { ...context, isLocal: note });
  const local = new Set<string>();
  for (const name of asked) if (await hasMediaBeside(file, name)) local.add(name);
  if (local.size === 0) return report;
  return checkWorkflow(document, { ...context, isLocal: (name) => local.has(name) });
}

/** An argument is meant to be a workflow. In an editor, such a file has no findings. */
function withoutWorkflow(format: CheckReport['format'], message: string, offset = 0): CheckReport {
  const finding = { code: 'not-a-workflow', severity: 'error', message, offset, length: 0 } as const;
  return { format, findings: [finding], omitted: 0, checked: 'structure' };
}

async function readContext(
  options: Arguments<'validate'>,
  context: CommandContext,
  signal: AbortSignal,
): Promise<CheckContext> {
  const { validators, replacements } = options;
  const own = validators === undefined ? undefined : readValidators(await readTable(validators));
  const given = replacements === undefined ? undefined : readReplacements(await readTable(replacements));
  const rules = await readServerDefinitions(options, context, signal);
  const { catalog } = rules;
  const isSandbox = options.definitions === undefined && options.server === 'sandbox';
  let aliases: ReadonlyMap<string, readonly string[]> | undefined;
  return {
    catalog,
    // The built-in checks apply to node types that the file does not describe.
    validators: own ? (new Map([...knownValidators, ...own]) satisfies NodeValidators) : knownValidators,
    replacements: given ?? rules.replacements,
    serverVersion: rules.version,
    isSandbox,
    aliases: () => (aliases ??= nodeTypeAliases(catalog.definitions())),
  };
}

async function readTable(file: string): Promise<unknown> {
  const text = await readInput(file);
  try {
    return parsePythonJson(text, file);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandProblem(t`${file} is not JSON. Save the table again.`, '', 'usage');
  }
}

interface CheckedFile {
  readonly file: string;
  readonly text: string;
  readonly report: CheckReport;
}

/** One line of JSON. The verdict is null if there was nothing to judge; lines and characters count from 0. */
function jsonLines({ file, text, report }: CheckedFile): string {
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

function textLines({ file, text, report }: CheckedFile): string {
  return findingLines(file, text, report.findings)
    .map((line) => `${line}\n`)
    .join('');
}

const annotations = { error: 'error', warning: 'warning', information: 'notice', hint: undefined } as const;

function githubLines({ file, text, report }: CheckedFile): string {
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
    // This isn't a refusal: the server's own code fails and answers 500.
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
