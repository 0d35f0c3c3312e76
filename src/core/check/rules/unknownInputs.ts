import { exactEquals } from '../../json/exactEquals';
import { isFlexible } from '../flexibleClass';
import type { NodeView } from '../promptView';
import { namePlace, type NodeRule, type Report } from '../rule';
import { similarNames } from '../similarNames';
import { didYouMean } from '../wording';

/** Inputs that the web page itself writes and no class declares: buttons and players (workflows 2, B). */
const cosmetic = new Set([
  'upload',
  'choose file to upload',
  'audioUI',
  'refresh',
  'control_after_generate',
  'preview',
  'video-preview',
  'videopreview',
  'Update inputs',
  'rgthree_comparer',
]);

/** Values in inputs that the class does not have: the server ignores them. Links there have rules of their own. */
export const unknownInputs: NodeRule = (node, { server }, report) => {
  const { definition, values, source } = node;
  if (!definition || !values || node.isReplaced) return;
  const links = new Set(node.links.filter(({ isDeclared }) => !isDeclared).map(({ input }) => input));
  for (const { name } of source.inputs) {
    if (node.declared.has(name) || definition.hiddenInputs.has(name)) continue;
    if (isDynamicPart(node, name, server, report)) continue;
    const takesMore = isFlexible(definition, name);
    if (links.has(name) && !takesMore) continue;
    const missing = [...node.declared.values()]
      .filter((each) => !values.has(each.name))
      .map((each) => each.name);
    const names = similarNames(name, missing);
    const isCosmetic = cosmetic.has(name);
    report({
      code: 'unknown-input',
      ...namePlace(node, name),
      ...(isCosmetic ? { severity: 'hint' } : takesMore ? { severity: 'information' } : {}),
      message: takesMore
        ? `${definition.classType} does not list an input ${name}; it may take it all the same.`
        : `${definition.classType} has no input ${name}, so ${server} ignores it.${didYouMean(names) || ' Remove it.'}`,
      fix:
        names.length > 0
          ? { kind: 'renameInput', nodeId: node.id, input: name, names }
          : { kind: 'removeInput', nodeId: node.id, input: name },
    });
  }
};

/** Names under a dynamic input that do not belong to it as it is now. */
function isDynamicPart(node: NodeView, name: string, server: string, report: Report): boolean {
  for (const { name: parent, spec } of node.definition?.inputs ?? []) {
    const isPart = name === parent || name.startsWith(`${parent}.`);
    if (!isPart) continue;
    const remove = { kind: 'removeInput', nodeId: node.id, input: name } as const;
    if (spec.kind === 'dynamicCombo') {
      // A missing or unknown choice is said once, at the choice.
      const key = node.values?.get(parent);
      const isChosen = key !== undefined && spec.branches.some((each) => exactEquals(each.key, key));
      if (name === parent || !isChosen) return true;
      report({
        code: 'input-of-other-option',
        ...namePlace(node, name),
        message: `${name} does not belong to what is chosen in ${parent}, so ${server} ignores it. Remove it, or choose another option.`,
        fix: remove,
      });
      return true;
    }
    if (spec.kind === 'autogrow') {
      const names = spec.names.map((each) => `${parent}.${each}`);
      const free = names.filter((each) => node.values?.has(each) !== true);
      const firstFree = free[0];
      report({
        code: 'growing-input-name',
        ...namePlace(node, name),
        message: `${server} ignores ${name}: the inputs of ${parent} are called ${names[0] ?? parent}${names.length > 1 ? ` to ${names.at(-1) ?? ''}` : ''}.`,
        fix:
          firstFree === undefined
            ? remove
            : { kind: 'renameInput', nodeId: node.id, input: name, names: [firstFree] },
      });
      return true;
    }
  }
  return false;
}
