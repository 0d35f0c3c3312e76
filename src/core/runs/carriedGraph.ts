import type { Catalog } from '../catalog/catalog';
import { applyEdits, type TextEdit } from '../json/textEdit';
import { recordedEdits } from '../language/edits/recordedValues';
import { type Prompt, promptFromText } from '../workflow/prompt';
import { WorkflowDocument } from '../workflow/workflowDocument';

/** The graph of an earlier run, which goes with that run's prompt. */
export interface CarriedGraph {
  readonly text: string;
  readonly catalog: Catalog | undefined;
}

/**
 * The graph with the values that the edits gave to its prompt; undefined if it has no place for one of them. Pictures
 * and run records must not contain a graph that contradicts the prompt.
 */
export function carriedGraphWith(
  { text, catalog }: CarriedGraph,
  prompt: Prompt,
  edits: readonly TextEdit[],
  promptText: string,
): string | undefined {
  const offsets = new Set(edits.map(({ offset }) => offset));
  const edited = ({ valueNode }: { valueNode: { offset: number } }): boolean => offsets.has(valueNode.offset);
  if (!prompt.nodes.some(({ inputs }) => inputs.some(edited))) return text;
  const isWanted = (id: string, name: string): boolean =>
    prompt.node(id)?.inputs.some((input) => input.name === name && edited(input)) === true;
  const found = recordedEdits(
    WorkflowDocument.of(text),
    { prompt: promptFromText(promptText), isWanted },
    catalog,
  );
  return found.kind === 'edits' && found.left.length === 0 ? applyEdits(text, found.edits) : undefined;
}
