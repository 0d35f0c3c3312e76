import type { MusicTrackView, TrackAction } from '../contract/music';
import { element, iconButton, textButton } from '../ui/element';
import { icon } from '../ui/icon';
import { tagList } from './generationView';
import { clockTime } from './words';
import { t } from '../../core/safety/localize';
import { dayAndTime } from '../../core/safety/timeText';

export interface TrackListActions {
  readonly play: (track: MusicTrackView) => void;
  readonly act: (action: TrackAction, track: MusicTrackView) => void;
  readonly vary: (track: MusicTrackView) => void;
  readonly undo: () => void;
}

/** All tracks, newest first. */
export class TrackList {
  readonly root: HTMLElement;
  readonly #list = element('ul', { class: 'tracks' });
  readonly #empty = element(
    'p',
    { class: 'note' },
    t`No music yet. Enter a prompt above. Tracks you generate are listed here.`,
  );
  readonly #undo = element('div', { class: 'undo', role: 'status' });
  readonly #rows = new Map<string, HTMLElement>();
  #againHint = '';
  #busy = false;

  constructor(private readonly actions: TrackListActions) {
    this.root = element(
      'section',
      { class: 'history', 'aria-label': t`Your music` },
      element('h2', {}, t`History`),
      this.#undo,
      this.#empty,
      this.#list,
    );
  }

  /** @param againHint what it costs to generate a track again, for its button */
  show(tracks: readonly MusicTrackView[], undo: string | null, againHint: (seconds: number) => string): void {
    this.#empty.hidden = tracks.length > 0;
    const hint = againHint(1);
    const hintChanged = hint !== this.#againHint;
    this.#againHint = hint;
    const rows = tracks.map((track) => {
      const known = hintChanged ? undefined : this.#rows.get(track.id);
      const row = known ?? this.#row(track, againHint(track.asked));
      this.#rows.set(track.id, row);
      return row;
    });
    for (const id of this.#rows.keys()) if (!tracks.some((track) => track.id === id)) this.#rows.delete(id);
    // Rows are kept, so that they keep the focus.
    for (const row of [...this.#list.children]) if (!rows.some((kept) => kept === row)) row.remove();
    for (const [index, row] of rows.entries())
      if (this.#list.children[index] !== row)
        this.#list.insertBefore(row, this.#list.children[index] ?? null);
    this.#showUndo(undo);
  }

  /** No track can be generated again while something is being generated. */
  setBusy(busy: boolean): void {
    this.#busy = busy;
    for (const row of this.#rows.values()) markBusy(row, busy);
  }

  /** Moves the focus to what replaces a removed element. False if the element wasn't in this list. */
  focusAfter(gone: Element): boolean {
    const isRow = gone.closest('.track') !== null;
    if (!isRow && gone.closest('.undo-button') === null) return false;
    const next = this.#undo.querySelector('button') ?? this.#list.querySelector<HTMLElement>('.play');
    next?.focus();
    return next !== null;
  }

  mark(current: string | undefined, isPlaying: boolean): void {
    for (const [id, row] of this.#rows) {
      if (id === current) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
      const button = row.querySelector<HTMLButtonElement>('.play');
      const playing = id === current && isPlaying;
      if (!button || button.dataset.playing === String(playing)) continue;
      button.dataset.playing = String(playing);
      const title = row.dataset.title ?? '';
      const label = playing ? t`Pause ${title}` : t`Play ${title}`;
      button.title = label;
      button.setAttribute('aria-label', label);
      button.replaceChildren(icon(playing ? 'pause' : 'play'));
    }
  }

  #showUndo(title: string | null): void {
    this.#undo.hidden = title === null;
    if (this.#undo.dataset.title === String(title)) return;
    this.#undo.dataset.title = String(title);
    this.#undo.replaceChildren(
      ...(title === null ? [] : [element('span', {}, t`Deleted “${title}”.`), this.#undoButton()]),
    );
  }

  #undoButton(): HTMLButtonElement {
    const button = textButton(t`Undo`, this.actions.undo, 'secondary');
    button.classList.add('undo-button');
    return button;
  }

  #row(track: MusicTrackView, againHint: string): HTMLElement {
    const { act, play, vary } = this.actions;
    const playButton = iconButton(icon('play'), t`Play ${track.title}`, () => play(track));
    playButton.classList.add('play');
    playButton.dataset.playing = 'false';
    const againLabel = againHint === '' ? t`Generate Again` : t`Generate again, ${againHint}`;
    const again = iconButton(icon('again'), againLabel, () => {
      if (!this.#busy) act('again', track);
    });
    again.classList.add('again');
    const actions = element(
      'div',
      { class: 'row-actions', role: 'group', 'aria-label': t`Actions for ${track.title}` },
      again,
      iconButton(icon('vary'), t`Edit Prompt and Generate…`, () => vary(track)),
      iconButton(icon('copy'), t`Copy Prompt`, () => act('copyPrompt', track)),
      iconButton(icon('saveAs'), t`Save As…`, () => act('saveAs', track)),
      iconButton(icon('reveal'), t`Reveal`, () => act('reveal', track)),
      iconButton(icon('remove'), t`Delete`, () => act('delete', track)),
    );
    const row = element(
      'li',
      { class: 'track', 'data-id': track.id, 'data-title': track.title },
      playButton,
      element(
        'div',
        { class: 'track-text' },
        element('h3', {}, track.title),
        element('p', { class: 'track-prompt', title: track.prompt }, track.prompt),
        track.tags.length === 0 ? undefined : tagList(track.tags),
        element('p', { class: 'meta', title: track.fileName }, metaText(track)),
      ),
      actions,
    );
    markBusy(row, this.#busy);
    return row;
  }
}

function markBusy(row: HTMLElement, busy: boolean): void {
  row.querySelector('.again')?.setAttribute('aria-disabled', String(busy));
}

function metaText({ seconds, asked, variant, credits, partial, createdAt }: MusicTrackView): string {
  const when = dayAndTime(new Date(createdAt).getTime());
  return [
    clockTime(Math.round(seconds ?? asked)),
    ...(partial ? [t`incomplete`] : []),
    ...(variant === undefined ? [] : [t`variant ${variant}`]),
    ...(credits === undefined ? [] : [t`${Number(credits.toFixed(2))} credits`]),
    when,
  ].join(' · ');
}
