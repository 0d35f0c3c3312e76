import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { classPlace, type NodeRule, type RuleContext } from '../rule';
import { t } from '../../safety/localize';

/** Deprecated, experimental and paid node types. */
export const classMarks: NodeRule = (node, context, report) => {
  const { definition } = node;
  if (!definition) return;
  const place = classPlace(node);
  const name = definition.displayName;
  if (definition.deprecated) {
    const listed = replacementOf(definition, context);
    const successor = listed ?? namesakeOf(definition, context);
    report({
      code: 'deprecated-class',
      ...place,
      message:
        successor === undefined
          ? t`${name} is deprecated and may be removed. Look for its replacement.`
          : t`${name} is deprecated and may be removed. Use ${successor} instead.`,
      tags: ['deprecated'],
      fix: listed === undefined ? undefined : { kind: 'replaceNode', nodeId: node.id, classType: listed },
    });
  }
  if (definition.experimental) {
    report({
      code: 'experimental-class',
      ...place,
      message: t`${name} is experimental: it may change or be removed.`,
    });
  }
  if (definition.apiNode) {
    const message = t`${name} uses a paid service: each run costs credits and needs an API key.`;
    report({ code: 'paid-class', ...place, message });
  }
};

/** From the server's table, which it applies itself once the old type is gone. */
function replacementOf(
  { classType }: NodeDefinition,
  { replacements, view }: RuleContext,
): string | undefined {
  const successor = replacements.get(classType)?.newClassType;
  return successor !== undefined && view.catalog?.has(successor) === true ? successor : undefined;
}

/** Old types keep their display name, marked `(DEPRECATED)` or `(Legacy)`, or name their successor there. */
function namesakeOf({ displayName }: NodeDefinition, { aliases, view }: RuleContext): string | undefined {
  const [, named] = /\(deprecated by ([^)]+)\)/i.exec(displayName) ?? [];
  const wanted = (named ?? displayName.replace(/\((?:deprecated|legacy)\)/gi, '').trim()).toLowerCase();
  return aliases?.()
    .get(wanted)
    ?.find((classType) => view.catalog?.get(classType)?.displayName.toLowerCase() === wanted);
}
