import { startOfSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import { galleryKinds, galleryOrders } from '../contract/constants';
import type { GalleryChoiceLists, GalleryQuery } from '../contract/gallery';
import { element, iconButton, textButton } from '../ui/element';
import { icon } from '../ui/icon';
import { dayName, kindName } from './galleryWords';

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** How long the user pauses before the text is searched, ms. */
const typingPause = 200;

/** The fields above the grid: what to show, in which order, and how large. */
export class FilterBar {
  readonly root: HTMLElement;
  readonly #text = element('input', {
    type: 'search',
    class: 'text',
    placeholder: t`Search prompts, names, and seeds`,
    'aria-label': t`Search prompts, names, and seeds`,
  });
  readonly #workflow = field(t`Workflow`);
  readonly #day = field(t`Day`);
  readonly #server = field(t`Server`);
  readonly #batch = field(t`Batch`);
  readonly #kind = field(startOfSentence(t`type`));
  readonly #favorites = element('input', { type: 'checkbox' });
  readonly #order = field(t`Sort by`);
  /** A choice may come back when more records are read. */
  #query: GalleryQuery;

  /** @param more fields that are no filters */
  constructor(query: GalleryQuery, onChange: (query: GalleryQuery) => void, ...more: readonly HTMLElement[]) {
    this.#query = query;
    this.#text.value = query.text ?? '';
    this.#favorites.checked = query.favoritesOnly ?? false;
    const orders = { newest: t`Newest`, oldest: t`Oldest`, workflow: t`Workflow`, rating: t`Rating` };
    this.#order.append(...galleryOrders.map((value) => element('option', { value }, orders[value])));
    this.#order.value = query.order ?? 'newest';
    const changed = (): void => onChange((this.#query = this.#read()));
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.#text.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(changed, typingPause);
    });
    for (const select of [...this.#selects, this.#favorites, this.#order])
      select.addEventListener('change', changed);
    this.root = element(
      'search',
      { class: 'filters', 'aria-label': t`Filters` },
      this.#text,
      ...this.#selects,
      element('label', { class: 'favorites' }, this.#favorites, t`Favorites`),
      element('label', { class: 'favorites' }, t`Sort by`, this.#order),
      ...more,
      iconButton(icon('help'), `${t`Keyboard Shortcuts`} (?)`, showShortcuts),
    );
  }

  get #selects(): readonly HTMLSelectElement[] {
    return [this.#workflow, this.#day, this.#server, this.#batch, this.#kind];
  }

  show({ workflows, days, servers, batches, kinds }: GalleryChoiceLists): void {
    const { workflow, day, server, batch, kind } = this.#query;
    const known = galleryKinds.filter((each) => kinds.includes(each));
    fill(this.#workflow, t`All workflows`, workflow, workflows.map(same));
    fill(
      this.#day,
      t`All days`,
      day,
      days.map((value) => ({ value, label: dayName(value) })),
    );
    fill(this.#server, t`All servers`, server, servers.map(same));
    fill(
      this.#batch,
      t`All runs`,
      batch,
      batches.map(({ id, name }) => ({ value: id, label: name })),
    );
    // Few people have any.
    this.#batch.hidden = batches.length === 0 && batch === undefined;
    fill(
      this.#kind,
      t`All types`,
      kind,
      known.map((value) => ({ value, label: kindName(value) })),
    );
  }

  /** Shows everything again; returns what is left of the query. */
  clear(): GalleryQuery {
    this.#text.value = '';
    this.#favorites.checked = false;
    for (const select of this.#selects) select.value = '';
    return (this.#query = this.#read());
  }

  #read(): GalleryQuery {
    const kind = galleryKinds.find((each) => each === this.#kind.value);
    const order = galleryOrders.find((each) => each === this.#order.value);
    return {
      ...(this.#workflow.value === '' ? {} : { workflow: this.#workflow.value }),
      ...(this.#day.value === '' ? {} : { day: this.#day.value }),
      ...(this.#server.value === '' ? {} : { server: this.#server.value }),
      ...(this.#batch.value === '' ? {} : { batch: this.#batch.value }),
      ...(kind === undefined ? {} : { kind }),
      ...(this.#favorites.checked ? { favoritesOnly: true } : {}),
      ...(this.#text.value.trim() === '' ? {} : { text: this.#text.value }),
      ...(order === undefined || order === 'newest' ? {} : { order }),
    };
  }
}

/** Lists the keys of the gallery; `?` opens it. */
export function showShortcuts(): void {
  const shortcuts: readonly (readonly [string, string])[] = [
    [t`Arrow keys`, t`Go to another output`],
    [t`Shift with arrow keys`, t`Select several`],
    [t`Space`, t`Select or clear the selection`],
    ['Ctrl+A', t`Select all`],
    ['Enter', t`Large View`],
    ['F', t`Favorite`],
    ['1 – 5', t`Rate with stars`],
    ['0', t`Remove the rating`],
    ['C', t`Compare`],
    ['Delete', t`Delete`],
    ['Shift+F10', t`All actions`],
    ['Escape', t`Go back, or clear the selection`],
  ];
  const rows = shortcuts.flatMap(([key, text]) => [
    element('dt', {}, element('kbd', {}, key)),
    element('dd', {}, text),
  ]);
  const dialog = element('dialog', { class: 'shortcuts', 'aria-label': t`Keyboard Shortcuts` });
  dialog.append(
    element('h2', {}, t`Keyboard Shortcuts`),
    element('dl', {}, ...rows),
    textButton(t`Close`, () => dialog.close(), 'secondary'),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function field(label: string): HTMLSelectElement {
  return element('select', { 'aria-label': label, title: label });
}

function same(value: string): Choice {
  return { value, label: value };
}

/** Replaces only what has changed, because an open list would close. */
function fill(
  select: HTMLSelectElement,
  all: string,
  chosen: string | undefined,
  choices: readonly Choice[],
): void {
  const missing = chosen !== undefined && !choices.some(({ value }) => value === chosen);
  const wanted = [{ value: '', label: all }, ...choices, ...(missing ? [same(chosen)] : [])];
  const told = JSON.stringify(wanted);
  if (select.dataset.choices !== told) {
    select.dataset.choices = told;
    select.replaceChildren(...wanted.map(({ value, label }) => element('option', { value }, label)));
  }
  select.value = chosen ?? '';
}
