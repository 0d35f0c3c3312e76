import type { Meaning } from '../../core/diff/meaning';
import type { WorkflowChange } from '../../core/diff/workflowDifferences';
import type { JsonNode, JsonRange } from '../../core/json/node';
import { slotNameIn } from '../../core/workflow/promptPlaces';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';

/**
 * The place of a change in one of two compared files; undefined if it lacks the node.
 * @param meaning of that file by itself: compared with a prompt, a graph is what it compiles to
 */
export function changedPlace(
  change: WorkflowChange,
  side: 'before' | 'after',
  document: WorkflowDocument,
  meaning: Meaning,
): JsonRange | undefined {
  const id = change.node[side]?.id;
  const node = id === undefined ? undefined : meaning.get(id);
  if (!node) return undefined;
  const { place } = node;
  const member = (name: string): JsonNode | undefined =>
    place.kind === 'object' ? place.get(name) : undefined;
  switch (change.kind) {
    case 'added':
    case 'removed':
      return startOf(place);
    case 'retyped':
      return member('type') ?? startOf(place);
    case 'retitled':
      return member('title') ?? startOf(place);
    case 'mode':
      return member('mode') ?? startOf(place);
    case 'value':
      return (
        node.values.get(change.input)?.place ??
        inputOf(document, node.id, place, change.input) ??
        startOf(place)
      );
    case 'link':
      return inputOf(document, node.id, place, change.input) ?? startOf(place);
  }
}

function inputOf(
  { prompt }: WorkflowDocument,
  id: string,
  place: JsonNode,
  input: string,
): JsonRange | undefined {
  const sent = prompt?.node(id)?.inputs.find(({ name }) => name === input)?.valueNode;
  return sent ?? slotNameIn(place, input);
}

/** A whole node is no selection that anybody wants. */
function startOf(place: JsonNode): JsonRange {
  return place.kind === 'object' ? { offset: place.offset, length: 0 } : place;
}
