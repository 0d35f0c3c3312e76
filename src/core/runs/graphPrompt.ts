import type { Catalog } from '../catalog/catalog';
import { applyEdits, replaceValue, type TextEdit, sourceTextIn } from '../json/textEdit';
import { compileGraph } from '../workflow/graph/compileGraph';
import type { Graph } from '../workflow/graph/graph';
import { isLoss } from '../workflow/graph/graphProblem';
import { WorkflowDocument } from '../workflow/workflowDocument';
import { type Prompt, promptFromText } from '../workflow/prompt';
import { placesInGraph, typeRange } from '../workflow/promptPlaces';
import { createRunRefusal, type RunRefusal } from './runRefusal';
import type { CompiledGraph, WorkflowPrompt } from './workflowPrompt';
import { t } from '../safety/localize';
import { recordedEdits, type RecordedEdits, type RecordedValues } from '../language/edits/recordedValues';

/** Without node definitions, the widgets of a graph are unknown, so nothing is compiled. */
export function promptOfGraph(
  document: WorkflowDocument,
  graph: Graph,
  catalog: Catalog | undefined,
  dynamicPrompts: 'random' | 'first' = 'random',
): WorkflowPrompt | RunRefusal {
  if (!catalog) {
    return createRunRefusal(
      'noDefinitions',
      t`Converting to API format requires the node definitions of ${t`the server`}, which aren't available.`,
      t`Check the connection and refresh the node definitions, or run a file exported in the API format.`,
    );
  }
  // The ComfyUI editor resolves {a|b} each time it sends a prompt.
  const compiled = compileGraph(graph, catalog, { dynamicPrompts, isForRun: true });
  if (compiled.kind === 'failed') {
    const { message, node: at } = compiled.problem;
    const { offset, length } = typeRange(at);
    const finding = { code: 'graph-not-convertible', severity: 'error', message, offset, length } as const;
    return createRunRefusal('graphInvalid', message, t`Fix the workflow, then run again.`, finding, [
      finding,
    ]);
  }
  const { prompt, source, warnings, chosenModes } = compiled;
  const { root } = prompt;
  if (!root || prompt.nodes.length === 0) {
    return createRunRefusal(
      'noNodes',
      t`The workflow has no nodes.`,
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

/** Pictures then contain the graph that made them, new seeds included. */
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
      if (sourceTextIn(document.text, place) !== sourceTextIn(prompt.document.text, valueNode)) continue;
      own.set(
        place.offset,
        replaceValue({ offset: place.offset - node.offset, length: place.length }, newText),
      );
    }
  }
  return applyEdits(sourceTextIn(document.text, node), [...own.values()]);
}

export interface CarriedGraph {
  readonly text: string;
  readonly catalog: Catalog | undefined;
}

/**
 * The graph with the values that the edits gave to its prompt; undefined if it has no place for one of them, or one
 * that other values share. Pictures and run records must not contain a graph that contradicts the prompt.
 */
export function carriedGraphWith(
  { text, catalog }: CarriedGraph,
  prompt: Prompt,
  edits: readonly TextEdit[],
  promptText: string,
): string | undefined {
  const offsets = new Set(edits.map(({ offset }) => offset));
  const edited = new Set(
    prompt.nodes.flatMap(({ id, inputs }) =>
      inputs.filter(({ valueNode }) => offsets.has(valueNode.offset)).map(({ name }) => `${id} ${name}`),
    ),
  );
  if (edited.size === 0) return text;
  const put = (graph: string, values: Prompt, isWanted: RecordedValues['isWanted']): RecordedEdits =>
    recordedEdits(WorkflowDocument.of(graph), { prompt: values, isWanted }, catalog);
  const differences = (graph: string, values: Prompt): number => {
    const found = put(graph, values, () => true);
    return found.kind === 'edits' ? found.edits.length + found.left.length : Infinity;
  };
  const sent = promptFromText(promptText);
  const found = put(text, sent, (id, name) => edited.has(`${id} ${name}`));
  if (found.kind !== 'edits' || found.left.length > 0) return undefined;
  const changed = applyEdits(text, found.edits);
  return differences(changed, sent) > differences(text, prompt) ? undefined : changed;
}
