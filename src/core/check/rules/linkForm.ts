import { isNumeric } from '../../json/exactEquals';
import { type ExactValue, exactValue, isExactList } from '../../json/exactValue';
import { t } from '../../safety/localize';
import type { CheckCode } from '../codes';
import { followLink } from '../links';
import type { ValidationError } from '../literalErrors';
import { PythonRaise } from '../pythonRaise';
import {
  checkedNodeName,
  classPlace,
  type InputRule,
  type InputSubject,
  type NodeRule,
  type Place,
  type RuleContext,
  type RuleFinding,
  valuePlace,
} from '../rule';
import { failsOnName } from '../validators';
import { shownExact, shownType, withProposal } from '../wording';

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
    if (id?.kind === 'string' && slot && isNumeric(exactValue(slot)) && !view.nodes.has(id.value)) {
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

/** What the server finds in a list (workflows 4.2, rows 2 to 4; 4.3), in our words; also in nodes that it never comes to. */
export const checkedLinks: InputRule = (subject, context, report) => {
  const { node, declared, value, validator } = subject;
  if (!isExactList(value)) return;
  const [id = null, slot = null] = value;
  const target = typeof id === 'string' ? context.view.nodes.get(id) : undefined;
  const fault = linkFault(subject, value, context);
  const say: Say = (code, message, more = {}) => {
    const fix = {
      kind: 'chooseLink',
      nodeId: node.id,
      input: declared.name,
      type: declared.spec.type,
    } as const;
    report({ code, ...valuePlace(node, declared.name), message, counts: 'checked', fix, ...more });
  };
  const related = target && [{ ...classPlace(target), message: t`${checkedNodeName(target)} is here.` }];
  if (fault instanceof PythonRaise) {
    if (!target) tellMissingNode(subject, value, context, say);
    else if (fault.exceptionType === 'TypeError') tellSlot(subject, slot, say);
    else {
      const slots = target.definition?.outputs.length ?? 0;
      const message = noSuchSlot(checkedNodeName(target), shownExact(slot), slots);
      say('link-slot', message, { ...element(subject, 1), linksTo: target.id, related });
    }
    return;
  }
  if (fault?.type === 'bad_linked_input') {
    const message = t`A list is read as a link, ["node id", slot], but this one has ${value.length} items. To pass a list, use {"__value__": […]}.`;
    say('link-shape', message, subject.source ? {} : { fix: undefined });
    return;
  }
  if (!target?.definition) return;
  const { outputs } = target.definition;
  if (typeof slot === 'bigint' && slot < 0n) {
    const meant = (BigInt(outputs.length) + slot).toString();
    const message = t`Slot ${shownExact(slot)} counts back from the last output, so it means slot ${meant} of ${checkedNodeName(target)}. Use ${meant}.`;
    const place = element(subject, 1);
    const fix = { kind: 'replaceText', range: place.range, texts: [meant] } as const;
    say('link-slot-negative', message, { ...place, related, fix, counts: undefined });
  }
  if (!fault || failsOnName(validator, declared.name, null)) return;
  const output = typeof slot === 'bigint' ? outputs[Number(slot)]?.name : undefined;
  const given = shownType(fault.extra_info.get('received_type') ?? null);
  const named = output === undefined || output === '' || output === given ? given : `${output} (${given})`;
  const message = t`${declared.name} needs ${shownType(declared.spec.rawType)}, but that output of ${checkedNodeName(target)} is ${named}. Link to a compatible output.`;
  say('link-type', message, { linksTo: target.id, related });
};

type Say = (code: CheckCode, message: string, more?: Partial<RuleFinding>) => void;

function linkFault(
  { node, declared: input, validator }: InputSubject,
  link: readonly ExactValue[],
  { view }: RuleContext,
): ValidationError | PythonRaise | undefined {
  const place = { nodeId: node.id, range: valuePlace(node, input.name).range };
  try {
    const followed = followLink(view.nodes, view.catalog, { input, link, validator, place });
    return 'error' in followed ? followed.error : undefined;
  } catch (error) {
    if (error instanceof PythonRaise) return error;
    throw error;
  }
}

function tellMissingNode(
  subject: InputSubject,
  [id = null, slot]: readonly ExactValue[],
  { view, similar, reach }: RuleContext,
  say: Say,
): void {
  const place = element(subject, 0);
  if (typeof id === 'string') {
    // Where the server follows the link without validating it, a more severe rule reports it.
    if (reach.isRunUnchecked(subject.node)) return;
    const missing = t`There is no node ${JSON.stringify(id)} to link to.`;
    const message =
      typeof slot === 'string'
        ? t`${missing} To pass a list, use {"__value__": […]}.`
        : withProposal(missing, similar(id, view.nodes.keys()), t`${missing} Link to another node.`);
    say('link-to-missing-node', message, { ...place, linksTo: id });
    return;
  }
  const asText = typeof id === 'bigint' ? id.toString() : undefined;
  if (asText !== undefined && view.nodes.has(asText)) {
    const texts = [JSON.stringify(asText)];
    const message = t`Node IDs in links must be strings, so ${shownExact(id)} matches no node. Use ${JSON.stringify(asText)}.`;
    say('link-id-not-text', message, { ...place, fix: { kind: 'replaceText', range: place.range, texts } });
  } else {
    const message = t`Node IDs in links must be strings, so ${shownExact(id)} matches no node. Put the ID in quotes.`;
    say('link-id-not-text', message, place);
  }
}

function tellSlot(subject: InputSubject, slot: ExactValue, say: Say): void {
  const place = element(subject, 1);
  const whole = typeof slot === 'number' && Number.isInteger(slot) ? String(slot) : undefined;
  const text = typeof slot === 'string' && /^\d+$/.test(slot) ? slot : whole;
  say(
    'link-slot-not-integer',
    t`The slot of a link must be an integer, 0 or higher, not ${shownExact(slot)}.`,
    {
      ...place,
      fix: text === undefined ? undefined : { kind: 'replaceText', range: place.range, texts: [text] },
    },
  );
}

function noSuchSlot(node: string, slot: string, slots: number): string {
  if (slots === 0) return t`${node} has no slot ${slot}: it has no outputs.`;
  if (slots === 1) return t`${node} has no slot ${slot}: it has slot 0 only.`;
  return t`${node} has no slot ${slot}: it has slots 0 to ${slots - 1}.`;
}

/** One of the two parts of a link. */
function element({ node, declared, source }: InputSubject, index: number): Place {
  const list = source?.valueNode;
  const isPair = list?.kind === 'array' && list.items.length === 2;
  return valuePlace(node, declared.name, isPair ? list.items[index] : undefined);
}
