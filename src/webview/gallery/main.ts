import '../ui/language';
import { plural, t } from '../../core/safety/localize';
import type {
  FromGallery,
  GalleryAction,
  GalleryList,
  GalleryOutput,
  GalleryQuery,
  ToGallery,
} from '../contract/gallery';
import { element, setText, textButton } from '../ui/element';
import { connectHost } from '../ui/host';
import { ActionBar } from './actionBar';
import { CompareView } from './compareView';
import { mostDragged } from './drag';
import { FilterBar } from './filterBar';
import { Grid } from './grid';
import { ThumbnailStore } from './thumbnailStore';
import '../ui/panel.css';
import './gallery.css';

interface Remembered {
  readonly query: GalleryQuery;
  readonly width: number;
}

const usualWidth = 176;

/** The gallery: filters above, tiles in the middle, actions for the selected ones below. */
class GalleryPage {
  readonly #host = connectHost<FromGallery, Remembered>();
  readonly #outputs = new Map<number, GalleryOutput>();
  readonly #status = element('p', { class: 'status', role: 'status' });
  readonly #empty = element('div', { class: 'empty-state' });
  readonly #store = new ThumbnailStore((message) => this.#host.send(message));
  readonly #grid = new Grid(
    {
      open: (ids) => this.#send('open', ids),
      remove: (ids) => this.#send('delete', ids),
      selected: () => this.#showActions(),
      tooMany: () => setText(this.#status, t`You can drag up to ${mostDragged} outputs at a time.`),
    },
    this.#store,
  );
  readonly #actions = new ActionBar({
    act: (action) => this.#send(action, this.#grid.selection.acting),
    compare: () => this.#compare(),
  });
  readonly #main = element('main', {});
  #filters: FilterBar | undefined;
  #query: GalleryQuery = {};
  #width = usualWidth;
  #list: GalleryList | undefined;
  #comparison: CompareView | undefined;

  start(): void {
    const { query, width } = this.#host.remembered();
    this.#query = query ?? {};
    this.#width = typeof width === 'number' ? width : usualWidth;
    this.#filters = new FilterBar(
      this.#query,
      this.#width,
      (changed) => this.#filter(changed),
      (wanted) => this.#resize(wanted),
    );
    this.#grid.setWidth(this.#width);
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
      case 'thumbnail':
        this.#store.receive(message);
        return;
      case 'compare':
        this.#openComparison(message.outputs);
        return;
      case 'comparison':
        this.#comparison?.showDifferences(message.differences, message.unknown);
    }
  }

  #showList(list: GalleryList): void {
    this.#filters?.show(list.choices);
    this.#grid.show(this.#known(list.ids), new Set(list.favorites));
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
        textButton(
          t`Show All`,
          () => {
            this.#filters?.clear();
            this.#filter({});
          },
          'primary',
        ),
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
    return ids.flatMap((id) => this.#outputs.get(id) ?? []);
  }

  #showActions(): void {
    const acting = this.#known(this.#grid.selection.acting);
    this.#actions.show(acting, new Set(this.#list?.favorites));
  }

  #filter(query: GalleryQuery): void {
    this.#query = query;
    this.#remember();
    this.#host.send({ type: 'query', query });
  }

  #resize(width: number): void {
    this.#width = width;
    this.#remember();
    this.#grid.setWidth(width);
  }

  #remember(): void {
    this.#host.remember({ query: this.#query, width: this.#width });
  }

  #send(action: GalleryAction, ids: readonly number[]): void {
    if (ids.length > 0) this.#host.send({ type: 'action', action, ids });
  }

  #compare(): void {
    const ids = this.#grid.selection.acting;
    this.#openComparison(this.#known(ids));
    this.#host.send({ type: 'compare', ids });
  }

  #openComparison(outputs: readonly GalleryOutput[]): void {
    this.#comparison?.close();
    this.#comparison = new CompareView(outputs, () => this.#closeComparison());
    this.#main.classList.add('comparing');
    this.#main.append(this.#comparison.root);
  }

  #closeComparison(): void {
    this.#comparison?.close();
    this.#comparison = undefined;
    this.#main.classList.remove('comparing');
    this.#grid.root.focus();
  }
}

function statusText({ ids, total, reading, isCut, unread }: GalleryList): string {
  if (reading) return t`Reading run records… ${total} so far`;
  const problem =
    unread > 0 ? plural(unread, t`1 run record can't be read.`, t`${unread} run records can't be read.`) : '';
  if (total === 0) return problem;
  const count =
    ids.length === total
      ? plural(total, t`1 output`, t`${total} outputs`)
      : plural(total, t`${ids.length} of 1 output`, t`${ids.length} of ${total} outputs`);
  const listed = isCut ? t`${count}, the newest` : count;
  return problem === '' ? listed : t`${listed}. ${problem}`;
}

new GalleryPage().start();
