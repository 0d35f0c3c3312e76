import { t } from '../../core/safety/localize';
import { galleryKinds, type GalleryChoiceLists, type GalleryQuery } from '../contract/gallery';
import { element } from '../ui/element';
import { slider } from '../ui/slider';
import { dayName, kindName } from './galleryWords';

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** How long the user pauses before the text is searched, ms. */
const typingPause = 200;

/** The fields above the grid: what to show, and how large. */
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
  readonly #kind = field(t`Type`);
  readonly #favorites = element('input', { type: 'checkbox' });
  readonly #size: HTMLInputElement;
  /** What is chosen may come back when more records are read. */
  #query: GalleryQuery;

  constructor(
    query: GalleryQuery,
    width: number,
    onChange: (query: GalleryQuery) => void,
    onWidth: (width: number) => void,
  ) {
    this.#query = query;
    this.#text.value = query.text ?? '';
    this.#favorites.checked = query.favoritesOnly ?? false;
    this.#size = slider({
      min: '96',
      max: '384',
      step: '16',
      value: String(width),
      'aria-label': t`Size of the tiles`,
      title: t`Size of the tiles`,
    });
    const changed = (): void => onChange((this.#query = this.#read()));
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.#text.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(changed, typingPause);
    });
    for (const select of [...this.#selects, this.#favorites]) select.addEventListener('change', changed);
    this.#size.addEventListener('input', () => onWidth(Number(this.#size.value)));
    this.root = element(
      'search',
      { class: 'filters', 'aria-label': t`Filters` },
      this.#text,
      ...this.#selects,
      element('label', { class: 'favorites' }, this.#favorites, t`Favorites`),
      this.#size,
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
    fill(
      this.#server,
      t`All servers`,
      server,
      servers.map(({ origin, name }) => ({ value: origin, label: name })),
    );
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

  /** Shows everything again. */
  clear(): void {
    this.#text.value = '';
    this.#favorites.checked = false;
    for (const select of this.#selects) select.value = '';
    this.#query = {};
  }

  #read(): GalleryQuery {
    const kind = galleryKinds.find((each) => each === this.#kind.value);
    return {
      ...(this.#workflow.value === '' ? {} : { workflow: this.#workflow.value }),
      ...(this.#day.value === '' ? {} : { day: this.#day.value }),
      ...(this.#server.value === '' ? {} : { server: this.#server.value }),
      ...(this.#batch.value === '' ? {} : { batch: this.#batch.value }),
      ...(kind === undefined ? {} : { kind }),
      ...(this.#favorites.checked ? { favoritesOnly: true } : {}),
      ...(this.#text.value.trim() === '' ? {} : { text: this.#text.value }),
    };
  }
}

function field(label: string): HTMLSelectElement {
  return element('select', { 'aria-label': label, title: label });
}

function same(value: string): Choice {
  return { value, label: value };
}

/** Only what has changed: an open list would close. */
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
