import { exactEquals } from '../json/exactEquals';
import { exactValue } from '../json/exactValue';
import type { JsonNode, JsonRange } from '../json/node';
import { targetsByOrigin } from '../workflow/graph/executionOrder';
import type { LiveNode } from '../workflow/graph/liveNode';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { type LoadedDrawing, nodeIn } from './drawWorkflow';
import { rowsOf, type WidgetRow } from './nodeRows';
import { shownInputs } from './nodeSlots';

/** Where the value of a row is in the file, or why it can't be changed there. */
export type RowPlace =
  /** `places` has the same value twice if the file has it by position and by name. */
  | { readonly kind: 'places'; readonly places: readonly [JsonNode, ...JsonNode[]] }
  | { readonly kind: 'linked' | 'inside' | 'absent' | 'decides' | 'several' };

export interface PlacedRow {
  readonly nodeType: string;
  readonly row: WidgetRow;
  readonly place: RowPlace;
}

/** A row of a node, by the node's ID in the whole workflow. */
export function placedRow(
  loaded: LoadedDrawing,
  document: WorkflowDocument,
  nodeId: string,
  name: string,
): PlacedRow | undefined {
  const node = nodeIn(loaded, nodeId);
  if (!node) return undefined;
  const rows = rowsOf(node, targetsByOrigin(node.level).get(node.id) ?? []);
  const [row, ...others] = rows.filter((each) => each.name === name && !each.isHidden);
  if (!row) return undefined;
  // Which of them is meant can't be said by the name.
  if (others.length > 0) return { nodeType: node.type, row, place: { kind: 'several' } };
  const isLinked = shownInputs(node, rows).some((input) => input.row === row && input.slot.isLinked);
  const place = isLinked ? ({ kind: 'linked' } as const) : placeOf(loaded, document, node, row);
  return { nodeType: node.type, row, place };
}

function placeOf(
  { isLaidOut }: LoadedDrawing,
  { prompt }: WorkflowDocument,
  node: LiveNode,
  row: WidgetRow,
): RowPlace {
  if (isLaidOut) {
    // Rows of an unknown type have names of their own.
    const name = node.definition ? row.name : row.label;
    const input = prompt?.node(node.id)?.inputs.find((each) => each.name === name);
    if (!input) return { kind: 'absent' };
    return input.link ? { kind: 'linked' } : { kind: 'places', places: [input.valueNode] };
  }
  const { place, name } = row;
  if (!place) return { kind: 'absent' };
  // The inside of a subgraph has the value, for all its instances.
  if (!contains(node.source.node, place)) return { kind: node.inside ? 'inside' : 'absent' };
  // In a list, other values would belong to other widgets then.
  if (row.spec?.kind === 'dynamicCombo') return { kind: 'decides' };
  const { namedValues, widgetsValues } = node.source;
  const twin = namedValues && widgetsValues?.kind === 'array' ? namedValues.get(name) : undefined;
  const isTwin = twin && twin !== place && exactEquals(exactValue(twin), exactValue(place));
  return { kind: 'places', places: isTwin ? [place, twin] : [place] };
}

function contains(outer: JsonRange, { offset, length }: JsonRange): boolean {
  return offset >= outer.offset && offset + length <= outer.offset + outer.length;
}
