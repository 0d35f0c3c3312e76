import { appendFileSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { canvasChange, type CanvasEdits } from '../../src/core/canvas/canvasChange';
import { CanvasHistory } from '../../src/core/canvas/canvasHistory';
import { Catalog } from '../../src/core/catalog/catalog';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { ComfyPage } from './comfyPage';
import { promptOutcome } from './promptOutcome';
import { comparableState, differingPaths, wrongTouches } from './judgement';

/**
 * Judges what is written for edits on the page of a real ComfyUI server:
 * `npm run test:canvas -- URL [--definitions FILE] [--edits NAMES] [--log FILE] FILES…`. Each file is loaded for each
 * edit, the edit is made by the page's own objects, and what was written is loaded again. Prints a row for each edit;
 * exits 0 if enough of them come back as they were, 1 if not, 2 for wrong usage.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { definitions: { type: 'string' }, edits: { type: 'string' }, log: { type: 'string' } },
  });
  const [url, ...files] = positionals;
  if (url === undefined || !URL.canParse(url) || files.length === 0) {
    process.stderr.write(
      'Usage: npm run test:canvas -- URL [--definitions FILE] [--edits NAMES] [--log FILE] FILES…\n',
    );
    return 2;
  }
  const page = await ComfyPage.open(url, values.definitions);
  try {
    const names = values.edits?.split(',') ?? [...(await page.editNames()), 'undo a move', 'undo a deletion'];
    const rows: Row[] = [];
    let catalog: Catalog | undefined;
    for (const [index, file] of files.entries()) {
      const text = readFileSync(file, 'utf8');
      const isPrompt = WorkflowDocument.of(text).format.kind === 'api';
      catalog ??= isPrompt ? await catalogOf(url, values.definitions) : undefined;
      let loaded: Loaded | undefined;
      for (const name of names) {
        // Edits follow each other, each in the text of the one before; those in subgraphs start with the file.
        if (isInside(name)) loaded = undefined;
        const seed = seedOf(basename(file));
        const { row, next } =
          isPrompt && catalog
            ? { row: await promptRow(page, text, catalog, name, seed), next: undefined }
            : await outcomeOf(page, text, loaded, name, seed);
        loaded = next;
        if (!row) continue;
        // No other edit gets farther.
        if (isPrompt && row.kind === 'failed' && row.place === '') {
          process.stdout.write(`${basename(file)}: ${row.note}\n`);
          break;
        }
        rows.push({ ...row, name });
        if (values.log !== undefined)
          appendFileSync(values.log, `${JSON.stringify({ file, name, ...row })}\n`);
        if (row.kind !== 'equal' && row.kind !== 'as reload')
          process.stdout.write(`${row.kind}: ${name} in ${basename(file)} (${row.place}): ${row.note}\n`);
      }
      process.stderr.write(`${index + 1} of ${files.length}\n`);
    }
    return report(rows);
  } finally {
    await page.close();
  }
}

const none = { place: '', note: '', edits: 0, length: 0, adopted: 0, time: 0 };

/** What is loaded in the page: no edit was made since. */
interface Loaded {
  readonly text: string;
  readonly state: string;
}

type Kind = 'equal' | 'as reload' | 'differs' | 'refused' | 'touched' | 'failed';

interface Outcome {
  readonly kind: Kind;
  /** Where the edit was. */
  readonly place: string;
  readonly note: string;
  readonly edits: number;
  readonly length: number;
  readonly adopted: number;
  /** Of the differ alone, ms. */
  readonly time: number;
}

interface Row extends Outcome {
  readonly name: string;
}

/** Chooses other nodes in other files. */
function seedOf(name: string): number {
  let seed = 7;
  for (const sign of name) seed = (seed * 31 + (sign.codePointAt(0) ?? 0)) % 100_003;
  return seed;
}

async function catalogOf(url: string, definitions: string | undefined): Promise<Catalog> {
  const text =
    definitions === undefined
      ? await (await fetch(new URL('object_info', `${url}/`))).text()
      : readFileSync(definitions, 'utf8');
  return Catalog.fromText(text);
}

async function promptRow(
  page: ComfyPage,
  text: string,
  catalog: Catalog,
  name: string,
  seed: number,
): Promise<Outcome | undefined> {
  let place = '';
  const outcome = await promptOutcome(page, text, catalog, async () => {
    const edited = await page.edit(name, seed);
    place = edited ?? '';
    return edited;
  });
  return outcome && { ...none, ...outcome, place };
}

/** Undefined if there was nothing to edit, or the page's state stayed. */
async function outcomeOf(
  page: ComfyPage,
  file: string,
  loaded: Loaded | undefined,
  name: string,
  seed: number,
): Promise<{ readonly row?: Outcome | undefined; readonly next?: Loaded | undefined }> {
  const text = loaded?.text ?? file;
  const before = loaded?.state ?? (await page.load(text));
  if (before === undefined)
    return { row: { ...none, kind: 'failed', note: 'The page did not load it, or never settled.' } };
  const undone = { 'undo a move': 'move', 'undo a deletion': 'delete' }[name];
  if (undone !== undefined) return { row: await undoOutcome(page, text, before, undone, seed) };
  const place = await page.edit(name, seed);
  if (place === undefined) return { next: { text, state: before } };
  const row = await writtenOutcome(page, text, before, place);
  if (!row) return {};
  const { next, ...outcome } = row;
  return { row: outcome, next };
}

async function writtenOutcome(
  page: ComfyPage,
  text: string,
  before: string,
  place: string,
): Promise<(Outcome & { readonly next?: Loaded }) | undefined> {
  const after = await page.settledState();
  if (after === undefined)
    return { ...none, kind: 'failed', place, note: 'The page never settled after the edit.' };
  if (after === before) return undefined;
  const begun = performance.now();
  const change = canvasChange(WorkflowDocument.of(text), before, after, (type) => page.types.has(type));
  const time = performance.now() - begun;
  if (change.kind === 'refused')
    return { ...none, kind: 'refused', place, time, note: `${change.reason} ${change.id ?? ''}` };
  if (
    change.edits.length === 0 &&
    differingPaths(comparableState(before, text), comparableState(after, text)).length === 0
  )
    return undefined;
  const outcome = { place, time, ...figures(change) };
  // Subgraphs with a random ID make the whole file that of the page.
  const isWhole = change.adopted.some(({ id }) => !text.includes(id));
  const touched = isWhole
    ? []
    : wrongTouches({
        old: text,
        written: change.text,
        before,
        after,
        adopted: change.adopted.map(({ id }) => id),
      });
  if (touched.length > 0) return { ...outcome, kind: 'touched', note: touched.slice(0, 5).join(' ') };
  const written = await page.load(change.text);
  if (written === undefined)
    return { ...outcome, kind: 'failed', note: 'The page did not load what was written.' };
  const [wanted, found] = [comparableState(after, change.text), comparableState(written, change.text)];
  const differing = differingPaths(wanted, found);
  if (differing.length === 0)
    return { ...outcome, kind: 'equal', note: '', next: { text: change.text, state: written } };
  const reloaded = await page.load(after);
  const again = comparableState(reloaded ?? after, change.text);
  const byReload = new Set(differingPaths(wanted, again));
  const left = differing.filter((path) => !byReload.has(path) && again.get(path) !== found.get(path));
  if (left.length === 0) return { ...outcome, kind: 'as reload', note: '' };
  const notes = left
    .slice(0, 4)
    .map((path) => `${path}: ${wanted.get(path) ?? '-'} was ${found.get(path) ?? '-'}`);
  return { ...outcome, kind: 'differs', note: `${left.length} places, ${notes.join('; ')}` };
}

/** Undo returns to the state before, and the file to its text. */
async function undoOutcome(
  page: ComfyPage,
  text: string,
  before: string,
  edit: string,
  seed: number,
): Promise<Outcome | undefined> {
  const history = new CanvasHistory();
  history.remember(before, text);
  await page.captureForUndo();
  const place = await page.edit(edit, seed);
  const after = place === undefined ? undefined : await page.settledState();
  if (place === undefined || after === undefined || after === before) return undefined;
  await page.captureForUndo();
  await page.undo();
  const undone = await page.settledState();
  const found = undone === undefined ? undefined : history.textOf(undone);
  const outcome = { place, edits: 0, length: 0, adopted: 0, time: 0 };
  if (found === text) return { ...outcome, kind: 'equal', note: '' };
  const wanted = comparableState(before, text);
  const paths = differingPaths(wanted, comparableState(undone ?? before, text));
  if (undone !== undefined && isWrittenTwice(page, text, [before, after, undone])) {
    // The page undoes by loading, and some nodes roll their values at every load.
    const byReload = new Set(
      differingPaths(wanted, comparableState((await page.load(before)) ?? before, text)),
    );
    if (paths.every((path) => byReload.has(path))) return { ...outcome, kind: 'as reload', note: '' };
  }
  return { ...outcome, kind: 'differs', note: `no text of this state; ${paths.slice(0, 4).join(' ')}` };
}

/** Whether an edit and its undo can both be written. */
function isWrittenTwice(
  page: ComfyPage,
  text: string,
  [before, after, undone]: readonly [string, string, string],
): boolean {
  const isKnown = (type: string): boolean => page.types.has(type);
  const edit = canvasChange(WorkflowDocument.of(text), before, after, isKnown);
  if (edit.kind === 'refused') return false;
  return canvasChange(WorkflowDocument.of(edit.text), after, undone, isKnown).kind === 'edits';
}

function figures({ edits, adopted }: CanvasEdits): Pick<Outcome, 'edits' | 'length' | 'adopted'> {
  return {
    edits: edits.length,
    length: edits.reduce((sum, { length, newText }) => sum + Math.max(length, newText.length), 0),
    adopted: adopted.reduce((sum, { length }) => sum + length, 0),
  };
}

const kinds: readonly Kind[] = ['equal', 'as reload', 'differs', 'touched', 'refused', 'failed'];

function isInside(name: string): boolean {
  return /^inside|^promoted|^unpack/.test(name);
}

function report(rows: readonly Row[]): number {
  const line = (label: string, of: readonly Row[]): void => {
    const counts = kinds.map((kind) => `${of.filter((row) => row.kind === kind).length}`.padStart(9));
    const adopted = of.filter((row) => row.adopted > 0);
    const figures = [median(of.map((row) => row.edits)), median(of.map((row) => row.length)), adopted.length];
    const more = [
      median(adopted.map((row) => row.adopted)),
      Math.round(Math.max(0, ...of.map((row) => row.time))),
    ];
    process.stdout.write(
      `${label.padEnd(20)}${counts.join('')}${[...figures, ...more].map((each) => String(each).padStart(9)).join('')}\n`,
    );
  };
  const columns = [...kinds, 'edits', 'length', 'adopted', 'of', 'ms']
    .map((each) => each.padStart(9))
    .join('');
  process.stdout.write(`\n${''.padEnd(20)}${columns}\n`);
  for (const name of new Set(rows.map((row) => row.name)))
    line(
      name,
      rows.filter((row) => row.name === name),
    );
  const [outside, within] = [
    rows.filter((row) => !isInside(row.name)),
    rows.filter((row) => isInside(row.name)),
  ];
  line('outside subgraphs', outside);
  line('in subgraphs', within);
  line('all', rows);
  const isEnough =
    share(outside, 'good') >= 0.995 && share(within, 'good') >= 0.96 && share(rows, 'refused') <= 0.02;
  process.stdout.write(isEnough ? 'Enough.\n' : 'Not enough: 99.5 % outside, 96 % inside, 2 % refused.\n');
  return isEnough ? 0 : 1;
}

/** Of what was written, the share that came back; of all, the share that was refused. */
function share(rows: readonly Row[], what: 'good' | 'refused'): number {
  const refused = rows.filter((row) => row.kind === 'refused').length;
  if (what === 'refused') return rows.length === 0 ? 0 : refused / rows.length;
  const written = rows.length - refused;
  const good = rows.filter((row) => row.kind === 'equal' || row.kind === 'as reload').length;
  return written === 0 ? 1 : good / written;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

process.exitCode = await main();
