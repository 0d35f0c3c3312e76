import { contains, type JsonNode } from '../json/node';
import { targetsByOrigin } from '../workflow/graph/executionOrder';
import { controlWidget } from '../workflow/graph/extraWidgets';
import { subgraphInputId } from '../workflow/graph/graphLinks';
import type { GraphNode } from '../workflow/graph/graphNode';
import type { LiveLevel, LiveNode } from '../workflow/graph/liveNode';
import { valueWithCopy } from '../workflow/graph/widgetValues';
import type { PromptNode } from '../workflow/prompt';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { type LoadedDrawing, drawnLevelNode, outerId, outerInstances } from './drawWorkflow';
import { nodeRows, type WidgetRow } from './nodeRows';
import { shownInputs } from './nodeSlots';

/** Where the value of a row is in the file, or why it can't be changed there. */
export type RowPlace =
  /** `places` has the same value twice if the file has it by position and by name. */
  | { readonly kind: 'places'; readonly places: readonly [JsonNode, ...JsonNode[]] }
  | { readonly kind: 'linked' | 'inside'; readonly from: RowOrigin | undefined }
  | { readonly kind: 'absent' | 'decides' | 'several' };

export interface RowOrigin {
  /** The instance around it; empty for the root. */
  readonly inside: string;
  readonly node: string;
  readonly title: string;
}

export interface PlacedRow {
  readonly nodeType: string;
  readonly row: WidgetRow;
  readonly place: RowPlace;
}

/** A row of a node on a level, by the node's ID in the whole workflow. */
export function placedRow(
  loaded: LoadedDrawing,
  document: WorkflowDocument,
  inside: string,
  nodeId: string,
  name: string,
): PlacedRow | undefined {
  const node = drawnLevelNode(loaded, inside, nodeId);
  if (!node) return undefined;
  const targets = targetsByOrigin(node.level).get(node.id) ?? [];
  const rows = nodeRows(node, targets, loaded.isLaidOut);
  const [row, ...others] = rows.filter((each) => each.name === name && !each.isHidden);
  if (!row) return undefined;
  const placed = (place: RowPlace): PlacedRow => ({ nodeType: node.type, row, place });
  // The name doesn't tell which of them is meant.
  if (others.length > 0) return placed({ kind: 'several' });
  // The control after a run belongs to its value.
  const owner = row.name === controlWidget ? (rows[rows.indexOf(row) - 1] ?? row) : row;
  const linked = shownInputs(node, rows).find((input) => input.row === owner && input.slot.isLinked);
  const link = linked && node.inputs[linked.index]?.link;
  if (link !== undefined) return placed({ kind: 'linked', from: originOf(loaded, inside, node.level, link) });
  const place = placeOf(loaded, document, node, row);
  if (place.kind !== 'inside' || !row.place) return placed(place);
  if (node.inside) return placed({ ...place, from: holderOf(node.inside, nodeId, row.place) });
  // A primitive without a value of its own has that of what it feeds.
  const from = targets[0]?.target;
  return placed(from ? { kind: 'linked', from: origin(inside, from) } : { kind: 'absent' });
}

function origin(inside: string, { id, title }: LiveNode): RowOrigin {
  return { inside, node: outerId(inside, id), title };
}

function originOf(
  loaded: LoadedDrawing,
  inside: string,
  { links, byId }: LiveLevel,
  first: string,
): RowOrigin | undefined {
  let link: string | undefined = first;
  for (const seen = new Set<string>(); link !== undefined && !seen.has(link);) {
    seen.add(link);
    const { originId = '' } = links.get(link) ?? {};
    if (originId === subgraphInputId) {
      const [instance, around] = outerInstances(loaded, inside).toReversed();
      return instance && { inside: around?.inside ?? '', node: inside, title: instance.title };
    }
    const node = byId.get(originId);
    if (node?.type !== 'Reroute') return node && origin(inside, node);
    link = node.inputs[0]?.link;
  }
  return undefined;
}

function holderOf(level: LiveLevel, inside: string, place: JsonNode): RowOrigin | undefined {
  const levels = new Map([[level, inside]]);
  for (const [{ nodes }, path] of levels) {
    for (const node of nodes) {
      if (contains(node.source.node, place)) return origin(path, node);
      if (node.inside && !levels.has(node.inside)) levels.set(node.inside, outerId(path, node.id));
    }
  }
  return undefined;
}

function placeOf(
  { isLaidOut }: LoadedDrawing,
  { prompt }: WorkflowDocument,
  { source }: LiveNode,
  row: WidgetRow,
): Exclude<RowPlace, { readonly kind: 'linked' }> {
  const place = isLaidOut ? placeInPrompt(prompt?.node(source.id), source, row) : row.place;
  if (!place) return { kind: 'absent' };
  if (isLaidOut) return { kind: 'places', places: [place] };
  if (!contains(source.node, place)) return { kind: 'inside', from: undefined };
  // In a list, other values would then belong to other widgets.
  if (row.spec?.kind === 'dynamicCombo') return { kind: 'decides' };
  return { kind: 'places', places: valueWithCopy(source, row.name, place) };
}

/** Where the prompt has a value of the graph that was made of it, under the name and in the order of the prompt. */
function placeInPrompt(
  node: PromptNode | undefined,
  { widgetsValues }: GraphNode,
  { name, place }: WidgetRow,
): JsonNode | undefined {
  const values = widgetsValues?.kind === 'object' ? widgetsValues.properties : [];
  const held = values.find(({ value }) => value && place && contains(value, place));
  const input = node?.inputs.find((each) => each.name === (held ? held.name : name));
  if (!input || input.link) return undefined;
  const { valueNode } = input;
  if (!held || held.value === place) return valueNode;
  // A field of a row that a node pack adds.
  const fields = held.value?.kind === 'object' ? held.value.properties : [];
  const index = fields.findIndex(({ value }) => value === place);
  return valueNode.kind === 'object' ? valueNode.properties[index]?.value : undefined;
}
