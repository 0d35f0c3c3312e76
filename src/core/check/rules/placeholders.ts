import { type NodeRule, type RuleContext, valuePlace } from '../rule';
import type { NodeView } from '../promptView';
import { isOfPack } from '../flexibleClass';
import { listWithAnd } from '../wording';
import { sentencesText, t } from '../../safety/localize';
import { memoizeByObject } from '../../safety/memoizeByObject';

const ofServer = new Set([
  'year',
  'month',
  'day',
  'hour',
  'minute',
  'second',
  'width',
  'height',
  'batch_num',
]);

const mostNamed = 5;

const braces = /\{\{[ ]?[\p{L}_][\w.-]*[ ]?\}\}|\$\{[\p{L}_][\w.-]*\}/u;
const percents = /%[\p{L}_][\w-]*%/gu;

/**
 * A placeholder of a template, such as `{{seed}}`, `${x}` or `%prompt%`, that nobody has filled in.
 * @param isName of a file: there, node packs fill in `%name%` themselves, so it counts only alone
 */
export function placeholderIn(text: string, isName = true): string | undefined {
  const braced = braces.exec(text)?.[0];
  if (braced !== undefined) return braced;
  const found = text.match(percents)?.find((each) => !ofServer.has(each.slice(1, -1)));
  return isName && found !== text.trim() ? undefined : found;
}

export function setAdvice(nodeId: string, input: string, value: string): string {
  return t`Replace this placeholder with a value, or set one for a run with --set ${nodeId}.${input}=${value}.`;
}

/** Texts that are sent as they are, though their author had something else in mind. */
export const placeholders: NodeRule = (node, context, report) => {
  for (const { name, link, valueNode } of node.source.inputs) {
    const spec = node.declared.get(name)?.spec;
    if (link || valueNode.kind !== 'string' || (spec && spec.kind !== 'string')) continue;
    const text = valueNode.value;
    if (!/[%{]/.test(text)) continue;
    const place = valuePlace(node, name);
    const replaced = replacedByEditor(text, name, context);
    if (replaced.length > 0) {
      report({
        code: 'text-not-replaced',
        ...place,
        // Node packs may replace it themselves.
        severity: node.definition && isOfPack(node.definition) ? 'hint' : undefined,
        message: t`${name}: only the ComfyUI editor replaces ${listWithAnd(replaced)}, so ${context.server} receives it unchanged. Enter the final text.`,
        counts: 'always',
      });
    }
    const found = placeholderIn(text, spec?.options.get('multiline') !== true);
    if (found === undefined) continue;
    const message = sentencesText(t`${name} contains ${found}.`, setAdvice(node.id, name, '…'));
    report({ code: 'placeholder', ...place, message, counts: 'always' });
  }
};

/** `%date:…%`, or `%Node.widget%` with a node of the prompt or in the name of a file. */
function replacedByEditor(text: string, input: string, { view }: RuleContext): string[] {
  const found = new Set<string>();
  for (const [whole, inner = ''] of text.matchAll(/%([^%\n]{1,200})%/g)) {
    if (inner.startsWith('date:')) found.add(whole);
    const [name = '', widget = '', ...more] = inner.split('.');
    if (name === '' || widget === '' || more.length > 0) continue;
    if (input === 'filename_prefix' || namesIn(view.nodes).has(name)) found.add(whole);
    if (found.size >= mostNamed) break;
  }
  return [...found];
}

const namesIn = memoizeByObject((nodes: ReadonlyMap<string, NodeView>): ReadonlySet<string> => {
  return new Set(
    [...nodes.values()].flatMap(({ source, classType = '' }) => [source.title ?? '', classType]),
  );
});
