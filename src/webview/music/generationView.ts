import { startOfSentence } from '../../core/safety/endSentence';
import { mapDefined } from '../../core/safety/lists';
import type { MusicGeneration, MusicStreamView } from '../contract/music';
import { element, setText, textButton } from '../ui/element';
import { t } from '../../core/safety/localize';

/** The shortest time between announcements, in ms: seconds arrive too often for a screen reader to follow. */
const spokenEvery = 3_000;

/** The music in progress: title and tags as soon as they are known, and how much has arrived. */
export class GenerationView {
  readonly root: HTMLElement;
  readonly #streams = element('div', { class: 'streams' });
  readonly #fill = element('div', { class: 'fill' });
  readonly #bar = element(
    'div',
    { class: 'bar', role: 'progressbar', 'aria-label': t`Music received`, 'aria-valuemin': '0' },
    this.#fill,
  );
  readonly #text = element('p', { class: 'progress-text' });
  readonly #spoken = element('p', { class: 'spoken', 'aria-live': 'polite' });
  readonly #cancel: HTMLButtonElement;
  #spokenAt = 0;
  #spokenTitles = '';

  constructor(onCancel: () => void) {
    this.#cancel = textButton(t`Cancel`, onCancel, 'secondary');
    this.root = element(
      'section',
      { class: 'generation', 'aria-label': t`Music being generated` },
      element('div', { class: 'generation-head' }, this.#streams, this.#cancel),
      this.#bar,
      this.#text,
      this.#spoken,
    );
    this.root.hidden = true;
  }

  setCharges(charges: boolean): void {
    this.#cancel.title = charges ? t`You may be charged for what has been generated so far.` : '';
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
    // Without a value the bar is indeterminate.
    if (received === undefined) this.#bar.removeAttribute('aria-valuenow');
    else this.#bar.setAttribute('aria-valuenow', String(Math.floor(received)));
    this.#bar.classList.toggle('waiting', received === undefined);
    this.#fill.style.transform = `scaleX(${share})`;
    const text = words(generation, received);
    setText(this.#text, text);
    const titles = mapDefined(streams, ({ title }) => title).join(', ');
    if (now - this.#spokenAt >= spokenEvery || stage !== 'receiving' || titles !== this.#spokenTitles) {
      this.#spokenAt = now;
      // The title is announced once, when it arrives.
      setText(this.#spoken, titles === this.#spokenTitles || titles === '' ? text : `${titles}. ${text}`);
      this.#spokenTitles = titles;
    }
    // `disabled` would drop the focus; the controller knows when it is too late.
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
        element('h2', {}, title ?? t`Untitled`),
        piece === '' ? undefined : element('p', { class: 'meta' }, piece),
        tags.length === 0 ? undefined : tagList(tags),
        summary === undefined ? undefined : element('p', { class: 'summary' }, summary),
      ),
    );
    this.#streams.replaceChildren(...(views.length > 0 ? views : [element('h2', {}, t`Generating music…`)]));
  }
}

export function tagList(tags: readonly string[]): HTMLElement {
  return element(
    'ul',
    { class: 'tags', 'aria-label': t`Tags` },
    ...tags.map((tag) => element('li', {}, tag)),
  );
}

/** The progress of the slowest stream; undefined if none reports any. */
function receivedSeconds(streams: readonly MusicStreamView[]): number | undefined {
  const told = streams.flatMap(({ seconds }) => (seconds === undefined ? [] : [seconds]));
  return told.length === 0 ? undefined : Math.min(...told);
}

function words({ stage, seconds, streams }: MusicGeneration, received: number | undefined): string {
  if (stage === 'cancelling') return `${startOfSentence(t`cancelling`)}…`;
  if (stage === 'saving') return `${startOfSentence(t`saving`)}…`;
  const bytes = streams.reduce((sum, stream) => sum + stream.bytes, 0);
  if (received !== undefined) {
    const whole = Math.floor(received);
    return streams.length > 1
      ? t`${whole} of ${seconds} s received, ${streams.length} variants`
      : t`${whole} of ${seconds} s received`;
  }
  if (bytes > 0) return t`${Math.round(bytes / 1000)} KB received`;
  return t`Waiting for the first audio…`;
}
