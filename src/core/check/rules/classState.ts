import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { classPlace, type NodeRule, type RuleContext } from '../rule';
import { t } from '../../safety/localize';

export const classMarks: NodeRule = (node, context, report) => {
  const { definition } = node;
  if (!definition) return;
  const place = classPlace(node);
  const name = definition.displayName;
  if (definition.deprecated) {
    // The server applies its table itself once the old type is gone.
    const listed = context.replacements.get(definition.classType)?.newClassType;
    const successor = listed !== undefined && context.view.catalog?.has(listed) === true ? listed : undefined;
    const named = successor ?? namesakeOf(definition, context);
    report({
      code: 'deprecated-class',
      ...place,
      message:
        named === undefined
          ? t`${name} is deprecated and may be removed. Look for its replacement.`
          : t`${name} is deprecated and may be removed. Use ${named} instead.`,
      tags: ['deprecated'],
      fix:
        successor === undefined ? undefined : { kind: 'replaceNode', nodeId: node.id, classType: successor },
    });
  }
  if (definition.experimental) {
    report({
      code: 'experimental-class',
      ...place,
      message: t`${name} is experimental and may change or be removed.`,
    });
  }
  if (definition.apiNode) {
    const message = t`${name} uses a paid service. Each run costs credits and needs an API key.`;
    report({ code: 'paid-class', ...place, message });
  }
};

/** Old types keep their display name, marked `(DEPRECATED)` or `(Legacy)`, or name their successor there. */
function namesakeOf({ displayName }: NodeDefinition, { aliases, view }: RuleContext): string | undefined {
  const named = /\(deprecated by ([^)]+)\)/i.exec(displayName)?.[1];
  const wanted = (named ?? displayName.replace(/\((?:deprecated|legacy)\)/gi, '').trim()).toLowerCase();
  const namesakes = aliases?.().get(wanted) ?? [];
  return namesakes.find((each) => view.catalog?.get(each)?.displayName.toLowerCase() === wanted);
}

/** A server applies a replacement, unless it is an older one and the node lacks `_meta` (workflows 1.1). */
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
