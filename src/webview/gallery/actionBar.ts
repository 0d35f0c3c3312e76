import { listText, plural, t } from '../../core/safety/localize';
import { type GalleryAction, type GalleryOutput, mostCompared } from '../contract/gallery';
import { element, setText, textButton } from '../ui/element';
import { icon, type IconName } from '../ui/icon';

export interface ActionEvents {
  readonly act: (action: GalleryAction) => void;
  readonly compare: () => void;
}

/** What can be done with the selected outputs. */
export class ActionBar {
  readonly root: HTMLElement;
  readonly #count = element('span', { class: 'count', role: 'status' });
  readonly #one: readonly HTMLButtonElement[];
  readonly #seed: HTMLButtonElement;
  readonly #compare: HTMLButtonElement;
  readonly #favorite: HTMLButtonElement;
  readonly #favoriteWords = element('span', {});
  #isFavorite = false;

  constructor({ act, compare }: ActionEvents) {
    const action = (name: GalleryAction, picture: IconName, label: string): HTMLButtonElement =>
      barButton(picture, label, () => act(name));
    this.#seed = action('useSeed', 'seed', t`Use This Seed`);
    this.#compare = barButton('compare', t`Compare`, compare);
    this.#favorite = barButton('star', this.#favoriteWords, () =>
      act(this.#isFavorite ? 'unfavorite' : 'favorite'),
    );
    const showRun = action('showRun', 'run', t`Show Run`);
    const values = action('useValues', 'values', t`Use These Values`);
    const reveal = action('reveal', 'reveal', t`Reveal`);
    this.#one = [showRun, values, reveal];
    this.root = element(
      'div',
      { class: 'actions', role: 'toolbar', 'aria-label': t`Actions` },
      this.#count,
      element(
        'div',
        { class: 'buttons' },
        action('open', 'open', t`Open`),
        this.#compare,
        this.#favorite,
        showRun,
        this.#seed,
        values,
        reveal,
        action('copyPath', 'copy', t`Copy Path`),
        action('export', 'saveAs', t`Export…`),
        action('delete', 'remove', t`Delete`),
      ),
    );
    this.show([], new Set());
  }

  show(outputs: readonly GalleryOutput[], favorites: ReadonlySet<number>): void {
    const [first] = outputs;
    this.root.hidden = first === undefined;
    if (!first) return;
    const count = outputs.length;
    const only = listText([first.name, first.details]);
    setText(this.#count, count === 1 ? only : plural(count, t`1 selected`, t`${count} selected`));
    for (const button of this.#one) button.hidden = count > 1;
    this.#seed.hidden = count > 1 || !first.hasSeed;
    const pictures = outputs.filter(({ kind }) => kind === 'image').length;
    this.#compare.hidden = pictures < 2 || pictures !== count || count > mostCompared;
    this.#isFavorite = outputs.every(({ id }) => favorites.has(id));
    setText(this.#favoriteWords, this.#isFavorite ? t`Remove from Favorites` : t`Add to Favorites`);
  }
}

function barButton(picture: IconName, label: string | HTMLElement, onClick: () => void): HTMLButtonElement {
  const button = textButton('', onClick, 'secondary');
  button.append(icon(picture), ' ', label);
  return button;
}
