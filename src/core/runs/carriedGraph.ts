import type { Catalog } from '../catalog/catalog';
import { applyEdits, type TextEdit } from '../json/textEdit';
import { recordedEdits, type RecordedEdits, type RecordedValues } from '../language/edits/recordedValues';
import { type Prompt, promptFromText } from '../workflow/prompt';
import { WorkflowDocument } from '../workflow/workflowDocument';

/** The graph of an earlier run, which goes with that run's prompt. */
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
