import { drawWorkflow } from '../core/drawing/drawWorkflow';
import { drawingJson } from '../core/drawing/drawingJson';
import { drawingSvg } from '../core/drawing/drawingSvg';
import { palettes } from '../core/drawing/canvasPalette';
import { t } from '../core/safety/localize';
import { printableJson } from '../core/safety/plainText';
import { GraphRefusal } from '../core/workflow/graph/graphProblem';
import type { Arguments } from './commandArguments';
import { readWorkflowDocument, unreadable, withNames } from './diffCommand';
import { CommandProblem } from './commandProblem';
import { type CommandContext, exitCodes, plainText } from './terminal';
import { writeResult } from './workflowFile';

/** Draws a workflow file; returns the exit code. */
export function graphCommand(options: Arguments<'graph'>, context: CommandContext): Promise<number> {
  const { terminal, secrets } = context;
  return withNames(options, context, async (catalog) => {
    const { file, inside, out, theme } = options;
    const document = await readWorkflowDocument(file);
    const drawing = await drawWorkflow(document, catalog, inside).catch((error: unknown) => {
      throw error instanceof GraphRefusal ? unreadable(file, error.problem.message) : error;
    });
    if (!drawing) {
      const message = t`${plainText(file)} has no subgraph node ${plainText(inside ?? '')}.`;
      throw new CommandProblem(message, '', 'usage');
    }
    const svg = (): string => drawingSvg(drawing, palettes[theme]);
    if (options.json) terminal.out(`${printableJson(drawingJson(drawing))}\n`);
    else if (out === undefined) terminal.out(svg());
    else await writeResult(out, secrets.hide(svg()), file);
    return exitCodes.done;
  });
}
