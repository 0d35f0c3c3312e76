import type { Catalog } from '../catalog/catalog';
import { applyEdits, replaceValue, textOf } from '../json/textEdit';
import type { TextEdit } from '../json/textEdit';
import { compileGraph } from '../workflow/graph/compileGraph';
import type { Graph } from '../workflow/graph/graph';
import { isLoss } from '../workflow/graph/graphProblem';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import type { Prompt } from '../workflow/prompt';
import { placesInGraph, typeRange } from '../workflow/promptPlaces';
import { refusal } from './runRefusal';
import type { RunRefusal } from './runRefusal';
import type { CompiledGraph, WorkflowPrompt } from './workflowPrompt';
import { t } from '../safety/localize';

/**
 * The prompt that the ComfyUI editor would send for a graph. Without node definitions, a node's widgets are unknown, so
 * nothing is compiled.
 */
export function promptOfGraph(
  document: WorkflowDocument,
  graph: Graph,
  catalog: Catalog | undefined,
  dynamicPrompts: 'random' | 'first' = 'random',
): WorkflowPrompt | RunRefusal {
  if (!catalog) {
    return refusal(
      'noDefinitions',
      t`Converting to API format requires the server's node definitions, but the server didn't provide them.`,
      t`Check the connection and refresh the node definitions, or run a file exported in the API format.`,
    );
  }
  // The ComfyUI editor resolves {a|b} each time it sends a prompt.
  const compiled = compileGraph(graph, catalog, { dynamicPrompts, isForRun: true });
  if (compiled.kind === 'failed') {
    const { message, node: at } = compiled.problem;
    const { offset, length } = typeRange(at);
    const finding = { code: 'graph-not-convertible', severity: 'error', message, offset, length } as const;
    return refusal('graphInvalid', message, t`Fix the workflow, then run again.`, finding, [finding]);
  }
  const { prompt, source, warnings, chosenModes } = compiled;
  const { root } = prompt;
  if (!root || prompt.nodes.length === 0) {
    return refusal(
      'noNodes',
      t`The graph has no nodes to run.`,
      t`Add nodes, or unmute those that are muted.`,
      { offset: graph.node.offset, length: 1 },
    );
  }
  return {
    kind: 'prompt',
    prompt,
    root,
    edits: [],
    document,
    places: placesInGraph(source, graph.node),
    graph: {
      graph,
      source,
      losses: warnings.filter(isLoss),
      chosen: chosenModes.map((mode) => replaceValue(mode, '0')),
    },
  };
}

/**
 * The graph's text with the prompt's edits applied where the value is the same as in the prompt: pictures then contain
 * the graph that made them, new seeds included.
 */
export function graphTextWith(
  { graph, source, chosen }: CompiledGraph,
  prompt: Prompt,
  edits: readonly TextEdit[],
): string {
  const { document, node } = graph;
  const byOffset = new Map(edits.map((edit) => [edit.offset, edit.newText]));
  const own = new Map<number, TextEdit>(
    chosen.map((edit) => [edit.offset, { ...edit, offset: edit.offset - node.offset }]),
  );
  for (const { id, inputs } of prompt.nodes) {
    for (const { name, valueNode } of inputs) {
      const newText = byOffset.get(valueNode.offset);
      const place = newText === undefined ? undefined : source.input(id, name);
      if (newText === undefined || !place) continue;
      if (textOf(document.text, place) !== textOf(prompt.document.text, valueNode)) continue;
      own.set(
        place.offset,
        replaceValue({ offset: place.offset - node.offset, length: place.length }, newText),
      );
    }
  }
  return applyEdits(textOf(document.text, node), [...own.values()]);
}
