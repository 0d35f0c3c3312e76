import type { InputSpec, NamedSpec } from '../../catalog/inputSpec';
import { writeExact } from '../../json/exactWriter';
import { type ExactValue, isExactList } from '../../json/exactValue';
import type { FixHint } from '../finding';
import { classPlace, type NodeRule, type Report, type RuleContext, valuePlace } from '../rule';
import { fittingOutput, listWithOr, shownExact } from '../wording';
import { t } from '../../safety/localize';
import { exactEquals } from '../../json/exactEquals';
import { isOfPack } from '../flexibleClass';
import type { NodeView } from '../promptView';

/**
 * Options that determine which inputs a node has. If one is missing or unknown, the server silently drops everything
 * that depends on it, and a node of the core fails when it runs. Without an option of an option, it may have another way
 * to choose, and a node of a pack may have a default (workflows 4.6).
 */
export const dynamicKeys: NodeRule = (node, context, report) => {
  if (!node.definition || !node.values) return;
  for (const input of node.definition.inputs) checkKey(node, input, input.name, context, report);
};

function checkKey(
  node: NodeView,
  { spec, section }: NamedSpec,
  name: string,
  context: RuleContext,
  report: Report,
): void {
  if (spec.kind !== 'dynamicCombo') return;
  const key = node.values?.get(name);
  const keys = spec.branches.map((branch) => branch.key);
  const branch = key === undefined ? undefined : spec.branches.find((each) => exactEquals(each.key, key));
  if (branch) {
    for (const inner of branch.inputs) checkKey(node, inner, `${name}.${inner.name}`, context, report);
    return;
  }
  const named = listWithOr(keys.slice(0, 8).map(shownExact));
  const choices = keys.length > 8 ? `${named} …` : named;
  if (key === undefined) {
    if (section !== 'required') return;
    const first = keys[0];
    const { definition } = node;
    const isNested = definition?.inputs.every((each) => each.name !== name) === true;
    const mayDoWithout = isNested || (definition !== undefined && isOfPack(definition));
    report({
      code: 'dynamic-key-missing',
      ...classPlace(node),
      input: name,
      severity: mayDoWithout ? 'hint' : undefined,
      message: mayDoWithout
        ? t`${name} is missing, so ${context.server} silently drops all inputs that depend on it. If the node fails, choose ${choices}.`
        : t`${name} is missing, so ${context.server} ignores every input that depends on it and the node fails. Choose ${choices}.`,
      fix:
        first === undefined
          ? undefined
          : { kind: 'insertInput', nodeId: node.id, input: name, text: writeExact(first) },
    });
    return;
  }
  report({
    code: 'dynamic-key-unknown',
    ...valuePlace(node, name),
    message: isExactList(key)
      ? t`${name} can't be a link. ${context.server} ignores it and every input that depends on it, so the node fails. Choose ${choices}.`
      : t`${shownExact(key)} is not an option of ${name}. ${context.server} ignores it and every input that depends on it, so the node fails. Choose ${choices}.`,
    fix: {
      kind: 'replaceText',
      range: valuePlace(node, name).range,
      texts: ordered(key, keys, context).map(writeExact),
    },
  });
}

function ordered(
  key: ExactValue,
  keys: readonly ExactValue[],
  { similar: likest }: RuleContext,
): ExactValue[] {
  const texts = keys.filter((each) => typeof each === 'string');
  const similar = typeof key === 'string' ? likest(key, texts) : [];
  return [...similar, ...keys.filter((each) => typeof each !== 'string' || !similar.includes(each))].slice(
    0,
    20,
  );
}

/** Required inputs missing from the file (workflows 4.2, row 1). */
export const missingInputs: NodeRule = (node, _context, report) => {
  const { values, declared } = node;
  if (!values) return;
  for (const { name, section, spec } of declared.values()) {
    if (section !== 'required' || values.has(name)) continue;
    const text = valueToInsert(spec);
    const { classType = '' } = node;
    // The inputs of a replaced node are right for the node type in the file.
    const fix: FixHint = node.isReplaced
      ? { kind: 'replaceNode', nodeId: node.id, classType }
      : text === undefined
        ? { kind: 'chooseLink', nodeId: node.id, input: name, type: spec.type }
        : { kind: 'insertInput', nodeId: node.id, input: name, text };
    report({
      code: 'missing-input',
      ...classPlace(node),
      input: name,
      message:
        text === undefined
          ? t`Input ${name} is missing. Link it to ${fittingOutput(spec)}.`
          : t`Input ${name} is missing. Add it, for example as ${text}.`,
      counts: 'checked',
      fix,
    });
  }
};

/** The JSON text that a new input of this kind starts with; undefined for inputs that accept only links. */
function valueToInsert(spec: InputSpec): string | undefined {
  if (spec.forceInput) return undefined;
  const value = spec.default ?? firstValue(spec);
  return value === undefined ? undefined : writeExact(value);
}

function firstValue(spec: InputSpec): ExactValue | undefined {
  switch (spec.kind) {
    case 'int':
      return spec.min ?? 0n;
    case 'float':
      return spec.min ?? 0;
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'combo':
      return spec.choices[0] ?? '';
    default:
      return undefined;
  }
}
