import type { MusicGeneration, MusicStreamView } from '../contract/music';
import { element, setText, textButton } from '../ui/element';

/** Speech at most this often (ms): seconds arrive many times a second, a voice cannot follow. */
const spokenEvery = 3_000;

/** What is being made right now: title and tags as soon as they are known, and how much has come. */
export class GenerationView {
  readonly root: HTMLElement;
  readonly #streams = element('div', { class: 'streams' });
  readonly #fill = element('div', { class: 'fill' });
  readonly #bar = element(
    'div',
    { class: 'bar', role: 'progressbar', 'aria-label': 'Music received', 'aria-valuemin': '0' },
    this.#fill,
  );
  readonly #text = element('p', { class: 'progress-text' });
  readonly #spoken = element('p', { class: 'spoken', 'aria-live': 'polite' });
  readonly #cancel: HTMLButtonElement;
  #spokenAt = 0;
  #spokenTitles = '';

  constructor(onCancel: () => void) {
    this.#cancel = textButton('Cancel', onCancel, 'secondary');
    this.root = element(
      'section',
      { class: 'generation', 'aria-label': 'Music being made' },
      element('div', { class: 'generation-head' }, this.#streams, this.#cancel),
      this.#bar,
      this.#text,
      this.#spoken,
    );
    this.root.hidden = true;
  }

  setCharges(charges: boolean): void {
    this.#cancel.title = charges ? 'The service may charge for what it has made until then.' : '';
  }

  /** @param now milliseconds since the epoch */
  show(generation: MusicGeneration | null, now: number): void {
    this.root.hidden = generation === null;
    if (!generation) {
      this.#streams.replaceChildren();
      return;
    }
    const { seconds, stage, streams } = generation;
    this.#showStreams(streams);
    const received = receivedSeconds(streams);
    const share = Math.min(1, (received ?? 0) / seconds);
    this.#bar.setAttribute('aria-valuemax', String(seconds));
    // Without a value it says that it does not know how far it is.
    if (received === undefined) this.#bar.removeAttribute('aria-valuenow');
    else this.#bar.setAttribute('aria-valuenow', String(Math.floor(received)));
    this.#bar.classList.toggle('waiting', received === undefined);
    this.#fill.style.transform = `scaleX(${share})`;
    const text = words(generation, received);
    setText(this.#text, text);
    const titles = streams.flatMap(({ title }) => title ?? []).join(', ');
    if (now - this.#spokenAt >= spokenEvery || stage !== 'receiving' || titles !== this.#spokenTitles) {
      this.#spokenAt = now;
      // The title is said once, when it comes.
      setText(this.#spoken, titles === this.#spokenTitles || titles === '' ? text : `${titles}. ${text}`);
      this.#spokenTitles = titles;
    }
    // Not `disabled`, which would let go of the focus; the studio knows when it is too late.
    this.#cancel.setAttribute('aria-disabled', String(stage === 'saving' || stage === 'cancelling'));
  }

  #showStreams(streams: readonly MusicStreamView[]): void {
    const titled = streams.filter(({ title, tags }) => title !== undefined || tags.length > 0);
    const fingerprint = JSON.stringify(
      titled.map(({ title, tags, summary, piece }) => [title, tags, summary, piece]),
    );
    if (this.#streams.dataset.fingerprint === fingerprint && this.#streams.hasChildNodes()) return;
    this.#streams.dataset.fingerprint = fingerprint;
    const views = titled.map(({ title, tags, summary, piece = '' }) =>
      element(
        'div',
        { class: 'stream' },
        element('h2', {}, title ?? 'Untitled'),
        piece === '' ? undefined : element('p', { class: 'meta' }, piece),
        tags.length === 0 ? undefined : tagList(tags),
        summary === undefined ? undefined : element('p', { class: 'summary' }, summary),
      ),
    );
    this.#streams.replaceChildren(...(views.length > 0 ? views : [element('h2', {}, 'Making music …')]));
  }
}

export function tagList(tags: readonly string[]): HTMLElement {
  return element('ul', { class: 'tags', 'aria-label': 'Tags' }, ...tags.map((tag) => element('li', {}, tag)));
}

/** Of the stream that is furthest behind; undefined while no stream tells. */
function receivedSeconds(streams: readonly MusicStreamView[]): number | undefined {
  const told = streams.flatMap(({ seconds }) => (seconds === undefined ? [] : [seconds]));
  return told.length === 0 ? undefined : Math.min(...told);
}

function words({ stage, seconds, streams }: MusicGeneration, received: number | undefined): string {
  if (stage === 'cancelling') return 'Cancelling …';
  if (stage === 'saving') return 'Saving …';
  const bytes = streams.reduce((sum, stream) => sum + stream.bytes, 0);
  if (received !== undefined) {
    const several = streams.length > 1 ? `, ${streams.length} variants` : '';
    return `${Math.floor(received)} of ${seconds} s received${several}`;
  }
  if (bytes > 0) return `${Math.round(bytes / 1000)} KB received`;
  return 'Waiting for the first sound …';
}
