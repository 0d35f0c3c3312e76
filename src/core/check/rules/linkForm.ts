import { exactEquals } from '../../json/exactEquals';
import { type ExactValue, isExactList } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import { typeAtSlot } from '../links';
import type { NodeView } from '../promptView';
import { PythonRaise } from '../pythonRaise';
import {
  classPlace,
  type InputRule,
  type InputSubject,
  nodeName,
  type Report,
  type RuleContext,
  valuePlace,
} from '../rule';
import { didYouMean, shown } from '../wording';

/** Links that are no pair, name no node or no slot (workflows 4.2, rows 2 and 3; 4.3). */
export const linkForm: InputRule = (subject, context, report) => {
  const { value, node, declared } = subject;
  if (!isExactList(value)) return;
  const place = valuePlace(node, declared.name);
  if (value.length !== 2) {
    const written = subject.source?.valueNode;
    report({
      code: 'link-shape',
      ...place,
      message: `A list is read as a link, ["node id", slot], but this one has ${value.length} elements. If you mean a list, write {"__value__": […]}.`,
      counts: 'checked',
      ...(written && {
        fix: { kind: 'chooseLink', nodeId: node.id, input: declared.name, type: declared.spec.type },
      }),
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
  // Where the server follows the link without having checked it, a graver rule says so.
  if (target || (typeof id === 'string' && reach.isRunUnchecked(node))) return target;
  const place = valuePlace(node, declared.name, element(subject, 0));
  if (typeof id === 'string') {
    const isList = isExactList(value) && typeof value[1] === 'string';
    const next = didYouMean(similar(id, view.nodes.keys())) || ' Link to another node.';
    report({
      code: 'link-to-missing-node',
      ...place,
      message: `There is no node ${JSON.stringify(id)} to link to.${isList ? ' If you mean a list, write {"__value__": […]}.' : next}`,
      counts: 'checked',
      fix: { kind: 'chooseLink', nodeId: node.id, input: declared.name, type: declared.spec.type },
    });
    return undefined;
  }
  const asText = typeof id === 'bigint' ? id.toString() : undefined;
  const exists = asText !== undefined && view.nodes.has(asText);
  const next = exists ? ` Write ${JSON.stringify(asText)}.` : ' Put the node ID in quotes.';
  report({
    code: 'link-id-not-text',
    ...place,
    message: `Node IDs in links are strings; ${shown(id)} refers to no node.${next}`,
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
      message: `The slot of a link must be an integer, 0 or higher, not ${shown(slot)}.`,
      counts: 'checked',
      ...(text === undefined ? {} : { fix: { kind: 'replaceText', range: place.range, texts: [text] } }),
    });
    return;
  }
  if (!definition) return;
  const isNegative = typeof slot === 'bigint' && slot < 0n;
  if (!isNegative && hasSlot(target, slot)) return;
  const related = [{ ...classPlace(target), message: `${nodeName(target)} is here.` }];
  if (!hasSlot(target, slot)) {
    const slots = definition.outputs.length;
    const has =
      slots === 0 ? 'has no outputs' : slots === 1 ? 'has slot 0 only' : `has slots 0 to ${slots - 1}`;
    report({
      code: 'link-slot',
      ...place,
      message: `${nodeName(target)} has no slot ${shown(slot)}: it ${has}.`,
      counts: 'checked',
      related,
      fix: { kind: 'chooseLink', nodeId: node.id, input: declared.name, type: declared.spec.type },
    });
  } else if (isNegative) {
    const meant = BigInt(definition.outputs.length) + slot;
    report({
      code: 'link-slot-negative',
      ...place,
      message: `Slot ${slot} counts back from the last output: it is slot ${meant} of ${nodeName(target)}. Use ${meant}.`,
      related,
      fix: { kind: 'replaceText', range: place.range, texts: [meant.toString()] },
    });
  }
}

/** Whether the server finds a type at the slot. */
function hasSlot(target: NodeView, slot: ExactValue): boolean {
  if (!target.definition) return true;
  try {
    typeAtSlot(target.definition, slot, { nodeId: target.id, range: target.source.idNode });
    return true;
  } catch (error) {
    if (error instanceof PythonRaise) return false;
    throw error;
  }
}

/** The part of the link in the file; undefined where a replacement wrote the link. */
function element({ source, value }: InputSubject, index: number): JsonNode | undefined {
  const node = source?.valueNode;
  const isSame =
    node?.kind === 'array' &&
    isExactList(value) &&
    exactEquals(BigInt(node.items.length), BigInt(value.length));
  return isSame ? node.items[index] : undefined;
}
