import type { Catalog } from '../catalog/catalog';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import type { ExactValue } from '../json/exactValue';
import { pythonStr } from '../workflow/values';
import { nodePlace, type ServerNode, titleOf } from './serverPrompt';
import type { ValidationError } from './validationError';

/** The class of a node; an error in the server's words when it has none or the server does not know it. */
export function findClass(
  node: ServerNode,
  catalog: Catalog,
): { definition: NodeDefinition } | { error: ValidationError<'missing_node_type'> } {
  const { classType } = node;
  if (classType === undefined) {
    const title = titleOf(node);
    const name = isShown(title) ? pythonStr(title) : `ID #${node.id}`;
    const message = `Node '${name}' has no class_type. The workflow may be corrupted or a custom node is missing.`;
    return { error: missingNode(node, message, title ?? null) };
  }
  const definition = typeof classType === 'string' ? catalog.get(classType) : undefined;
  if (definition) return { definition };
  const title = titleOf(node);
  const shown = title === undefined ? classType : title;
  const message = `Node '${pythonStr(shown)}' not found. The custom node may not be installed.`;
  return { error: missingNode(node, message, shown) };
}

function isShown(title: ExactValue | undefined): title is ExactValue {
  return title !== undefined && title !== null && title !== '';
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
    place: nodePlace(node),
  };
}
