import { exactEquals } from '../../json/exactEquals';
import { isExactList, exactValue } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import { hasSlot, typeAtSlot } from '../links';
import { type NodeView, isSlot } from '../promptView';
import {
  classPlace,
  type InputRule,
  type InputSubject,
  checkedNodeName,
  type Report,
  type RuleContext,
  valuePlace,
  type NodeRule,
} from '../rule';
import { shownExact, withProposal, shownType } from '../wording';
import { t } from '../../safety/localize';
import { areCompatible } from '../typeCompatibility';
import { PythonRaise } from '../pythonRaise';
import { failsOnName } from '../validators';

/** Links whose output does not match the input (workflows 4.4). */
export const linkTypes: InputRule = ({ node, declared, value, validator }, { view }, report) => {
  if (!isExactList(value) || value.length !== 2 || validator?.takesTypes === true) return;
  const target = typeof value[0] === 'string' ? view.nodes.get(value[0]) : undefined;
  if (!target?.definition) return;
  const { spec, name } = declared;
  if (failsOnName(validator, name, null)) return;
  const place = valuePlace(node, name);
  try {
    const slot = value[1] ?? null;
    const received = typeAtSlot(target.definition, slot, { nodeId: node.id, range: place.range });
    const wanted = spec.kind === 'dynamicSlot' ? spec.slotType : spec.rawType;
    if (areCompatible(received, wanted)) return;
    const output = typeof slot === 'bigint' ? target.definition.outputs[Number(slot)]?.name : undefined;
    const given = shownType(received);
    const named = output === undefined || output === '' || output === given ? given : `${output} (${given})`;
    report({
      code: 'link-type',
      ...place,
      linksTo: target.id,
      message: t`${name} needs ${shownType(wanted)}, but that output of ${checkedNodeName(target)} is ${named}. Link to a compatible output.`,
      counts: 'checked',
      related: [{ ...classPlace(target), message: t`${checkedNodeName(target)} is here.` }],
      fix: { kind: 'chooseLink', nodeId: node.id, input: name, type: spec.type },
    });
  } catch (error) {
    // No such slot: another rule reports it.
    if (!(error instanceof PythonRaise)) throw error;
  }
};

/** Links of nodes with unknown types: only pairs that can be nothing else are judged. */
export const structuralLinks: NodeRule = (node, { view, similar }, report) => {
  if (node.definition) return;
  for (const { name, valueNode } of node.source.inputs) {
    // Without definitions, it is unknown which lists the server unwraps into links.
    const isWrapped = !view.catalog && valueNode.kind === 'object';
    const list = isWrapped ? valueNode.get('__value__') : valueNode;
    if (list?.kind !== 'array' || list.items.length !== 2) continue;
    const [id, slot] = list.items;
    const common = { nodeId: node.id, input: name } as const;
    if (id?.kind === 'string' && slot && isSlot(exactValue(slot)) && !view.nodes.has(id.value)) {
      const missing = t`There is no node ${JSON.stringify(id.value)} to link to.`;
      const names = similar(id.value, view.nodes.keys());
      report({
        code: 'link-to-missing-node',
        ...common,
        range: id,
        message: withProposal(missing, names, t`${missing} Link to another node.`),
        fix: { kind: 'chooseLink', nodeId: node.id, input: name, type: '*' },
      });
    } else if (!isWrapped && id?.kind === 'number' && slot?.kind === 'number' && view.nodes.has(id.text)) {
      report({
        code: 'link-id-not-text',
        ...common,
        range: id,
        message: t`Node IDs in links must be strings. Use ${JSON.stringify(id.text)}.`,
        fix: { kind: 'replaceText', range: id, texts: [JSON.stringify(id.text)] },
      });
    }
  }
};

/** Links that are not pairs, or name no node or no slot (workflows 4.2, rows 2 and 3; 4.3). */
export const linkForm: InputRule = (subject, context, report) => {
  const { value, node, declared } = subject;
  if (!isExactList(value)) return;
  const place = valuePlace(node, declared.name);
  if (value.length !== 2) {
    const written = subject.source?.valueNode;
    report({
      code: 'link-shape',
      ...place,
      message: t`A list is read as a link, ["node id", slot], but this one has ${value.length} items. To pass a list, use {"__value__": […]}.`,
      counts: 'checked',
      fix: written && {
        kind: 'chooseLink',
        nodeId: node.id,
        input: declared.name,
        type: declared.spec.type,
      },
    });
    return;
  }
  const target = findTarget(subject, context, report);
  if (target) checkSlot(subject, target, report);
};

