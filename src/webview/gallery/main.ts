import { mapDefined } from '../../core/safety/lists';
import '../ui/language';
import { outputsText } from '../../core/safety/countText';
import { t } from '../../core/safety/localize';
import { allStars, mostCompared } from '../contract/constants';
import type {
  FromGallery,
  GalleryCommand,
  GalleryList,
  GalleryOutput,
  GalleryQuery,
  Stars,
  ToGallery,
} from '../contract/gallery';
import { element, setText, textButton } from '../ui/element';
import { copyPicture } from '../ui/copyPicture';
import { connectHost } from '../ui/host';
import { readTileChoice, type TileChoice, tileOptions } from '../ui/tileOptions';
import { ActionBar, possibleWith } from './actionBar';
import { CompareView } from './compareView';
import { mostDragged } from './drag';
import { FilterBar, showShortcuts } from './filterBar';
import { Grid } from './grid';
import { LargeView } from './largeView';
import { ThumbnailStore } from './thumbnailStore';
import '../ui/panel.css';
import './gallery.css';

interface Remembered {
  readonly query: GalleryQuery;
  readonly tiles: TileChoice;
}

/** The gallery: filters above, tiles in the middle, actions for the selected ones below. */
class GalleryPage {
  readonly #host = connectHost<FromGallery, Remembered>();
  readonly #outputs = new Map<number, GalleryOutput>();
  readonly #status = element('p', { class: 'status', role: 'status' });
  readonly #empty = element('div', { class: 'empty-state' });
  readonly #store = new ThumbnailStore((message) => this.#host.send(message));
  readonly #grid = new Grid(
    {
      selected: () => this.#showActions(),
      look: (id) => this.#look(id),
      needsCaptions: (ids) => this.#host.send({ type: 'captions', ids }),
      tooMany: () => setText(this.#status, t`You can drag up to ${mostDragged} outputs at a time.`),
    },
    this.#store,
  );
  readonly #actions = new ActionBar(
    (command) => this.#act(command),
    (stars) => this.#rate(stars),
  );
  readonly #main = element('main', {});
  #query: GalleryQuery = this.#host.remembered().query ?? {};
  #tiles = readTileChoice(this.#host.remembered().tiles);
  readonly #filters = new FilterBar(
    this.#query,
    (changed) => this.#filter(changed),
    tileOptions(this.#tiles, (tiles) => this.#resize(tiles)),
  );
  #list: GalleryList | undefined;
  #comparison: CompareView | undefined;
  #large: LargeView | undefined;

  start(): void {
    this.#main.append(
      element('h1', { class: 'spoken' }, t`Gallery`),
      this.#filters.root,
      this.#status,
      this.#empty,
      this.#grid.root,
      this.#actions.root,
    );
    this.#empty.hidden = true;
    document.body.append(this.#main);
    document.addEventListener('keydown', (event) => this.#onKey(event));
    window.addEventListener('message', (event: MessageEvent<ToGallery>) => this.#receive(event.data));
    this.#host.send({ type: 'ready', query: this.#query });
  }

  #receive(message: ToGallery): void {
    switch (message.type) {
      case 'outputs':
        for (const output of message.outputs) this.#outputs.set(output.id, output);
        return;
      case 'list':
        this.#list = message.list;
        this.#showList(message.list);
        return;
      case 'captions':
        this.#grid.caption(message.captions);
        return;
      case 'command':
        this.#act(message.command);
        return;
      case 'thumbnail':
        this.#store.receive(message);
        return;
      case 'compare':
        this.#openComparison(message.outputs);
        return;
      case 'comparison':
        this.#comparison?.showDifferences(message);
    }
  }

  #showList(list: GalleryList): void {
    this.#filters.show(list.choices);
    this.#grid.show({
      outputs: this.#known(list.ids),
      stars: new Map(list.stars.map(({ id, stars }) => [id, stars])),
      order: this.#query.order ?? 'newest',
    });
    setText(this.#status, statusText(list));
    const isEmpty = list.ids.length === 0 && !list.reading;
    this.#empty.hidden = !isEmpty;
    this.#grid.root.hidden = list.ids.length === 0;
    if (isEmpty) this.#showEmpty(list);
  }

  #showEmpty({ total, unavailable }: GalleryList): void {
    if (total > 0) {
      this.#empty.replaceChildren(
        element('h2', {}, t`No outputs match the filters`),
        textButton(t`Show All`, () => this.#filter(this.#filters.clear()), 'primary'),
      );
      return;
    }
    const reasons = {
      untrusted: t`Outputs of a workspace are shown once you trust it.`,
      noFolder: t`Open a folder to see its outputs.`,
    };
    this.#empty.replaceChildren(
      element('h2', {}, t`No outputs yet`),
      element(
        'p',
        {},
        unavailable
          ? reasons[unavailable]
          : t`Run a workflow. Images, videos, audio, and other outputs appear here as soon as they're saved.`,
      ),
    );
  }

  #known(ids: readonly number[]): readonly GalleryOutput[] {
    return mapDefined(ids, (id) => this.#outputs.get(id));
  }

  get #acting(): readonly GalleryOutput[] {
    return this.#known(this.#grid.selection.acting);
  }

  #showActions(): void {
    const acting = this.#acting;
    const starsOf = (id: number): Stars => this.#grid.starsOf(id);
    const possible = possibleWith(acting);
    this.#actions.show(acting, possible, starsOf);
    const webviewSection = acting.length > 0 ? 'output' : 'none';
    // Names of the `when` clauses of the menu.
    this.#main.dataset.vscodeContext = JSON.stringify({
      webviewSection,
      preventDefaultContextMenuItems: true,
      galleryOne: possible.one,
      gallerySeed: possible.seed,
      galleryPicture: possible.picture,
      galleryCompare: possible.compare,
    });
    const [shown] = acting;
    if (!this.#large || !shown) return;
    const at = this.#grid.selection.indexOf(shown.id) + 1;
    this.#large.show(shown, starsOf(shown.id), t`${at} of ${this.#list?.ids.length ?? 0}`);
  }

  #filter(query: GalleryQuery): void {
    this.#query = query;
    this.#remember();
    this.#host.send({ type: 'query', query });
  }

  #resize(tiles: TileChoice): void {
    this.#tiles = tiles;
    this.#remember();
    this.#grid.resize(tiles);
  }

  #remember(): void {
    this.#host.remember({ query: this.#query, tiles: this.#tiles });
  }

  #act(command: GalleryCommand): void {
    const acting = this.#acting;
    const [first] = acting;
    if (!first) return;
    const ids = acting.map(({ id }) => id);
    if (command === 'copyImage') void this.#copyImage(first);
    else if (command === 'favorite') this.#rate(ids.every((id) => this.#grid.starsOf(id) === 5) ? 0 : 5);
    else if (command !== 'compare') this.#host.send({ type: 'action', action: command, ids });
    else if (possibleWith(acting).compare) {
      this.#openComparison(acting);
      this.#host.send({ type: 'compare', ids });
    } else setText(this.#status, t`Select 2 to ${mostCompared} images to compare them.`);
  }

  #rate(stars: Stars): void {
    const { acting } = this.#grid.selection;
    if (acting.length > 0) this.#host.send({ type: 'rate', ids: acting, stars });
  }

  async #copyImage({ source, name }: GalleryOutput): Promise<void> {
    setText(this.#status, (await copyPicture(source, name)) ?? t`Copied: ${name}`);
  }

  #onKey(event: KeyboardEvent): void {
    const { target, key, altKey, ctrlKey, metaKey } = event;
    if (this.#comparison || altKey || document.querySelector('dialog')) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
    const action = ctrlKey || metaKey ? this.#withControl(key) : this.#actionOf(key, target);
    if (!action) return;
    event.preventDefault();
    // VS Code would select the texts of the page.
    event.stopPropagation();
    action();
  }

  #withControl(key: string): (() => void) | undefined {
    if (key !== 'a' || this.#large) return undefined;
    return () => {
      this.#grid.selection.all();
      this.#grid.changed();
    };
  }

  #actionOf(key: string, target: EventTarget | null): (() => void) | undefined {
    const stars = allStars.find((each) => String(each) === key);
    if (stars !== undefined) return () => this.#rate(stars);
    const isButton = target instanceof HTMLButtonElement;
    const [first] = this.#grid.selection.acting;
    switch (key) {
      case '?':
        return showShortcuts;
      case 'f':
        return () => this.#act('favorite');
      case 'c':
        return this.#large ? undefined : () => this.#act('compare');
      case 'Delete':
        return () => this.#act('delete');
      case 'Enter':
        return isButton || this.#large || first === undefined ? undefined : () => this.#look(first);
      default:
        return undefined;
    }
  }

  #look(id: number): void {
    this.#large ??= new LargeView({
      close: () => this.#uncover(),
      move: (step) => {
        const { selection } = this.#grid;
        selection.moveTo(selection.indexOf(selection.acting[0] ?? -1) + step, false);
        this.#onlyActive();
      },
      rate: (stars) => this.#rate(stars),
    });
    this.#cover(this.#large.root);
    this.#grid.selection.only(id);
    this.#onlyActive();
  }

  #onlyActive(): void {
    const { active } = this.#grid.selection;
    if (active !== undefined) this.#grid.selection.only(active);
    this.#grid.changed();
  }

  #openComparison(outputs: readonly GalleryOutput[]): void {
    this.#uncover();
    this.#comparison = new CompareView(outputs, () => this.#uncover());
    this.#cover(this.#comparison.root);
  }

  /** Shows something over all else. */
  #cover(view: HTMLElement): void {
    for (const each of this.#main.children) each.toggleAttribute('inert', true);
    this.#main.append(view);
    view.removeAttribute('inert');
  }

  #uncover(): void {
    this.#comparison?.close();
    this.#large?.close();
    this.#comparison = this.#large = undefined;
    for (const each of this.#main.children) each.removeAttribute('inert');
    this.#grid.root.focus();
  }
}

function statusText({ ids, total, reading, isCut, unread }: GalleryList): string {
  if (reading) return t`Reading run records… ${total} so far`;
  const problem = unread > 0 ? t`Run records that can't be read: ${unread}.` : '';
  if (total === 0) return problem;
  const count = ids.length === total ? outputsText(total) : t`${ids.length} of ${outputsText(total)}`;
  const listed = isCut ? t`${count}, the newest` : count;
  return problem === '' ? listed : t`${listed}. ${problem}`;
}

new GalleryPage().start();
