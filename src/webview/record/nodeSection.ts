import { plural, t } from '../../core/safety/localize';
import type { PageNode, NodeValue, RecordView } from '../contract/record';
import { element } from '../ui/element';
import { section } from './sections';

/** With more nodes than this, their values are folded at first. */
const unfolded = 12;

/** The values of the run by node. */
export function nodeSection(view: RecordView, open: ReadonlySet<string>): HTMLElement | undefined {
  const { nodes, moreNodes, noNodes } = view;
  if (noNodes !== undefined) return section(t`Nodes`, element('p', { class: 'quiet' }, noNodes));
  const isOpen = ({ id }: PageNode): boolean => open.has(id) || (open.size === 0 && nodes.length <= unfolded);
  return section(
    t`Nodes`,
    ...nodes.map((node) => nodeView(node, isOpen(node))),
    moreNodes > 0
      ? element(
          'p',
          { class: 'quiet' },
          plural(moreNodes, t`1 more node is in the prompt.`, t`${moreNodes} more nodes are in the prompt.`),
        )
      : undefined,
  );
}

function nodeView({ id, name, type, time, values, moreValues }: PageNode, isOpen: boolean): HTMLElement {
  const about = [name === type ? '' : type, `#${id}`, time ?? ''].filter((each) => each !== '').join(' · ');
  const details = element(
    'details',
    { class: 'node', 'data-node': id },
    element(
      'summary',
      {},
      element('span', { class: 'name' }, name),
      ' ',
      element('span', { class: 'quiet' }, about),
    ),
    values.length > 0 ? element('dl', { class: 'values' }, ...values.flatMap(valueView)) : undefined,
    moreValues > 0
      ? element('p', { class: 'quiet' }, plural(moreValues, t`1 more value`, t`${moreValues} more values`))
      : undefined,
  );
  details.open = isOpen;
  return details;
}

function valueView({ name, text, isLink }: NodeValue): HTMLElement[] {
  return [
    element('dt', {}, name),
    element('dd', { class: isLink ? 'link' : 'value' }, isLink ? t`from ${text}` : text),
  ];
}
