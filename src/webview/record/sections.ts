import { t } from '../../core/safety/localize';
import type { PageFact, PageInput, PageSeed, RecordView } from '../contract/record';
import { element, iconButton } from '../ui/element';
import { icon } from '../ui/icon';

/** A part of the page under a heading. */
export function section(title: string, ...children: readonly (HTMLElement | undefined)[]): HTMLElement {
  return element('section', {}, element('h2', {}, title), ...children);
}

export function factSection(facts: readonly PageFact[]): HTMLElement | undefined {
  if (facts.length === 0) return undefined;
  const rows = facts.flatMap(({ name, text }) => [element('dt', {}, name), element('dd', {}, text)]);
  return section(t`Details`, element('dl', {}, ...rows));
}

export function wordsSection(title: string, words: readonly string[]): HTMLElement | undefined {
  if (words.length === 0) return undefined;
  return section(title, element('ul', { class: 'words' }, ...words.map((each) => element('li', {}, each))));
}

export function seedSection(
  seeds: readonly PageSeed[],
  onCopy: (index: number) => void,
): HTMLElement | undefined {
  if (seeds.length === 0) return undefined;
  const rows = seeds.map(({ node, input, digits }, index) =>
    element(
      'li',
      {},
      element('span', { class: 'from' }, `${node}, ${input}`),
      element('code', {}, digits),
      iconButton(icon('copy'), t`Copy Seed ${digits}`, () => onCopy(index)),
    ),
  );
  return section(t`Seeds`, element('ul', { class: 'seeds' }, ...rows));
}

export function textSection(texts: RecordView['texts']): HTMLElement | undefined {
  if (texts.length === 0) return undefined;
  const shown = texts.map(({ node, text }) =>
    element(
      'figure',
      {},
      element('figcaption', {}, node),
      element('pre', { role: 'region', tabindex: '0', 'aria-label': t`Text of ${node}` }, text),
    ),
  );
  return section(t`Texts`, ...shown);
}

export function inputSection(inputs: readonly PageInput[]): HTMLElement | undefined {
  if (inputs.length === 0) return undefined;
  const rows = inputs.map(({ node, path, size }) =>
    element(
      'li',
      {},
      element('span', { class: 'from' }, node),
      element('span', {}, path),
      element('span', { class: 'quiet' }, size),
    ),
  );
  return section(t`Uploaded files`, element('ul', { class: 'rows' }, ...rows));
}
