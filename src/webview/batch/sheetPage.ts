import { startOfSentence } from '../../core/safety/endSentence';
import { listText, t } from '../../core/safety/localize';
import type {
  FromBatchSheet,
  SheetAction,
  SheetState,
  ToBatchSheet,
  SheetCell,
} from '../contract/batchSheet';
import { element, setText, textButton } from '../ui/element';
import { connectHost } from '../ui/host';
import { readTileChoice, type TileChoice, tileOptions } from '../ui/tileOptions';
import { SheetContent, stateWord } from './sheetContent';
import { SheetGrid } from './sheetGrid';
import {
  type AxisChoice,
  changingAxes,
  chooseAxis,
  allPages,
  layPicture,
  lineHeight as line,
} from './sheetLayout';
import { largestPicture } from '../contract/constants';

interface Remembered {
  readonly key: string;
  readonly tiles: TileChoice;
  readonly axes: AxisChoice | undefined;
}

/** The contact sheet of a batch: progress and buttons above, the grid below. */
export class SheetPage {
  readonly #host = connectHost<FromBatchSheet, Remembered>();
  readonly #title = element('h1', {});
  readonly #fixed = element('p', { class: 'hint' });
  readonly #progress = element('p', { class: 'progress-text', role: 'status' });
  readonly #fill = element('div', { class: 'fill' });
  readonly #message = element('p', { class: 'problem', role: 'alert' });
  readonly #tooLarge = element('p', { class: 'problem', role: 'alert' });
  readonly #buttons: Readonly<Record<SheetAction, HTMLButtonElement>> = {
    pause: this.#action('pause', t`Pause`),
    resume: this.#action('resume', t`Resume`),
    cancel: this.#action('cancel', t`Cancel`),
    retryFailed: this.#action('retryFailed', t`Retry Failed Runs`),
  };
  readonly #picture = textButton(t`Export as Image`, () => this.#exportPicture(), 'secondary');
  readonly #pages = element('div', { class: 'pages' });
  readonly #grid = new SheetGrid((row) => this.#host.send({ type: 'open', row }));
  readonly #main = element('main', {});
  #content: SheetContent | undefined;
  #page: number[] = [];
  #tiles = readTileChoice(this.#host.remembered().tiles);
  #axes = this.#host.remembered().axes;

  start(): void {
    const markdown = textButton(
      t`Export as Markdown`,
      () => {
        const { across, down } = this.#content?.axes ?? {};
        this.#host.send({ type: 'exportMarkdown', across, down });
      },
      'secondary',
    );
    this.#main.append(
      element(
        'header',
        {},
        this.#title,
        this.#fixed,
        this.#progress,
        element('div', { class: 'bar', 'aria-hidden': 'true' }, this.#fill),
        this.#message,
        element('div', { class: 'buttons' }, ...Object.values(this.#buttons), this.#picture, markdown),
        this.#tooLarge,
        element(
          'div',
          { class: 'pages' },
          this.#pages,
          tileOptions(this.#tiles, (tiles) => this.#resize(tiles)),
        ),
      ),
      this.#grid.root,
    );
    this.#main.hidden = true;
    const unknown = element('p', { class: 'hint' });
    document.body.append(unknown, this.#main);
    window.addEventListener('message', ({ data }: MessageEvent<ToBatchSheet>) => {
      if (data.type === 'unknown') setText(unknown, t`This batch isn't open in this window.`);
      else if (data.type === 'batch') {
        unknown.hidden = true;
        this.#begin(new SheetContent(data.batch, this.#axes));
      } else if (this.#content) {
        this.#content.take(data.cells);
        this.#grid.draw();
        this.#showProgress(this.#content, data.state, data.message);
      }
    });
    this.#host.send({ type: 'ready' });
  }

  #begin(content: SheetContent): void {
    this.#content = content;
    this.#remember();
    setText(this.#title, t`Contact Sheet: ${content.batch.label}`);
    // The context of a cell's menu, to which the cell adds its row.
    this.#main.dataset.vscodeContext = JSON.stringify({ batch: content.batch.id });
    this.#lay(content);
    this.#main.hidden = false;
    this.#grid.show(content, this.#page);
  }

  /** The parts that are the same in all cells, and the fields that say what is across, down, and in sight. */
  #lay(content: SheetContent): void {
    const { batch, axes, counts } = content;
    const fixed = [...counts.keys()].filter((axis) => counts[axis] === 1);
    const same = content.values(
      fixed,
      fixed.map(() => 0),
    );
    // A single axis has no heading that names it.
    const only =
      axes.down === undefined && axes.across !== undefined ? batch.axes[axes.across]?.name : undefined;
    setText(this.#fixed, listText([same, only === undefined ? '' : `${only} →`]));
    this.#page = axes.pages.map(() => 0);
    const choices = changingAxes(counts).length > 1 ? this.#axisChoices(content) : [];
    const pages = axes.pages.map((axis, index) => this.#choice(content, axis, index));
    this.#pages.replaceChildren(...choices, ...pages);
  }

  #axisChoices(content: SheetContent): HTMLElement[] {
    const { axes, batch, counts } = content;
    const select = (place: 'across' | 'down', label: string, none?: string): HTMLElement => {
      const field = element('select', { class: place });
      if (none !== undefined) field.append(element('option', { value: '' }, none));
      for (const axis of changingAxes(counts))
        field.append(element('option', { value: String(axis) }, batch.axes[axis]?.name ?? ''));
      field.value = String(axes[place] ?? '');
      field.addEventListener('change', () => {
        this.#axes = chooseAxis(axes, { [place]: field.value === '' ? undefined : Number(field.value) });
        content.lay(this.#axes);
        this.#remember();
        this.#lay(content);
        this.#grid.show(content, this.#page);
        this.#pages.querySelector<HTMLElement>(`.${place}`)?.focus();
      });
      return element('label', {}, label, field);
    };
    return [select('across', t`Across`), select('down', t`Down`, startOfSentence(t`none`))];
  }

  #resize(tiles: TileChoice): void {
    this.#tiles = tiles;
    this.#grid.resize(tiles);
    this.#remember();
  }

  #remember(): void {
    if (this.#content)
      this.#host.remember({ key: this.#content.batch.id, tiles: this.#tiles, axes: this.#axes });
  }

  #choice(content: SheetContent, axis: number, index: number): HTMLElement {
    const { name = '', steps = [] } = content.batch.axes[axis] ?? {};
    const select = element('select', {}, ...steps.map((step) => element('option', {}, step)));
    select.addEventListener('change', () => {
      this.#page = this.#page.with(index, select.selectedIndex);
      this.#grid.show(content, this.#page);
    });
    return element('label', {}, name, select);
  }

  #showProgress(content: SheetContent, state: SheetState, message: string): void {
    const { total } = content;
    const saved = content.count('saved');
    const failed = content.count('failed', 'refused');
    const running = content.count('running');
    const queued = content.count('queued');
    const words = {
      running: t`running`,
      paused: t`paused`,
      stopped: t`stopped`,
      done: t`completed`,
    };
    const parts = [
      startOfSentence(words[state]),
      t`${saved} of ${total} saved`,
      running > 0 ? t`${running} running` : '',
      queued > 0 ? t`${queued} queued` : '',
      failed > 0 ? t`${failed} failed` : '',
    ];
    setText(this.#progress, listText(parts));
    this.#fill.style.transform = `scaleX(${saved / total})`;
    setText(this.#message, message);
    const isLive = state === 'running' || state === 'paused';
    this.#buttons.pause.hidden = state !== 'running';
    this.#buttons.resume.hidden = state !== 'paused' && state !== 'stopped';
    this.#buttons.cancel.hidden = !isLive;
    this.#buttons.retryFailed.hidden = failed === 0;
  }

  #action(action: SheetAction, label: string): HTMLButtonElement {
    return textButton(label, () => this.#host.send({ type: 'act', action }), 'secondary');
  }

  #exportPicture(): void {
    if (!this.#content) return;
    this.#picture.disabled = true;
    setText(this.#tooLarge, '');
    void sheetPicture(this.#content)
      .catch(() => undefined)
      .then((png) => {
        if (png) this.#host.send({ type: 'exportPicture', png });
        else
          setText(
            this.#tooLarge,
            t`This sheet is too large for one image. Export it as Markdown instead, or split the batch.`,
          );
        this.#picture.disabled = false;
      });
  }
}

/** All pages as one image; undefined if it is too large to be drawn or sent. */
async function sheetPicture(content: SheetContent): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { counts, axes, batch } = content;
  const layout = layPicture(counts, axes);
  if (!layout) return undefined;
  const { shape, whole, left, cell: size } = layout;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = whole;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = '13px sans-serif';
  context.textBaseline = 'middle';
  const write = (text: string, x: number, y: number, width: number): void => {
    context.fillStyle = '#222';
    context.fillText(cut(context, text, width - 8), x + 4, y + line / 2);
  };
  write(batch.label, 0, 0, canvas.width);
  for (const [index, page] of allPages(counts, axes).entries()) {
    const top = line + index * layout.page;
    write(content.values(axes.pages, page), 0, top, canvas.width);
    for (let cell = 0; cell < shape.cells; cell++) {
      const column = cell % shape.columns;
      const row = Math.floor(cell / shape.columns);
      const x = left + column * size;
      const y = top + line * 2 + row * (size + (shape.wraps ? line : 0));
      if (shape.wraps) write(content.label(axes.across, cell), x, y + size, size);
      else if (row === 0) write(content.label(axes.across, column), x, top + line, size);
      if (!shape.wraps && column === 0)
        write(content.label(axes.down, row), 0, y + size / 2 - line / 2, left);
      const known = content.at(page, cell);
      if (!(await drawn(context, known, x + 2, y + 2, size - 4)))
        write(known?.output?.name ?? (known ? stateWord(known.state) : ''), x, y + size / 2 - line / 2, size);
    }
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!blob || blob.size > largestPicture) return undefined;
  return new Uint8Array(await blob.arrayBuffer());
}

/** Fits the picture of a cell into a square; one after the other, so that few are in memory. */
async function drawn(
  context: CanvasRenderingContext2D,
  cell: SheetCell | undefined,
  x: number,
  y: number,
  size: number,
): Promise<boolean> {
  if (cell?.output?.kind !== 'image') return false;
  try {
    const picture = await createImageBitmap(await (await fetch(cell.output.source)).blob());
    const scale = size / Math.max(picture.width, picture.height);
    const [width, height] = [picture.width * scale, picture.height * scale];
    context.drawImage(picture, x + (size - width) / 2, y + (size - height) / 2, width, height);
    picture.close();
    return true;
  } catch {
    return false;
  }
}

function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  let shown = text.slice(0, 200);
  while (shown !== '' && context.measureText(shown).width > width) shown = `${shown.slice(0, -2)}…`;
  return shown === '…' ? '' : shown;
}
