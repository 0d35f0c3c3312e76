import { indented } from '../core/json/indentedText';
import type { JsonRange } from '../core/json/node';
import { t } from '../core/safety/localize';
import { printableJson } from '../core/safety/plainText';
import { wrappedIn, findWrittenWorkflow } from '../core/workflow/format';
import type { EmbeddedWorkflows } from '../core/workflow/pictures/embedded';
import { WorkflowDocument } from '../core/workflow/workflowDocument';
import type { Arguments } from './commandArguments';
import { CommandProblem } from './commandProblem';
import { readInput } from './readDefinitions';
import { type CommandContext, exitCodes, plainTerminalLine } from './terminal';
import { whyUnreadable, workflowsInOutput, writeResult } from './workflowFile';

export async function extractCommand(
  { file, format, out }: Arguments<'extract'>,
  { terminal }: CommandContext,
): Promise<number> {
  const { workflow, prompt } = await workflowsAt(file);
  const text = { graph: workflow, api: prompt, any: workflow ?? prompt }[format ?? 'any'];
  if (text === undefined) throw new CommandProblem(whyMissing(plainTerminalLine(file), format));
  if (out === undefined) terminal.out(`${printableJson(indented(text))}\n`);
  else await writeResult(out, `${indented(text)}\n`, file);
  return exitCodes.done;
}

async function workflowsAt(file: string): Promise<EmbeddedWorkflows> {
  const found = await workflowsInOutput(file).catch((error: unknown) => {
    throw new CommandProblem(whyUnreadable(plainTerminalLine(file), error));
  });
  if (found.workflow !== undefined || found.prompt !== undefined) return found;
  const document = WorkflowDocument.of(await readInput(file));
  const inside = workflowsInside(document);
  if (inside) return inside;
  const { format } = document;
  throw new CommandProblem(
    format.kind === 'none'
      ? `${plainTerminalLine(file)}: ${format.message}`
      : t`${plainTerminalLine(file)} contains no workflow.`,
  );
}

function workflowsInside({ text, json, format }: WorkflowDocument): EmbeddedWorkflows | undefined {
  const { root } = json;
  if (root?.kind !== 'object' || format.kind === 'objectInfo') return undefined;
  const cut = (range: JsonRange | undefined): string | undefined =>
    range && text.slice(range.offset, range.offset + range.length);
  switch (format.kind) {
    case 'none': {
      const written = format.reason === 'notAWorkflow' ? findWrittenWorkflow(root) : undefined;
      return written && workflowsInside(WorkflowDocument.of(written.text));
    }
    case 'api':
      return { prompt: cut(root) };
    case 'graph':
      return { workflow: cut(root) };
    case 'wrapper':
      return { prompt: cut(wrappedIn(root, 'api')?.node), workflow: cut(wrappedIn(root, 'graph')?.node) };
  }
}

function whyMissing(file: string, format: Arguments<'extract'>['format']): string {
  return format === 'graph'
    ? t`${file} contains a workflow in API format, but no graph.`
    : t`${file} contains a graph, but no workflow in API format. Convert it with “comfy-deck convert”.`;
}
