import { classPlace, type NodeRule } from '../rule';
import { t } from '../../safety/localize';

/**
 * Removed node types with a replacement: the server applies it, unless it is an older one and the node lacks `_meta`
 * (workflows 1.1).
 */
export const replacedClasses: NodeRule = (node, { server, view, isLenient }, report) => {
  const old = node.source.classType;
  if (!node.isReplaced || old === undefined || node.classType === undefined || !view.catalog) return;
  const place = classPlace(node);
  const hasMeta = node.source.node.kind === 'object' && node.source.node.property('_meta') !== undefined;
  if (!hasMeta && isLenient !== true) {
    report({
      code: 'replacement-needs-meta',
      ...place,
      severity: isLenient === undefined ? 'hint' : undefined,
      message: t`${server} replaces ${old} with ${node.classType}. Up to ComfyUI 0.33, this fails because the node has no _meta. Add "_meta": {"title": "…"}, or use ${node.classType}.`,
      counts: 'always',
      fix: { kind: 'addMeta', nodeId: node.id, title: old.trim() },
    });
    if (isLenient === false) return;
  }
  report({
    code: 'replaced-class',
    ...place,
    message: t`${server} no longer has the node type ${old} and runs ${node.classType} instead. Use ${node.classType}.`,
    fix: { kind: 'replaceNode', nodeId: node.id, classType: node.classType },
  });
};
