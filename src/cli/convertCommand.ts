import type { Catalog } from '../core/catalog/catalog';
import { compactText } from '../core/workflow/graph/printPrompt';
import { compileGraph, type CompileOptions } from '../core/workflow/graph/compileGraph';
import { type GraphProblem, isLoss } from '../core/workflow/graph/graphProblem';
import { indented } from '../core/json/indentedText';
import { WorkflowDocument } from '../core/workflow/workflowDocument';
import { printableJson } from '../core/safety/plainText';
import type { UnsentValue } from '../core/workflow/graph/unsentValues';
import type { Arguments } from './commandArguments';
import { readServerDefinitions, runUntilInterrupted } from './readDefinitions';
import { type CommandContext, exitCodes, jsonLine, plainTerminalLine, type Terminal } from './terminal';
import { readWorkflowFile, whyUnreadable } from './workflowFile';
import { t } from '../core/safety/localize';

type Conversion =
  | {
      readonly kind: 'prompt';
      readonly promptText: string;
      readonly warnings: readonly Notice[];
      readonly unsent: readonly Unsent[];
    }
  | { readonly kind: 'error'; readonly error: Notice };

interface Notice {
  readonly code: string;
  readonly node?: string | undefined;
  readonly isLoss?: boolean;
  readonly message: string;
  /** Position in the file, counted from 1. */
  readonly line?: number;
}

/** A value or a link of the file that is missing in the prompt. */
interface Unsent extends Omit<UnsentValue, 'place'> {
  readonly line: number;
}

export function convertCommand(options: Arguments<'convert'>, context: CommandContext): Promise<number> {
  const { terminal } = context;
  return runUntilInterrupted(terminal, async (signal) => {
    const { catalog } = await readServerDefinitions(options, context, signal);
    return convertFiles(options, terminal, catalog, signal);
  });
}

async function convertFiles(
  options: Arguments<'convert'>,
  terminal: Terminal,
  catalog: Catalog,
  signal: AbortSignal,
): Promise<number> {
  let code: number = exitCodes.done;
  let isLossy = false;
  for (const file of options.files) {
    signal.throwIfAborted();
    const conversion = await convertFile(file, catalog, { dynamicPrompts: options.dynamicPrompts });
    if (conversion.kind === 'error') code = exitCodes.failed;
    else isLossy ||= conversion.warnings.some(({ isLoss }) => isLoss);
    if (options.json) {
      terminal.out(jsonOf(file, conversion));
      if (conversion.kind === 'prompt')
        tellNotices(
          file,
          conversion.warnings.filter(({ isLoss }) => isLoss),
          terminal,
        );
    } else tell(file, conversion, terminal);
  }
  if (!isLossy || options.allowLoss) return code;
  terminal.err(
    `${t`Converting these workflows loses values or links of these nodes. To accept that, add --allow-loss.`}\n`,
  );
  return exitCodes.failed;
}

async function convertFile(file: string, catalog: Catalog, options: CompileOptions): Promise<Conversion> {
  let text: string;
  try {
    text = await readWorkflowFile(file);
  } catch (error) {
    return { kind: 'error', error: { code: 'unreadable', message: whyUnreadable(t`The file`, error) } };
  }
  return convertText(text, catalog, options);
}

function convertText(text: string, catalog: Catalog, options: CompileOptions): Conversion {
  const document = WorkflowDocument.of(text);
  const { format, graph, positions } = document;
  switch (format.kind) {
    case 'none':
      return { kind: 'error', error: { code: format.reason, message: format.message } };
    case 'objectInfo': {
      const message = t`The file contains node definitions, not a workflow. Pass it with --definitions.`;
      return { kind: 'error', error: { code: 'objectInfo', message } };
    }
    case 'api':
    case 'graph':
    case 'wrapper': {
      if (!graph) return { kind: 'prompt', promptText: compactText(format.node), warnings: [], unsent: [] };
      const compiled = compileGraph(graph, catalog, options);
      if (compiled.kind === 'failed') return { kind: 'error', error: noticeOf(compiled.problem, document) };
      const warnings = compiled.warnings.map((warning) => noticeOf(warning, document));
      const unsent = compiled.listUnsent().map(({ place, ...value }) => {
        return { ...value, line: positions.positionAt(place.offset).line + 1 };
      });
      return { kind: 'prompt', promptText: compiled.prompt.document.text, warnings, unsent };
    }
  }
}

function noticeOf(problem: GraphProblem, { positions }: WorkflowDocument): Notice {
  const { code, message, node, nodeId } = problem;
  return {
    code,
    message,
    line: positions.positionAt(node.offset).line + 1,
    node: nodeId,
    ...(isLoss(problem) && { isLoss: true }),
  };
}

function jsonOf(file: string, conversion: Conversion): string {
  if (conversion.kind === 'error') return jsonLine({ file, error: conversion.error });
  const name = JSON.stringify(file);
  const { promptText, warnings, unsent } = conversion;
  // The prompt as written to the file, with every digit of its numbers.
  return printableJson(
    `{"file":${name},"prompt":${promptText},"warnings":${JSON.stringify(warnings)},"unsent":${JSON.stringify(unsent)}}\n`,
  );
}

/** Prints the prompt on standard output, and everything else, for people, on standard error. */
function tell(file: string, conversion: Conversion, terminal: Terminal): void {
  tellNotices(file, conversion.kind === 'error' ? [conversion.error] : conversion.warnings, terminal);
  if (conversion.kind === 'prompt') terminal.out(`${printableJson(indented(conversion.promptText))}\n`);
}

function tellNotices(file: string, notices: readonly Notice[], terminal: Terminal): void {
  for (const { message, line } of notices) {
    terminal.err(
      `${plainTerminalLine(file)}${line === undefined ? '' : `:${line}`}: ${plainTerminalLine(message)}\n`,
    );
  }
}
