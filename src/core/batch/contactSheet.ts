import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { countAt } from '../safety/lists';
import type { OutputFolder } from '../outputs/outputFolder';
import type { MediaKind } from '../protocol/outputFile';
import { mediaKind } from '../protocol/outputRecord';
import { recordNamed } from '../records/recordFile';
import type { RunRecord } from '../records/runRecord';
import { escapeMarkdown } from '../safety/escapeMarkdown';
import { t } from '../safety/localize';
import { plainText } from '../safety/plainText';
import { axisName, type BatchAxis, stepText } from './batchTable';

export interface TableCell {
  /** See `fileLinks`: with forward slashes and not yet encoded. */
  readonly files: readonly string[];
  readonly message?: string | undefined;
}

/** The axes of the table, which count from 0. */
export interface TableAxes {
  readonly across?: number | undefined;
  readonly down?: number | undefined;
}

/**
 * A batch as Markdown: a table with the steps of two axes, the last two that have several if none are chosen, and a
 * section for each combination of the others. Pictures are shown, other files linked.
 */
export function contactSheet(
  title: string,
  axes: readonly BatchAxis[],
  cellOf: (row: number) => TableCell,
  chosen?: TableAxes,
): string {
  const changing = axes.flatMap(({ steps }, index) => (steps.length > 1 ? [index] : []));
  const { across, down } = chosen ?? { across: changing.at(-1), down: changing.at(-2) };
  const sections = changing.filter((index) => index !== across && index !== down);
  const parts = [`# ${inCell(title)}`, ...fixedLines(axes)];
  for (const fixed of combinations(axes, sections)) {
    if (fixed.size > 0)
      parts.push(`## ${[...fixed].map(([index, step]) => setText(axes, index, step)).join(', ')}`);
    parts.push(table(axes, { across, down, fixed, cellOf }));
  }
  return `${parts.join('\n\n')}\n`;
}

interface Table {
  readonly across: number | undefined;
  readonly down: number | undefined;
  readonly fixed: ReadonlyMap<number, number>;
  readonly cellOf: (row: number) => TableCell;
}

function table(axes: readonly BatchAxis[], { across, down, fixed, cellOf }: Table): string {
  const columns = stepsAlong(axes, across);
  const corner = [down, across].flatMap((index) => nameOf(axes, index)).join(' \\ ');
  const lines = [[corner, ...columns.map((step) => stepName(axes, across, step))], columns.map(() => '---')];
  lines[1]?.unshift('---');
  for (const step of stepsAlong(axes, down)) {
    const cells = columns.map((column) => {
      const steps = new Map(fixed);
      if (across !== undefined) steps.set(across, column);
      if (down !== undefined) steps.set(down, step);
      return cellText(cellOf(rowAt(axes, steps)));
    });
    lines.push([stepName(axes, down, step), ...cells]);
  }
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function fixedLines(axes: readonly BatchAxis[]): string[] {
  const fixed = axes.flatMap(({ steps }, index) => (steps.length === 1 ? [setText(axes, index, 0)] : []));
  return fixed.length === 0 ? [] : [fixed.map((each) => `- ${each}`).join('\n')];
}

function cellText({ files, message }: TableCell): string {
  if (files.length === 0) return inCell(message ?? t`not run`);
  return files.map(fileText).join(' ');
}

function fileText(file: string): string {
  const name = inCell(file.split('/').at(-1) ?? file);
  const isWhole = file.startsWith('file://');
  // The colons after `file` and the drive.
  const link = file
    .split('/')
    .map((part) => (isWhole && /^(?:file|[A-Za-z]):$/.test(part) ? part : encoded(part)))
    .join('/');
  return /\.(?:png|jpe?g|webp|gif|avif|svg)$/i.test(file) ? `![${name}](${link})` : `[${name}](${link})`;
}

function encoded(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function setText(axes: readonly BatchAxis[], index: number, step: number): string {
  return t`${nameOf(axes, index).join('')} = ${stepName(axes, index, step)}`;
}

function nameOf(axes: readonly BatchAxis[], index: number | undefined): string[] {
  const axis = index === undefined ? undefined : axes[index];
  return axis ? [inCell(axisName(axis))] : [];
}

function stepName(axes: readonly BatchAxis[], index: number | undefined, step: number): string {
  const axis = index === undefined ? undefined : axes[index];
  return axis ? inCell(stepText(axis, step)) : '';
}

function inCell(text: string): string {
  return escapeMarkdown(plainText(text, 'one line', text.length).replace(/\s+/g, ' '));
}

function stepsAlong(axes: readonly BatchAxis[], index: number | undefined): number[] {
  return Array.from(
    { length: index === undefined ? 1 : (axes[index]?.steps.length ?? 1) },
    (_, step) => step,
  );
}

/** The row with these steps, and the first step of all other axes. */
function rowAt(axes: readonly BatchAxis[], steps: ReadonlyMap<number, number>): number {
  return axes.reduce((row, axis, index) => row * axis.steps.length + countAt(steps, index), 0);
}

function combinations(axes: readonly BatchAxis[], along: readonly number[]): ReadonlyMap<number, number>[] {
  return along.reduce<ReadonlyMap<number, number>[]>(
    (known, index) =>
      known.flatMap((each) => stepsAlong(axes, index).map((step) => new Map([...each, [index, step]]))),
    [new Map()],
  );
}

/** Links to what a run has saved, relative to the folder of the sheet; from another drive, they begin with `file:`. */
export function fileLinks(
  from: string,
  folder: Pick<OutputFolder, 'location'>,
  record: Pick<RunRecord, 'files'> | undefined,
  paths: Pick<typeof path, 'relative' | 'sep' | 'isAbsolute'> = path,
): string[] {
  return (record?.files ?? []).map(({ name }) => {
    const relative = paths.relative(from, folder.location(name));
    const link = relative.split(paths.sep).join('/');
    if (!paths.isAbsolute(relative)) return link;
    return link.startsWith('//') ? `file:${link}` : `file:///${link}`;
  });
}

/** The one that a cell shows, if a run has several. */
const kinds: readonly MediaKind[] = ['image', 'video', 'audio', 'model3d', 'text', 'other'];

/** The output that the cell of a saved row shows; undefined if the run has none, or its record can't be read. */
export async function firstOutput(folder: OutputFolder, record: string) {
  const listed = await recordNamed(folder, record).catch(() => undefined);
  if (!listed) return undefined;
  const outputs = listed.record.files.map(({ name }) => ({ name, kind: mediaKind(name, undefined, '') }));
  const [first] = outputs.sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
  // A link might lead elsewhere. What was deleted is named all the same.
  const isOther =
    first &&
    (await lstat(folder.location(first.name)).then(
      (status) => !status.isFile(),
      () => false,
    ));
  return isOther ? undefined : first;
}
