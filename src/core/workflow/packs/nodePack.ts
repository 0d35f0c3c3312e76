import type { NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { ExactValue } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import type { GraphNode, NodeRole } from '../graph/graphNode';
import type { LiveNode } from '../graph/liveNode';
import type { Widget, WidgetType } from '../graph/widget';

export interface NodePack {
  readonly widgetTypes?: Readonly<Record<string, WidgetType>>;
  /** Nodes that exist only in the editor, by node type. */
  readonly roles?: Readonly<Record<string, NodeRole>>;
  readonly nodes?: Readonly<Record<string, PackNode>>;
  /** The same for all nodes whose type begins with the prefix, unless `nodes` has them. */
  readonly prefixed?: Readonly<Record<string, PackNode>>;
}

export interface PackNode {
  /** Widgets after those of the definition, unless it has one of that name. */
  readonly added?: readonly Widget[];
  readonly ownTypes?: Readonly<Record<string, string>>;
  /** Widgets of the editor that the pack takes out, each with the one in its place, or null. */
  readonly replaced?: Readonly<Record<string, Widget | null>>;
  /** A widget per value of the file, numbered from 1: it exists if {@link readValues} has its value. */
  readonly row?: (number: number) => Widget | undefined;
  /** Inputs whose widgets appear after a widget because of its value. */
  readonly inputsAfter?: (
    definition: NodeDefinition,
    name: string,
    value: ExactValue | undefined,
  ) => readonly NamedSpec[];
  /** The values that the pack reads from the file itself, by widget; undefined if they are read in order. */
  readonly readValues?: (node: GraphNode, definition: NodeDefinition) => PackValues | undefined;
  /** The list of values in today's order, if it is that of an older version; `stored` is how many the node has. */
  readonly reorder?: (values: readonly JsonNode[], stored: number) => readonly (JsonNode | undefined)[];
  readonly loadedValue?: (widget: Widget, value: ExactValue, node: GraphNode) => ExactValue;
  /** Values that are sent whatever the file has, by widget: the first lines of pickers. */
  readonly always?: Readonly<Record<string, ExactValue>>;
  /** The value that is sent instead; undefined if nothing is. */
  readonly sentValue?: (name: string, value: ExactValue, node: LiveNode) => ExactValue | undefined;
  /** The widget whose text may contain %date:…% and %Node.widget%. */
  readonly replacedText?: string;
  /** The places in an object of values that are not sent: previews, buttons, and what was migrated. */
  readonly unsent?: RegExp;
}

export interface PackValue {
  readonly value: ExactValue;
  readonly place: JsonNode | undefined;
}

export type PackValues = ReadonlyMap<string, PackValue>;

/** The member of a pack by a name, which may be one that all objects have: "constructor". */
export function ownMember<Value>(
  members: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return members && Object.hasOwn(members, name) ? members[name] : undefined;
}