function findTarget(
  subject: InputSubject,
  { view, similar, reach }: RuleContext,
  report: Report,
): NodeView | undefined {
  const { node, declared, value } = subject;
  const id = isExactList(value) ? (value[0] ?? null) : null;
  const target = typeof id === 'string' ? view.nodes.get(id) : undefined;
  // Where the server follows the link without validating it, a more severe rule reports it.
  if (target || (typeof id === 'string' && reach.isRunUnchecked(node))) return target;
  const place = valuePlace(node, declared.name, element(subject, 0));
  if (typeof id === 'string') {
    const isList = isExactList(value) && typeof value[1] === 'string';
    const missing = t`There is no node ${JSON.stringify(id)} to link to.`;
    report({
      code: 'link-to-missing-node',
      ...place,
      linksTo: id,
      message: isList
        ? t`${missing} To pass a list, use {"__value__": […]}.`
        : withProposal(missing, similar(id, view.nodes.keys()), t`${missing} Link to another node.`),
      counts: 'checked',
      fix: { kind: 'chooseLink', nodeId: node.id, input: declared.name, type: declared.spec.type },
    });
    return undefined;
  }
  const asText = typeof id === 'bigint' ? id.toString() : undefined;
  const exists = asText !== undefined && view.nodes.has(asText);
  report({
    code: 'link-id-not-text',
    ...place,
    message: exists
      ? t`Node IDs in links must be strings, so ${shownExact(id)} matches no node. Use ${JSON.stringify(asText)}.`
      : t`Node IDs in links must be strings, so ${shownExact(id)} matches no node. Put the ID in quotes.`,
    counts: 'checked',
    fix: exists
      ? { kind: 'replaceText', range: place.range, texts: [JSON.stringify(asText)] }
      : { kind: 'chooseLink', nodeId: node.id, input: declared.name, type: declared.spec.type },
  });
  return undefined;
}

function checkSlot(subject: InputSubject, target: NodeView, report: Report): void {
  const { node, declared, value } = subject;
  const slot = isExactList(value) ? (value[1] ?? null) : null;
  const { definition } = target;
  const place = valuePlace(node, declared.name, element(subject, 1));
  if (typeof slot !== 'bigint' && typeof slot !== 'boolean') {
    const whole = typeof slot === 'number' && Number.isInteger(slot) ? String(slot) : undefined;
    const digits = typeof slot === 'string' && /^\d+$/.test(slot) ? slot : undefined;
    const text = whole ?? digits;
    report({
      code: 'link-slot-not-integer',
      ...place,
      message: t`The slot of a link must be an integer, 0 or higher, not ${shownExact(slot)}.`,
      counts: 'checked',
      fix: text === undefined ? undefined : { kind: 'replaceText', range: place.range, texts: [text] },
    });
    return;
  }
  if (!definition) return;
  const isNegative = typeof slot === 'bigint' && slot < 0n;
  if (!isNegative && hasSlot(target, slot)) return;
  const related = [{ ...classPlace(target), message: t`${checkedNodeName(target)} is here.` }];
  if (!hasSlot(target, slot)) {
    report({
      code: 'link-slot',
      ...place,
      linksTo: target.id,
      message: noSuchSlot(checkedNodeName(target), shownExact(slot), definition.outputs.length),
      counts: 'checked',
      related,
      fix: { kind: 'chooseLink', nodeId: node.id, input: declared.name, type: declared.spec.type },
    });
  } else if (isNegative) {
    const meant = BigInt(definition.outputs.length) + slot;
    report({
      code: 'link-slot-negative',
      ...place,
      message: t`Slot ${shownExact(slot)} counts back from the last output, so it means slot ${meant.toString()} of ${checkedNodeName(target)}. Use ${meant.toString()}.`,
      related,
      fix: { kind: 'replaceText', range: place.range, texts: [meant.toString()] },
    });
  }
}

function noSuchSlot(node: string, slot: string, slots: number): string {
  if (slots === 0) return t`${node} has no slot ${slot}: it has no outputs.`;
  if (slots === 1) return t`${node} has no slot ${slot}: it has slot 0 only.`;
  return t`${node} has no slot ${slot}: it has slots 0 to ${slots - 1}.`;
}

function element({ source, value }: InputSubject, index: number): JsonNode | undefined {
  const node = source?.valueNode;
  const isSame =
    node?.kind === 'array' &&
    isExactList(value) &&
    exactEquals(BigInt(node.items.length), BigInt(value.length));
  return isSame ? node.items[index] : undefined;
}
