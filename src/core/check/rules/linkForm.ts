import { exactEquals } from '../../json/exactEquals';
import { isExactList } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import { hasSlot } from '../links';
import type { NodeView } from '../promptView';
import {
  classPlace,
  type InputRule,
  type InputSubject,
  checkedNodeName,
  type Report,
  type RuleContext,
  valuePlace,
} from '../rule';
import { shownExact, withProposal } from '../wording';
import { t } from '../../safety/localize';

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
