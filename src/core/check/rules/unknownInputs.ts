import type { InputSpec, NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { exactEquals } from '../../json/exactEquals';
import { isSentByEditor } from '../../workflow/graph/extraWidgets';
import { isFlexible } from '../flexibleClass';
import type { NodeView } from '../promptView';
import { namePlace, type NodeRule, type Report } from '../rule';
import { withProposal } from '../wording';
import { t } from '../../safety/localize';

/** Inputs that editors of other versions and packs write and no node type declares: buttons and players. */
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

/** Values at inputs that the node type lacks: the server ignores them. Other rules report links there. */
export const unknownInputs: NodeRule = (node, { server, similar }, report) => {
  const { definition, values, source } = node;
  if (!definition || !values || node.isReplaced) return;
  const links = new Set(node.links.filter(({ isDeclared }) => !isDeclared).map(({ input }) => input));
  const reported = new Set(node.groupFaults.map(({ input }) => input));
  const parts = new DynamicParts(node, definition);
  let missing: readonly string[] | undefined;
  for (const { name } of source.inputs) {
    if (node.declared.has(name) || definition.hiddenInputs.has(name) || reported.has(name)) continue;
    if ((cosmetic.has(name) || isSentByEditor(definition, name)) && !links.has(name)) continue;
    if (parts.tell(name, server, report)) continue;
    const takesMore = isFlexible(definition, name);
    if (links.has(name) && !takesMore) continue;
    missing ??= [...node.declared.keys()].filter((each) => !values.has(each));
    const names = similar(name, missing);
    const ignored = t`${definition.classType} has no input ${name}, so ${server} ignores it.`;
    report({
      code: 'unknown-input',
      ...namePlace(node, name),
      severity: takesMore ? 'information' : undefined,
      message: takesMore
        ? t`${definition.classType} doesn't declare an input ${name}, but may accept it.`
        : withProposal(ignored, names, t`${ignored} Remove it.`),
      fix:
        names.length > 0
          ? { kind: 'renameInput', nodeId: node.id, input: name, names }
          : { kind: 'removeInput', nodeId: node.id, input: name },
    });
  }
};

type DynamicCombo = Extract<InputSpec, { kind: 'dynamicCombo' }>;

class DynamicParts {
  private readonly parents: readonly NamedSpec[];
  private readonly free = new Map<
    string,
    { readonly names: readonly string[]; readonly first: string | undefined }
  >();

  constructor(
    private readonly node: NodeView,
    { inputs }: NodeDefinition,
  ) {
    this.parents = inputs.filter(({ spec }) => spec.kind === 'dynamicCombo' || spec.kind === 'autogrow');
  }

  tell(name: string, server: string, report: Report): boolean {
    const { node } = this;
    const remove = { kind: 'removeInput', nodeId: node.id, input: name } as const;
    for (const { name: parent, spec } of this.parents) {
      if (name !== parent && !name.startsWith(`${parent}.`)) continue;
      if (spec.kind === 'dynamicCombo') {
        if (!node.values?.has(parent) || this.isUnderUnknownKey(parent, spec, name)) return true;
        report({
          code: 'input-of-other-option',
          ...namePlace(node, name),
          message: t`${name} belongs to an option of ${parent} that isn't selected, so ${server} ignores it. Remove it, or select that option.`,
          fix: remove,
        });
        return true;
      }
      if (spec.kind !== 'autogrow') continue;
      const { names, first } = this.growing(parent, spec.names);
      report({
        code: 'growing-input-name',
        ...namePlace(node, name),
        message: t`${server} ignores ${name}. The inputs of ${parent} are named ${names.length > 1 ? t`${names[0] ?? ''} to ${names.at(-1) ?? ''}` : (names[0] ?? parent)}.`,
        fix:
          first === undefined
            ? remove
            : { kind: 'renameInput', nodeId: node.id, input: name, names: [first] },
      });
      return true;
    }
    return false;
  }

  /** An unknown option is reported once, at the option, at any depth. */
  private isUnderUnknownKey(parent: string, spec: DynamicCombo, name: string): boolean {
    const key = this.node.values?.get(parent);
    if (key === undefined || (name !== parent && !name.startsWith(`${parent}.`))) return false;
    const branch = spec.branches.find((each) => exactEquals(each.key, key));
    if (!branch) return true;
    return branch.inputs.some(
      (inner) =>
        inner.spec.kind === 'dynamicCombo' &&
        this.isUnderUnknownKey(`${parent}.${inner.name}`, inner.spec, name),
    );
  }

  /** The names under a growing input, and the first one that is not accepted. */
  private growing(
    parent: string,
    members: readonly string[],
  ): { readonly names: readonly string[]; readonly first: string | undefined } {
    const known = this.free.get(parent);
    if (known) return known;
    const names = members.map((each) => `${parent}.${each}`);
    const first = names.find((each) => this.node.values?.has(each) !== true);
    const found = { names, first };
    this.free.set(parent, found);
    return found;
  }
}
