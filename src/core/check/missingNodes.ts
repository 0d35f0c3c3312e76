import type { Catalog } from '../catalog/catalog';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import type { ExactValue } from '../json/exactValue';
import { pythonStr } from '../workflow/values';
import { serverNodePlace, type ServerNode, serverNodeTitle } from './serverPrompt';
import type { ValidationError } from './literalErrors';

/** Servers before 2026 (0.3) and since. */
export type ServerGeneration = 'current' | '0.3';

type MissingNode = ValidationError<'missing_node_type' | 'invalid_prompt'>;

/** Reports a missing node type in the server's words. Raises what the server raises on an entry that isn't a node. */
export function findClass(
  node: ServerNode,
  catalog: Catalog,
  generation: ServerGeneration = 'current',
): { definition: NodeDefinition } | { error: MissingNode } {
  const { classType, onClass } = node;
  if (onClass) throw onClass;
  const definition = typeof classType === 'string' ? catalog.get(classType) : undefined;
  if (definition) return { definition };
  if (generation === '0.3') return { error: inOldWords(node) };
  if (classType === undefined) {
    const title = serverNodeTitle(node);
    const isUntitled = title === undefined || title === null || title === '';
    const name = isUntitled ? `ID #${node.id}` : pythonStr(title);
    const message = `Node '${name}' has no class_type. The workflow may be corrupted or a custom node is missing.`;
    return { error: missingNode(node, message, title ?? null) };
  }
  const title = serverNodeTitle(node);
  const shown = title === undefined ? classType : title;
  const message = `Node '${pythonStr(shown)}' not found. The custom node may not be installed.`;
  return { error: missingNode(node, message, shown) };
}

function inOldWords(node: ServerNode): MissingNode {
  const message =
    node.classType === undefined
      ? 'Cannot execute because a node is missing the class_type property.'
      : `Cannot execute because node ${pythonStr(node.classType)} does not exist.`;
  const details = `Node ID '#${node.id}'`;
  return { type: 'invalid_prompt', message, details, extra_info: new Map(), place: serverNodePlace(node) };
}

function missingNode(
  node: ServerNode,
  message: string,
  title: ExactValue,
): ValidationError<'missing_node_type'> {
  const extra: [string, ExactValue][] = [
    ['node_id', node.id],
    ['class_type', node.classType ?? null],
    ['node_title', title],
  ];
  return {
    type: 'missing_node_type',
    message,
    details: `Node ID '#${node.id}'`,
    extra_info: new Map(extra),
    place: serverNodePlace(node),
  };
}
