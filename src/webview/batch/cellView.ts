import type { CellState, SheetCell } from '../contract/batchSheet';
import { element } from '../ui/element';
import { icon, type IconName } from '../ui/icon';
import { stateWord } from './sheetContent';

const stateIcons = {
  waiting: 'waiting',
  queued: 'waiting',
  running: 'running',
  owed: 'lost',
  saved: 'done',
  failed: 'failed',
  refused: 'warning',
  cancelled: 'cancelled',
} as const satisfies Record<CellState, IconName>;

const kindIcons = { video: 'play', audio: 'volume', model3d: 'cube', text: 'text', other: 'file' } as const;

/** One run in the sheet: its picture, or how it stands. */
export class CellView {
  readonly root: HTMLElement;
  readonly #frame = element('div', { class: 'frame' });
  readonly #values: string;
  #shown: SheetCell | undefined;

  constructor(cell: number, values: string, caption: string | undefined) {
    this.#values = values;
    this.root = element(
      'div',
      { class: 'cell', role: 'gridcell', id: `cell${cell}` },
      this.#frame,
      caption === undefined
        ? undefined
        : element('div', { class: 'caption', 'aria-hidden': 'true' }, caption),
    );
    this.root.dataset.cell = String(cell);
    this.#say('');
  }

  show(cell: SheetCell | undefined): void {
    if (!cell || cell === this.#shown) return;
    this.#shown = cell;
    const { state, message, output } = cell;
    const word = stateWord(state);
    this.root.dataset.state = state;
    this.root.classList.toggle('opens', cell.hasRecord);
    this.#say([word, message, output?.name ?? ''].filter((each) => each !== '').join(': '));
    if (output?.kind === 'image') {
      // Until it is decoded, the frame shows what it did before: never half a picture.
      const image = element('img', { alt: '', decoding: 'async', src: output.source });
      this.root.setAttribute('aria-busy', 'true');
      const show = (...shown: readonly (Node | string)[]): void => {
        if (this.#shown !== cell) return;
        this.#frame.replaceChildren(...shown);
        this.root.removeAttribute('aria-busy');
      };
      image.decode().then(
        () => show(image),
        () => show(icon('picture'), output.name),
      );
    } else if (output?.kind === 'video') {
      const video = element('video', { preload: 'metadata', src: output.source, tabindex: '-1' });
      video.muted = true;
      this.#frame.replaceChildren(video, icon('play'));
    } else if (output) this.#frame.replaceChildren(icon(kindIcons[output.kind]), words(output.name));
    else
      this.#frame.replaceChildren(
        icon(stateIcons[state]),
        words(message === '' ? word.charAt(0).toUpperCase() + word.slice(1) : message),
      );
  }

  close(): void {
    this.#shown = undefined;
  }

  #say(state: string): void {
    const text = [this.#values, state].filter((each) => each !== '').join(': ');
    this.root.setAttribute('aria-label', text);
    this.root.title = text;
  }
}

function words(text: string): HTMLElement {
  return element('span', { class: 'words' }, text);
}
