import type { Catalog } from '../catalog/catalog';
import type { JsonObject } from '../json/node';
import { applyEdits, replaceValue, textOf } from '../json/textEdit';
import type { TextEdit } from '../json/textEdit';
import { parseJson } from '../json/tree';
import type { JsonDocument } from '../json/tree';
import { compileGraph } from '../workflow/graph/compileGraph';
import { type GraphProblem, unknownNodeCodes } from '../workflow/graph/graphProblem';
import type { SourceMap } from '../workflow/graph/sourceMap';
import { readPrompt } from '../workflow/prompt';
import type { Prompt } from '../workflow/prompt';
import { placesInGraph, typeRange } from './promptPlaces';
import { refusal } from './runRefusal';
import type { RunProblem, RunRefusal } from './runRefusal';
import type { WorkflowPrompt } from './workflowPrompt';

/** The graph that a prompt was compiled from. */
export interface CompiledGraph {
  readonly document: JsonDocument;
  /** The object that holds the graph; not the whole file when that is a wrapper. */
  readonly node: JsonObject;
  readonly source: SourceMap;
  /** What was lost on the way. */
  readonly warnings: readonly RunProblem[];
}

/**
 * The prompt that the web page would send for a graph. Without node definitions nobody can tell the widgets of a node,
 * so nothing is compiled then.
 */
export function promptOfGraph(
  document: JsonDocument,
  node: JsonObject,
  catalog: Catalog | undefined,
): WorkflowPrompt | RunRefusal {
  if (!catalog) {
    return refusal(
      'noDefinitions',
      "Converting this graph to a prompt needs the server's node definitions, and the server didn't provide them.",
      'Check the connection and refresh the node definitions, or run a file exported in the API format.',
    );
  }
  // The web page draws the words of {a|b} each time it sends a prompt.
  const compiled = compileGraph(document, node, catalog, { dynamicPrompts: 'random' });
  if (compiled.kind === 'failed') {
    const place = typeRange(compiled.problem.node);
    const problem = runProblem(compiled.problem);
    return refusal('graphInvalid', problem.message, 'Fix the graph, then run again.', place, [problem]);
  }
  const { promptText, source, warnings } = compiled;
  const promptDocument = parseJson(promptText);
  const prompt = readPrompt(promptDocument);
  const { root } = prompt;
  if (!root || prompt.nodes.length === 0) {
    return refusal(
      'noNodes',
      'The graph has no nodes to run.',
      'Add nodes, or unmute those that are muted.',
      { offset: node.offset, length: 1 },
    );
  }
  // Unknown types are among what the check of the prompt says.
  const lost = warnings.filter(({ code }) => !unknownNodeCodes.has(code)).map(runProblem);
  return {
    kind: 'prompt',
    prompt,
    root,
    edits: [],
    places: placesInGraph(source, node),
    graph: { document, node, source, warnings: lost },
  };
}

/**
 * The text of the graph with the edits of its prompt made in it too, where the value stands in the graph as it stands
 * in the prompt: a picture then holds the graph that made it, new seeds and all.
 */
export function graphTextWith(graph: CompiledGraph, prompt: Prompt, edits: readonly TextEdit[]): string {
  const { document, node, source } = graph;
  const byOffset = new Map(edits.map((edit) => [edit.offset, edit.newText]));
  const own = new Map<number, TextEdit>();
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

function runProblem({ code, message, node }: GraphProblem): RunProblem {
  const { offset, length } = typeRange(node);
  return { nodeId: '', offset, length, message, type: code };
}
