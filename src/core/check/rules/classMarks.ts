import { classPlace, type NodeRule } from '../rule';
import { t } from '../../safety/localize';

/** Deprecated, experimental and paid node types. */
export const classMarks: NodeRule = (node, _context, report) => {
  const { definition } = node;
  if (!definition) return;
  const place = classPlace(node);
  const name = definition.displayName;
  if (definition.deprecated) {
    const message = t`${name} is deprecated and may be removed. Look for its replacement.`;
    report({ code: 'deprecated-class', ...place, message, tags: ['deprecated'] });
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
