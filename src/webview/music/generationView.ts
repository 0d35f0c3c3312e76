import type { MusicGeneration, MusicStreamView, MusicTrouble } from '../contract/music';
import { element, setText, textButton } from '../ui/element';
import { spokenTime } from './words';

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
    this.#bar.setAttribute('aria-valuenow', String(Math.floor(received ?? 0)));
    this.#bar.classList.toggle('waiting', received === undefined);
    this.#fill.style.transform = `scaleX(${received === undefined ? 1 : share})`;
    const text = words(generation, received);
    setText(this.#text, text);
    if (now - this.#spokenAt >= spokenEvery || stage !== 'receiving') {
      this.#spokenAt = now;
      setText(this.#spoken, text);
    }
    this.#cancel.disabled = stage === 'saving' || stage === 'cancelling';
  }

  #showStreams(streams: readonly MusicStreamView[]): void {
    const titled = streams.filter(({ title, tags }) => title !== undefined || tags.length > 0);
    const fingerprint = JSON.stringify(titled.map(({ title, tags, summary }) => [title, tags, summary]));
    if (this.#streams.dataset.fingerprint === fingerprint && this.#streams.hasChildNodes()) return;
    this.#streams.dataset.fingerprint = fingerprint;
    const views = titled.map(({ title, tags, summary }) =>
      element(
        'div',
        { class: 'stream' },
        element('h2', {}, title ?? 'Untitled'),
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
    const several = streams.length > 1 ? ` of ${streams.length} variants` : '';
    return `${Math.floor(received)} of ${seconds} s received${several}`;
  }
  if (bytes > 0) return `${Math.round(bytes / 1000)} KB received`;
  return 'Waiting for the first sound …';
}

export interface TroubleActions {
  readonly keep: () => void;
  readonly dismiss: () => void;
  readonly signIn: () => void;
  readonly again: (prompt: string, seconds: number) => void;
}

/** Why the last music did not come, what to do, and what had come if it is worth keeping. */
export class TroubleView {
  readonly root = element('section', { class: 'notice', role: 'alert' });
  readonly #actions: TroubleActions;

  constructor(actions: TroubleActions) {
    this.#actions = actions;
    this.root.hidden = true;
  }

  show(trouble: MusicTrouble | null): void {
    const fingerprint = JSON.stringify(trouble);
    if (this.root.dataset.fingerprint === fingerprint) return;
    this.root.dataset.fingerprint = fingerprint;
    this.root.hidden = trouble === null;
    this.root.replaceChildren();
    if (!trouble) return;
    const { partialSeconds, prompt, seconds, canSignIn } = trouble;
    const buttons = element('div', { class: 'buttons' });
    if (partialSeconds !== undefined)
      buttons.append(textButton('Keep What Came', this.#actions.keep, 'primary'));
    if (canSignIn) buttons.append(textButton('Sign In', this.#actions.signIn, 'primary'));
    buttons.append(
      textButton('Edit and Try Again', () => this.#actions.again(prompt, seconds), 'secondary'),
      textButton(partialSeconds === undefined ? 'Dismiss' : 'Discard It', this.#actions.dismiss, 'secondary'),
    );
    this.root.append(
      element('strong', {}, trouble.message),
      element('p', {}, trouble.nextAction),
      partialSeconds === undefined
        ? ''
        : element('p', {}, `${spokenTime(partialSeconds)} had come by then and can be kept.`),
      buttons,
    );
  }
}
