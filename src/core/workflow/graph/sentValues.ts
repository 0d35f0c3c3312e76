import { budgets } from '../../safety/budgets';
import { type GraphProblem, GraphRefusal } from './graphProblem';
import { type ExactValue, isExactList } from '../../json/exactValue';
import { choosePrompt } from './dynamicPrompt';
import { ownMember } from '../packs/nodePack';
import { findPackNode } from '../packs/packs';
import type { LiveInput, LiveLevel, LiveNode, LiveWidget } from './liveNode';
import { textMember } from './members';
import { fieldText } from './widget';
import { numberText, t } from '../../safety/localize';

/** How to send `{a|b}` in texts that support it: unchanged for the server, the first option, or a random one. */
export interface TextChoices {
  readonly dynamicPrompts: 'keep' | 'first' | 'random';
  readonly random: () => number;
}

/** Node types whose file name may contain %date:…% and %Node.widget% (workflows 2, F). */
const savers = new Set([
  'SaveImage',
  'SaveVideo',
  'SaveAnimatedWEBP',
  'SaveWEBM',
  'SaveAudio',
  'SaveGLB',
  'SaveAnimatedPNG',
  'CLIPSave',
  'VAESave',
  'ModelSave',
  'LoraSave',
  'SaveLatent',
]);

export function sentValue(
  node: LiveNode,
  { widget, current }: LiveWidget,
  choices: TextChoices,
  replaceText: (text: string) => string,
): ExactValue | undefined {
  const { spec } = widget;
  const pack = findPackNode(node.type);
  const always = ownMember(pack?.always, widget.name);
  if (always !== undefined) return always;
  const value =
    pack?.sentValue && current.value !== undefined
      ? pack.sentValue(widget.name, current.value, node)
      : current.value;
  if (spec?.type === 'CURVE' && value !== undefined && value !== null) {
    return new Map<string, ExactValue>([
      ['__type__', 'CURVE'],
      ['__value__', value],
    ]);
  }
  if (typeof value === 'string') {
    const replaced = savers.has(node.type) ? 'filename_prefix' : pack?.replacedText;
    if (widget.name === replaced) return replaceText(value);
    if (spec?.kind === 'string' && spec.dynamicPrompts && choices.dynamicPrompts !== 'keep') {
      return choosePrompt(value, choices.dynamicPrompts === 'first' ? () => 0 : choices.random);
    }
    return value;
  }
  return wrapListValue(spec?.type === 'COMFY_BRANCH_INPUT_NAMES' ? branchNames(node.inputs) : value);
}

/** The server treats every list as a link, so lists are wrapped in an object (workflows 1.1). */
export function wrapListValue(value: ExactValue | undefined): ExactValue | undefined {
  return isExactList(value) ? new Map([['__value__', value]]) : value;
}

/** The names of the linked inputs between which a node chooses: their labels, or their names (workflows 2, F). */
export function branchNames(inputs: readonly Pick<LiveInput, 'name' | 'link' | 'place'>[]): string[] {
  return inputs.flatMap(({ name, link, place }) => {
    if (link === undefined || !name.startsWith('autogrow.')) return [];
    const label = place?.kind === 'object' ? textMember(place, 'label') : undefined;
    return [label ?? name.slice(name.lastIndexOf('.') + 1)];
  });
}

/** The index of a `CustomCombo`'s choice, which the editor computes for each run from what is sent. */
export function choiceIndex(
  { type, widgets }: LiveNode,
  sent: ReadonlyMap<string, ExactValue>,
): bigint | undefined {
  if (type !== 'CustomCombo') return undefined;
  const [choice, , ...options] = widgets;
  const value = sent.get('choice');
  const chosen = isExactList(value) ? choice?.current.value : value;
  return BigInt(options.findIndex(({ current }) => current.value === chosen));
}

/** Replaces %date:yyyy-MM-dd% and %Node.widget% in a text; unknown names stay (workflows 2, F). */
export function textReplacer(root: LiveLevel, now: Date): (text: string) => string {
  let nodes: ReadonlyMap<string, LiveNode> | undefined;
  return (text) => {
    let length = text.length;
    return text.replace(/%([^%]+)%/g, (match: string, inner: string) => {
      const [nodeName = '', widgetName, ...more] = inner.split('.');
      if (widgetName === undefined || more.length > 0) {
        return nodeName.startsWith('date:') ? dateText(nodeName.slice('date:'.length), now) : match;
      }
      nodes ??= nodesByName(root);
      const node = nodes.get(nodeName);
      const widget = node?.widgets.find((each) => each.widget.name === widgetName);
      if (!node || !widget) return match;
      // Characters that are not allowed in file names, and control characters.
      const value = fieldText(widget.current.value);
      if ((length += value.length) > budgets.replacedText) throw new GraphRefusal(tooLong(node));
      return value.replace(/[/?<>\\:*|"\p{Cc}\u0080-\u009f]/gu, '_');
    });
  };
}

function tooLong({ source }: LiveNode): GraphProblem {
  const most = numberText(budgets.replacedText);
  const message = t`A name that contains %Node.widget% would become longer than ${most} characters. Use a shorter value.`;
  return { code: 'too-large', message, node: source.node };
}

/** A node's name for replacements takes precedence over its title; of several nodes the first counts. */
function nodesByName(root: LiveLevel): ReadonlyMap<string, LiveNode> {
  const nodes = new Map<string, LiveNode>();
  const put = (name: string | undefined, node: LiveNode): void => {
    if (name !== undefined && !nodes.has(name)) nodes.set(name, node);
  };
  for (const node of root.nodes) put(textMember(node.source.properties, 'Node name for S&R'), node);
  for (const node of root.nodes) put(node.title, node);
  return nodes;
}

function dateText(format: string, date: Date): string {
  const parts: Record<string, number> = {
    d: date.getDate(),
    M: date.getMonth() + 1,
    h: date.getHours(),
    m: date.getMinutes(),
    s: date.getSeconds(),
  };
  return format.replace(/dd?|MM?|hh?|mm?|ss?|yyy?y?/g, (part) => {
    const year = String(date.getFullYear());
    // The editor supports years of two and of four digits.
    if (part.startsWith('y')) return part === 'yyy' ? part : part === 'yy' ? year.slice(2) : year;
    return String(parts[part.charAt(0)] ?? '').padStart(part.length, '0');
  });
}
