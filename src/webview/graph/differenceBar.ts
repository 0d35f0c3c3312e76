import { type Palette, palettes } from '../../core/drawing/canvasPalette';
import type { Drawing } from '../../core/drawing/drawing';
import { changeKinds, type DrawnNode, type NodeMark } from '../../core/drawing/drawnNode';
import { signElements } from '../../core/drawing/markSvg';
import { svgText as drawn } from '../../core/drawing/markSvg';
import { t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import { element, iconButton, setText } from '../ui/element';
import { icon } from '../ui/icon';
import { svgElement } from './viewport';

/** One word for what happened to a node. */
export function changeWord(kind: NodeMark['kind']): string {
  return { added: t`added`, removed: t`removed`, changed: t`changed` }[kind];
}

/** In a comparison, explains the colors and leads from one difference to the next. */
export class DifferenceBar {
  readonly root = element('section', { class: 'differences', 'aria-label': t`Differences` });
  readonly #legend = element('ul', { class: 'legend' });
  readonly #count = element('span', { class: 'count' });
  readonly #words = element('span', { class: 'told' });
  #nodes: readonly DrawnNode[] = [];
  #at: string | undefined;
  #palette = palettes.dark;

  /** @param bring shows a node */
  constructor(private readonly bring: (node: string, takesFocus: boolean) => void) {
    this.root.hidden = true;
    const steps = element(
      'div',
      { class: 'steps' },
      iconButton(icon('previous'), t`Previous Difference (P)`, () => this.step(-1)),
      iconButton(icon('next'), t`Next Difference (N)`, () => this.step(1)),
      element('output', {}, this.#count, this.#words),
    );
    this.root.append(this.#legend, steps);
  }

  /** @param drawing of a comparison; undefined if there is none */
  show(drawing: Drawing | undefined): void {
    this.root.hidden = !drawing;
    this.#nodes = drawing?.nodes.filter(({ mark }) => mark) ?? [];
    this.#fill();
    this.tell(this.#at);
  }

  /** Uses the colors of the current theme. */
  restyle(palette: Palette): void {
    this.#palette = palette;
    this.#fill();
  }

  tell(id: string | undefined): void {
    const index = this.#nodes.findIndex((node) => node.id === id);
    const node = this.#nodes[index];
    this.#at = node?.id;
    const count = this.#nodes.length;
    setText(this.#count, node ? t`${index + 1} of ${count}` : '');
    setText(this.#words, node ? differenceText(node) : count === 0 ? t`No differences.` : '');
    this.#words.title = this.#words.textContent;
  }

  /** @returns whether there is a difference to go to */
  step(by: 1 | -1, takesFocus = false): boolean {
    const before = this.#nodes.findIndex(({ id }) => id === this.#at);
    const count = this.#nodes.length;
    const next = this.#nodes[before < 0 && by < 0 ? count - 1 : (before + by + count) % count];
    if (!next) return false;
    this.tell(next.id);
    this.bring(next.id, takesFocus);
    return true;
  }

  #fill(): void {
    const items = changeKinds.flatMap((kind) => {
      const count = this.#nodes.filter(({ mark }) => mark?.kind === kind).length;
      const box = { viewBox: '-10 -10 20 20', 'aria-hidden': 'true' };
      const sign = svgElement(drawn('svg', box, signElements(kind, this.#palette)));
      return count === 0 ? [] : element('li', {}, sign, t`${count} ${changeWord(kind)}`);
    });
    this.#legend.replaceChildren(...items);
  }
}

function differenceText({ id, title, mark }: DrawnNode): string {
  if (!mark) return '';
  const name = `${plainText(title)} (${plainText(id.replace(/^(added|removed) /, ''))})`;
  return mark.words.length === 0 ? `${name}: ${changeWord(mark.kind)}` : `${name}: ${mark.words.join('; ')}`;
}
