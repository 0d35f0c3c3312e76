import { drawWorkflow, loadDrawing } from '../core/drawing/drawWorkflow';
import { drawingJson } from '../core/drawing/drawingJson';
import { writeResult } from './workflowFile';
import { Catalog } from '../core/catalog/catalog';
import { differencesJson } from '../core/diff/differencesJson';
import { differencesMarkdown, differencesText } from '../core/diff/differenceWords';
import { type Meaning, workflowMeaning } from '../core/diff/meaning';
import { normalForm } from '../core/diff/normalForm';
import { workflowDifferences } from '../core/diff/workflowDifferences';
import { emptyDrawing } from '../core/drawing/drawing';
import { drawingSvg } from '../core/drawing/drawingSvg';
import { drawDifferences } from '../core/drawing/drawDifferences';
import { palettes } from '../core/drawing/canvasPalette';
import { ServerError } from '../core/protocol/serverError';
import { t } from '../core/safety/localize';
import { printableJson } from '../core/safety/plainText';
import { GraphRefusal } from '../core/workflow/graph/graphProblem';
import { WorkflowDocument } from '../core/workflow/workflowDocument';
import type { Arguments } from './commandArguments';
import { CommandProblem, printFailure } from './commandProblem';
import {
  type DefinitionsPlace,
  readInput,
  readServerDefinitions,
  runUntilInterrupted,
} from './readDefinitions';
import { type CommandContext, exitCodes, plainTerminalLine } from './terminal';

export function diffCommand(options: Arguments<'diff'>, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const asked = withNames(options, context, async (catalog) => {
    const { name, isGit } = options;
    const workflows = await readBoth(options, catalog).catch((error: unknown) => {
      if (name === undefined || !(error instanceof CommandProblem)) throw error;
      // Git ends at the first driver that fails, and would show nothing of the other files.
      terminal.out(`${plainTerminalLine(name)}\n${plainTerminalLine(error.message)}\n`);
    });
    if (!workflows) return exitCodes.done;
    const differences = workflowDifferences(workflows.before, workflows.after);
    const isSame = differences.changes.length === 0;
    if (options.json) terminal.out(`${printableJson(differencesJson(differences))}\n`);
    else if (options.markdown) terminal.out(differencesMarkdown(differences, workflows));
    else if (options.svg) {
      const [before, after] = workflows.documents.map(
        (document) => document && loadDrawing(document, catalog),
      );
      const drawing = await drawDifferences({ before, after }, { differences, workflows });
      terminal.out(drawingSvg(drawing ?? emptyDrawing, palettes.dark));
    } else {
      const text = differencesText(differences, workflows);
      const words = text === '' ? `${t`No differences.`}\n` : text;
      terminal.out(name === undefined ? text : `${plainTerminalLine(name)}\n${words}`, 'differences');
    }
    // Git takes any other code for a failure of its driver.
    return isSame || isGit ? exitCodes.done : exitCodes.failed;
  });
  // What failed would say that they differ.
  return asked.catch((error: unknown) => {
    if (!ServerError.is(error)) throw error;
    printFailure(error, terminal);
    return exitCodes.usage;
  });
}

export function printCommand(options: Arguments<'print'>, context: CommandContext): Promise<number> {
  return withNames(options, context, async (catalog) => {
    const document = await readWorkflowDocument(options.file);
    context.terminal.out(normalForm(meant(options.file, document, catalog, false)));
    return exitCodes.done;
  });
}

export function graphCommand(options: Arguments<'graph'>, context: CommandContext): Promise<number> {
  const { terminal, secrets } = context;
  return withNames(options, context, async (catalog) => {
    const { file, inside, out, theme } = options;
    const document = await readWorkflowDocument(file);
    const drawing = await drawWorkflow(document, catalog, inside).catch((error: unknown) => {
      throw error instanceof GraphRefusal ? unreadable(file, error.problem.message) : error;
    });
    if (!drawing) {
      const message = t`${plainTerminalLine(file)} has no subgraph node ${plainTerminalLine(inside ?? '')}.`;
      throw new CommandProblem(message, '', 'usage');
    }
    const svg = (): string => drawingSvg(drawing, palettes[theme]);
    if (options.json) terminal.out(`${printableJson(drawingJson(drawing))}\n`);
    else if (out === undefined) terminal.out(svg());
    else await writeResult(out, secrets.hide(svg()), file);
    return exitCodes.done;
  });
}

/** Runs a command with the node definitions, if there are any: without them, the file says what it can. */
function withNames(
  options: DefinitionsPlace,
  context: CommandContext,
  work: (catalog: Catalog) => Promise<number>,
): Promise<number> {
  return runUntilInterrupted(context.terminal, async (signal) => {
    const isNamed = options.definitions !== undefined || options.server !== undefined;
    const named = isNamed ? await readServerDefinitions(options, context, signal) : undefined;
    return work(named?.catalog ?? Catalog.fromDefinitions({}));
  });
}

async function readBoth(
  { before: one, after: other, name, isUnmerged }: Arguments<'diff'>,
  catalog: Catalog,
) {
  if (isUnmerged) throw new CommandProblem(t`The file has merge conflicts.`);
  // Git's own names of temporary files say nothing.
  const [oneName, otherName] = [name ?? one, name ?? other];
  const documents = [await readSide(one, oneName), await readSide(other, otherName)] as const;
  const asPrompt = documents.some((document) => document !== undefined && document.graph === undefined);
  return {
    before: meant(oneName, documents[0], catalog, asPrompt),
    after: meant(otherName, documents[1], catalog, asPrompt),
    documents,
  };
}

/** Undefined for the missing side of a new or deleted file. */
async function readSide(file: string, name: string): Promise<WorkflowDocument | undefined> {
  return file === '/dev/null' || file === 'nul' ? undefined : readWorkflowDocument(file, name);
}

/** @throws CommandProblem if the file is no workflow */
async function readWorkflowDocument(file: string, name = file): Promise<WorkflowDocument> {
  const document = WorkflowDocument.of(await readInput(file, name));
  if (document.format.kind === 'none') throw unreadable(name, document.format.message);
  if (document.isWorkflow) return document;
  const message = t`The file contains node definitions, not a workflow. Pass it with --definitions.`;
  throw unreadable(name, message);
}

function meant(
  file: string,
  document: WorkflowDocument | undefined,
  catalog: Catalog,
  asPrompt: boolean,
): Meaning {
  if (!document) return new Map();
  try {
    return workflowMeaning(document, catalog, asPrompt);
  } catch (error) {
    if (error instanceof GraphRefusal) throw unreadable(file, error.problem.message);
    throw error;
  }
}

function unreadable(file: string, message: string): CommandProblem {
  return new CommandProblem(`${plainTerminalLine(file)}: ${message}`, '', 'usage');
}
