import type { JsonNode, JsonRange } from '../../json/node';
import { replaceValue, type TextEdit } from '../../json/textEdit';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { graphPlaceAt } from '../places/graphPlace';
import { RenameError } from './renameError';
import { rangeOf } from '../places/jsonPlace';
import { namedGraphNode } from '../navigation/navigation';
import { promptPlaceAt } from '../places/promptPlace';
import { renameInGraph } from './renameGraph';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { t } from '../../safety/localize';

/** What a rename would change: the id at the cursor, in the declaration or in a link. */
export interface RenameTarget extends JsonRange {
  readonly id: string;
}

/** The node ID at an offset. Throws {@link RenameError} if there is none. */
export function prepareRename(doc: WorkflowDocument, offset: number): RenameTarget {
  refuseBroken(doc);
  const { graph, prompt } = doc;
  if (graph) {
    const place = graphPlaceAt(graph, offset);
    const isId = place?.kind === 'nodeId' || place?.kind === 'link';
    const found = isId ? namedGraphNode(place) : undefined;
    if (found) return { ...insideQuotes(found.at), id: found.node.id };
  } else if (prompt) {
    const { node, at } = idAt(prompt, offset) ?? {};
    if (node && at) return { ...insideQuotes(at), id: node.id };
  }
  throw new RenameError(t`Only node IDs can be renamed. Place the cursor on a node ID.`);
}

/** Edits that give the node at an offset another id, in every place that names it. Throws {@link RenameError}. */
export function rename(doc: WorkflowDocument, offset: number, newId: string): TextEdit[] {
  const { id } = prepareRename(doc, offset);
  if (newId === id) return [];
  const { graph, prompt } = doc;
  if (graph) {
    const place = graphPlaceAt(graph, offset);
    const found = place && namedGraphNode(place);
    return found ? renameInGraph(graph, found.scope, found.node, newId) : [];
  }
  return prompt ? renameInPrompt(doc, prompt, id, newId) : [];
}

function renameInPrompt(doc: WorkflowDocument, prompt: Prompt, id: string, newId: string): TextEdit[] {
  if (newId.trim() === '') throw new RenameError(t`A node ID can't be empty.`);
  if (prompt.node(newId)) throw new RenameError(t`Node ${newId} already exists. Choose an unused ID.`);
  const properties = prompt.root?.properties.filter(({ name }) => name === id) ?? [];
  if (properties.length > 1) {
    throw new RenameError(t`Several nodes have the ID ${id}. Give each a unique ID first.`);
  }
  const links = prompt.nodes.flatMap(({ inputs }) =>
    inputs.flatMap(({ valueNode }) => linkTo(valueNode, id)),
  );
  const places = [...properties.map(({ key }) => key), ...links, ...targetsIn(doc, id)];
  return places.map((place) => replaceValue(place, JSON.stringify(newId)));
}

/** The id in a link to a node; every list of two is a link to the server, whatever its slot is. */
function linkTo(value: JsonNode, id: string): JsonNode[] {
  const first = value.kind === 'array' && value.items.length === 2 ? value.items[0] : undefined;
  return first?.kind === 'string' && first.value === id ? [first] : [];
}

/** A POST body can name the nodes that are to run. */
function targetsIn({ json, shape }: WorkflowDocument, id: string): JsonNode[] {
  if (shape?.kind !== 'wrapper' || json.root?.kind !== 'object') return [];
  const targets = json.root.get('partial_execution_targets');
  if (targets?.kind !== 'array') return [];
  return targets.items.filter((each) => each.kind === 'string' && each.value === id);
}

function idAt(prompt: Prompt, offset: number): { node: PromptNode; at: JsonNode } | undefined {
  const place = promptPlaceAt(prompt, offset);
  if (place?.kind === 'nodeId') return { node: place.node, at: place.node.idNode };
  if (place?.kind !== 'linkNode' || place.json.node?.kind !== 'string') return undefined;
  const node = prompt.node(place.json.node.value);
  return node && { node, at: place.json.node };
}

function refuseBroken({ format }: WorkflowDocument): void {
  if (format.kind === 'none' && format.reason === 'notJson') {
    throw new RenameError(t`The file isn't valid JSON right now. Fix it first, or links could be missed.`);
  }
}

function insideQuotes(node: JsonNode): JsonRange {
  return node.kind === 'string' ? { offset: node.offset + 1, length: node.length - 2 } : rangeOf(node);
}
