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
import { type CommandContext, exitCodes, jsonLine, plainTerminalLine } from './terminal';
import { readWorkflowFile, whyUnreadable } from './workflowFile';
import { t } from '../core/safety/localize';

interface Conversion {
  readonly promptText?: string;
  readonly warnings: readonly Notice[];
  /** Values and links of the file that are missing in the prompt. */
  readonly unsent: readonly (Omit<UnsentValue, 'place'> & { readonly line: number })[];
  readonly error?: Notice;
}

interface Notice {
  readonly code: string;
  readonly node?: string | undefined;
  readonly isLoss?: boolean;
  readonly message: string;
  /** Position in the file, counted from 1. */
  readonly line?: number;
}

export function convertCommand(options: Arguments<'convert'>, context: CommandContext): Promise<number> {
  const { terminal } = context;
  return runUntilInterrupted(terminal, async (signal) => {
    const { catalog } = await readServerDefinitions(options, context, signal);
    let code: number = exitCodes.done;
    let isLossy = false;
    for (const file of options.files) {
      signal.throwIfAborted();
      const conversion = await convertFile(file, catalog, { dynamicPrompts: options.dynamicPrompts });
      const { promptText, warnings, error } = conversion;
      const losses = warnings.filter(({ isLoss }) => isLoss);
      isLossy ||= losses.length > 0;
      if (error) code = exitCodes.failed;
      if (options.json) terminal.out(jsonOf(file, conversion));
      // Standard output is for the prompt, and standard error for everything else.
      const told = options.json ? losses : [...warnings, ...(error ? [error] : [])];
      for (const { message, line } of told) {
        const place = `${plainTerminalLine(file)}${line === undefined ? '' : `:${line}`}`;
        terminal.err(`${place}: ${plainTerminalLine(message)}\n`);
      }
      if (!options.json && promptText !== undefined) terminal.out(`${printableJson(indented(promptText))}\n`);
    }
    if (!isLossy || options.allowLoss) return code;
    terminal.err(
      `${t`Converting these workflows loses values or links of these nodes. To accept that, add --allow-loss.`}\n`,
    );
    return exitCodes.failed;
  });
}

async function convertFile(file: string, catalog: Catalog, options: CompileOptions): Promise<Conversion> {
  let text: string;
  try {
    text = await readWorkflowFile(file);
  } catch (error) {
    return notConverted({ code: 'unreadable', message: whyUnreadable(t`The file`, error) });
  }
  const document = WorkflowDocument.of(text);
  const { format, graph, positions } = document;
  if (format.kind === 'none') return notConverted({ code: format.reason, message: format.message });
  if (format.kind === 'objectInfo') {
    const message = t`The file contains node definitions, not a workflow. Pass it with --definitions.`;
    return notConverted({ code: 'objectInfo', message });
  }
  if (!graph) return { promptText: compactText(format.node), warnings: [], unsent: [] };
  const compiled = compileGraph(graph, catalog, options);
  if (compiled.kind === 'failed') return notConverted(noticeOf(compiled.problem, document));
  const warnings = compiled.warnings.map((warning) => noticeOf(warning, document));
  const unsent = compiled.listUnsent().map(({ place, ...value }) => {
    return { ...value, line: positions.positionAt(place.offset).line + 1 };
  });
  return { promptText: compiled.prompt.document.text, warnings, unsent };
}

function notConverted(error: Notice): Conversion {
  return { warnings: [], unsent: [], error };
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

function jsonOf(file: string, { promptText, warnings, unsent, error }: Conversion): string {
  if (promptText === undefined) return jsonLine({ file, error });
  // The prompt as written to the file, with every digit of its numbers.
  const more = `"warnings":${JSON.stringify(warnings)},"unsent":${JSON.stringify(unsent)}`;
  return printableJson(`{"file":${JSON.stringify(file)},"prompt":${promptText},${more}}\n`);
}
