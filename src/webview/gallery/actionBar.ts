import { listText, t } from '../../core/safety/localize';
import { mostCompared } from '../contract/constants';
import type { GalleryCommand, GalleryOutput, Stars } from '../contract/gallery';
import { element, setText, textButton } from '../ui/element';
import { icon, type IconName } from '../ui/icon';
import { StarsField } from './starsField';

export interface Possible {
  readonly one: boolean;
  readonly seed: boolean;
  readonly picture: boolean;
  readonly compare: boolean;
}

export function possibleWith(outputs: readonly GalleryOutput[]): Possible {
  const pictures = outputs.filter(({ kind }) => kind === 'image').length;
  const [count, one] = [outputs.length, outputs.length === 1];
  return {
    one,
    seed: one && outputs[0]?.hasSeed === true,
    picture: one && pictures === 1,
    compare: pictures > 1 && pictures === count && count <= mostCompared,
  };
}

/** The most frequent actions on what is selected; its context menu has all of them. */
export class ActionBar {
  readonly root: HTMLElement;
  readonly #count = element('span', { class: 'count', role: 'status' });
  readonly #stars: StarsField;
  readonly #buttons: readonly (readonly [HTMLButtonElement, keyof Possible | undefined])[];

  constructor(act: (command: GalleryCommand) => void, rate: (stars: Stars) => void) {
    this.#stars = new StarsField(rate);
    const button = (
      command: GalleryCommand,
      picture: IconName,
      label: string,
      needs?: keyof Possible,
    ): readonly [HTMLButtonElement, keyof Possible | undefined] => {
      const made = textButton('', () => act(command), 'secondary');
      made.append(icon(picture), ' ', label);
      return [made, needs];
    };
    this.#buttons = [
      button('open', 'open', t`Open`),
      button('compare', 'compare', t`Compare`, 'compare'),
      button('showRun', 'run', t`Show Run`, 'one'),
      button('useSeed', 'seed', t`Use This Seed`, 'seed'),
      button('useValues', 'values', t`Use These Values`, 'one'),
      button('export', 'saveAs', t`Export…`),
      button('delete', 'remove', t`Delete`),
    ];
    this.root = element(
      'div',
      { class: 'actions', role: 'toolbar', 'aria-label': t`Actions` },
      this.#count,
      this.#stars.root,
      element('div', { class: 'buttons' }, ...this.#buttons.map(([made]) => made)),
    );
    this.root.hidden = true;
  }

  show(outputs: readonly GalleryOutput[], possible: Possible, starsOf: (id: number) => Stars): void {
    const [first] = outputs;
    this.root.hidden = first === undefined;
    if (!first) return;
    const count = outputs.length;
    const only = listText([first.name, first.details]);
    setText(this.#count, count === 1 ? only : t`${count} selected`);
    for (const [made, needs] of this.#buttons) made.hidden = needs !== undefined && !possible[needs];
    const stars = starsOf(first.id);
    this.#stars.show(outputs.every(({ id }) => starsOf(id) === stars) ? stars : 0);
  }
}
