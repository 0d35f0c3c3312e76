import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { ExactValue } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import type { GraphLink } from './graphLinks';
import type { GraphNode, NodeMode, NodeRole } from './graphNode';
import type { GraphProblem } from './graphProblem';
import type { Widget } from './widget';

/** A value and its place in the file; defaults have no place. */
export interface PlacedValue {
  readonly value: ExactValue | undefined;
  readonly place: JsonNode | undefined;
}

/** A widget of a loaded node. The value may change once: primitives write into the widgets they are linked to. */
export interface LiveWidget {
  readonly widget: Widget;
  current: PlacedValue;
}

export interface LiveInput {
  readonly name: string;
  readonly type: string;
  link: string | undefined;
  readonly widget: string | undefined;
  readonly place: JsonNode | undefined;
}

export type LiveLink = Omit<GraphLink, 'id' | 'repeats'>;

/** A node as the editor has it after loading: merged with its definition (workflows 2, A4). */
export interface LiveNode {
  readonly id: string;
  readonly source: GraphNode;
  readonly type: string;
  readonly title: string;
  /** As in the file; a run may unmute a node that the file leaves to chance. */
  mode: NodeMode;
  readonly role: NodeRole;
  readonly definition: NodeDefinition | undefined;
  readonly inputs: LiveInput[];
  readonly outputTypes: readonly string[];
  readonly widgets: readonly LiveWidget[];
  readonly level: LiveLevel;
  readonly inside: LiveLevel | undefined;
  readonly missingTypes: readonly string[];
}

/** A loaded level: the root, or the inside shared by all instances of one subgraph. */
export interface LiveLevel {
  readonly nodes: LiveNode[];
  readonly byId: Map<string, LiveNode>;
  readonly links: Map<string, LiveLink>;
  readonly subgraph: LiveSubgraph | undefined;
  readonly problems: GraphProblem[];
}

export interface LiveSubgraph {
  readonly id: string;
  readonly name: string;
  /** Inputs of the file first, then those that the editor makes from `proxyWidgets`. */
  readonly inputs: LiveSlot[];
  readonly declaredInputs: number;
  readonly outputs: LiveSlot[];
}

interface LiveSlot {
  readonly name: string;
  readonly type: string;
  readonly label?: string | undefined;
  readonly linkIds: readonly string[];
}

export function levelsBelow(root: LiveLevel): LiveLevel[] {
  const levels = new Set([root]);
  for (const { nodes } of levels) for (const { inside } of nodes) if (inside) levels.add(inside);
  return [...levels];
}
