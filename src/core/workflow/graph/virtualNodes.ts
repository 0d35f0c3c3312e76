import { nodePacks } from '../packs/packs';
import type { GraphNode, NodeRole } from './graphNode';

const primitive = 'PrimitiveNode';

/** The editor's own nodes; they never reach a server, even if one defines a node type of that name. */
const editorRoles: ReadonlyMap<string, NodeRole> = new Map([
  ['Note', 'silent'],
  ['MarkdownNote', 'silent'],
  [primitive, 'silent'],
  ['Reroute', 'passing'],
]);

/** Nodes that packs implement in the browser; no server lists them (workflows 1.3). */
const packRoles: ReadonlyMap<string, NodeRole> = new Map(
  nodePacks.flatMap((pack) => Object.entries(pack.roles ?? {})),
);

/** Node types that are named by their first value, so that getters find them. */
export const setterTypes: ReadonlySet<string> = new Set(['SetNode', 'easy setNode']);

export function isVirtualType(type: string): boolean {
  return editorRoles.has(type);
}

/** The role of a node that the server does not know: without slots it is decoration (workflows 1.3). */
export function virtualNodeRole(node: GraphNode): NodeRole {
  const known = editorRoles.get(node.type) ?? packRoles.get(node.type);
  if (known) return known;
  return node.inputs.length === 0 && node.outputs.length === 0 ? 'silent' : 'executed';
}

export function isPrimitive(type: string): boolean {
  return type === primitive;
}

export function wireName({ widgetsValues }: GraphNode): string | undefined {
  const first = widgetsValues?.kind === 'array' ? widgetsValues.items[0] : undefined;
  return first?.kind === 'string' ? first.value : undefined;
}
