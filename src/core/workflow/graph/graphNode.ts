import type { JsonNode, JsonObject } from '../../json/node';
import {
  readId,
  readIds,
  listMember,
  objectMember,
  objectsAmong,
  readSlotIndex,
  textMember,
  readSlotType,
  nameMember,
} from './members';

export interface GraphInput {
  readonly name: string;
  readonly type: string;
  /** The id of the link that feeds it: of a row of the list of links, which may differ from what the slot names. */
  readonly link: string | undefined;
  readonly isLost?: true;
  readonly widget: string | undefined;
  readonly label: string | undefined;
  readonly node: JsonObject;
}

export interface GraphOutput {
  readonly name: string;
  readonly type: string;
  readonly node: JsonObject;
}

/** The mode of a node in a run; 1 and 3 in old files count as always. */
export type NodeMode = 'always' | 'muted' | 'bypassed';

export interface GraphNode {
  readonly id: string;
  readonly hasNumericId: boolean;
  readonly type: string;
  readonly title: string | undefined;
  readonly mode: NodeMode;
  readonly inputs: readonly GraphInput[];
  readonly outputs: readonly GraphOutput[];
  /** `widgets_values`: a list by position, or an object by name. */
  readonly widgetsValues: JsonNode | undefined;
  /** `widgets_values_named`, which newer editors write next to the list. */
  readonly namedValues: JsonObject | undefined;
  readonly properties: JsonObject | undefined;
  readonly node: JsonObject;
}

/** Reads a node of a file; `indexId` is its id if the file has none. */
export function readNode(node: JsonObject, indexId: string): GraphNode {
  const mode = readSlotIndex(node.get('mode'));
  const id = node.get('id');
  return {
    id: readId(id) ?? indexId,
    hasNumericId: id?.kind === 'number' && id.isInteger,
    type: readId(node.get('type')) ?? '',
    title: textMember(node, 'title'),
    mode: mode === 2 ? 'muted' : mode === 4 ? 'bypassed' : 'always',
    inputs: objectsAmong(listMember(node, 'inputs')).map(readInput),
    outputs: objectsAmong(listMember(node, 'outputs')).map((slot) => {
      return { name: nameMember(slot), type: readSlotType(slot.get('type')), node: slot };
    }),
    widgetsValues: node.get('widgets_values'),
    namedValues: objectMember(node, 'widgets_values_named'),
    properties: objectMember(node, 'properties'),
    node,
  };
}

function readInput(node: JsonObject): GraphInput {
  const widget = objectMember(node, 'widget');
  return {
    name: nameMember(node),
    type: readSlotType(node.get('type')),
    link: readId(node.get('link')),
    widget: textMember(widget, 'name'),
    label: textMember(node, 'label'),
    node,
  };
}

/** The links that an output lists. The list of links decides, and editors rewrite these lists (workflows 1.2). */
export function linksListedAt({ node }: GraphOutput): string[] {
  return readIds(listMember(node, 'links'));
}

/** `instance` stands for its subgraph, `passing` passes its input on, `getter` reads a setter, `silent` leaves no trace. */
export type NodeRole = 'executed' | 'instance' | 'passing' | 'getter' | 'silent';
