import { numberAt } from '../../core/safety/lists';
import { listText, t } from '../../core/safety/localize';
import type { CellState, SheetBatch, SheetCell } from '../contract/batchSheet';
import { type AxisChoice, layAxes, rowWith, stepsAt, type SheetAxes } from './sheetLayout';

/** Texts up to this length (characters) fit beside a picture. */
const short = 20;

/**
 * Leaves out the words that all these texts begin or end with, so that what differs is seen where there is little room.
 * Texts that are short, or differ from their first word to their last, stay as they are.
 */
export function distinctTexts(texts: readonly string[]): readonly string[] {
  if (texts.length < 2 || texts.every(({ length }) => length <= short)) return texts;
  const words = texts.map((text) => text.split(/\s/u));
  // Each text keeps a word of its own.
  const most = Math.min(...words.map(({ length }) => length)) - 1;
  const start = sharedBy(most, (at) => words.map((each) => each[at]));
  const end = sharedBy(most - start, (at) => words.map((each) => each.at(-1 - at)));
  return words.map((each) => {
    const own = each.slice(start, each.length - end).join(' ');
    return `${start > 0 ? '…' : ''}${own}${end > 0 ? '…' : ''}`;
  });
}

/** How many words, at most `most`, are the same in all texts. */
function sharedBy(most: number, wordsAt: (index: number) => readonly (string | undefined)[]): number {
  let count = 0;
  while (count < most && new Set(wordsAt(count)).size === 1) count++;
  return count;
}

/** The content of a batch, by page and cell. */
export class SheetContent {
  readonly counts: readonly number[];
  axes: SheetAxes;
  readonly #labels: readonly (readonly string[])[];
  readonly #cells = new Map<number, SheetCell>();

  constructor(
    readonly batch: SheetBatch,
    chosen: AxisChoice | undefined,
  ) {
    this.counts = batch.axes.map(({ steps }) => steps.length);
    this.axes = layAxes(this.counts, chosen);
    this.#labels = batch.axes.map(({ steps }) => distinctTexts(steps));
  }

  lay(chosen: AxisChoice): void {
    this.axes = layAxes(this.counts, chosen);
  }

  get total(): number {
    return this.counts.reduce((product, count) => product * count, 1);
  }

  take(cells: readonly SheetCell[]): void {
    for (const cell of cells) this.#cells.set(cell.row, cell);
  }

  at(page: readonly number[], cell: number): SheetCell | undefined {
    return this.#cells.get(rowWith(this.counts, stepsAt(this.counts, this.axes, page, cell)));
  }

  count(...states: readonly CellState[]): number {
    let count = 0;
    for (const { state } of this.#cells.values()) if (states.includes(state)) count++;
    return count;
  }

  step(axis: number | undefined, step: number): string {
    return axis === undefined ? '' : (this.batch.axes[axis]?.steps[step] ?? '');
  }

  /** The part that distinguishes a value from the others of its axis, where there is no room for all of it. */
  label(axis: number | undefined, step: number): string {
    return axis === undefined ? '' : (this.#labels[axis]?.[step] ?? '');
  }

  /** Names the axes and their values: `KSampler.cfg = 7`. */
  values(axes: readonly number[], steps: readonly number[]): string {
    return listText(
      axes.map(
        (axis, index) => `${this.batch.axes[axis]?.name ?? ''} = ${this.step(axis, steps[index] ?? 0)}`,
      ),
    );
  }

  /** Everything that changes, with its values in a cell. */
  wordsOf(page: readonly number[], cell: number): string {
    const steps = stepsAt(this.counts, this.axes, page, cell);
    const changing = [...steps.keys()].filter((axis) => numberAt(this.counts, axis) > 1);
    return this.values(
      changing,
      changing.map((axis) => steps[axis] ?? 0),
    );
  }
}

export function stateWord(state: CellState): string {
  const words: Readonly<Record<CellState, string>> = {
    waiting: t`waiting`,
    notRun: t`not run`,
    queued: t`queued`,
    running: t`running`,
    owed: t`not saved yet`,
    saved: t`saved`,
    failed: t`failed`,
    refused: t`rejected`,
    cancelled: t`cancelled`,
  };
  return words[state];
}
