import {
  axisName,
  type BatchAxis,
  batchRowValues,
  columnName,
  countBatchRows,
  stepText,
  valueShown,
} from '../core/batch/batchTable';
import { countRows, rowCredits, type BatchCounts, type BatchRow } from '../core/batch/batchRow';
import { type BatchTime, timeWords } from '../core/batch/batchTime';
import { type PartnerPrice, partnerWords, type RefusedStep } from '../core/batch/planBatch';
import type { TextFile } from '../core/batch/prepareBatch';
import { inputName } from '../core/batch/batchInputs';
import { creditsText } from '../core/jobs/runPrice';
import type { SavedOutput } from '../core/outputs/expectedFile';
import { endSentence } from '../core/safety/endSentence';
import { listText, plural, sentencesText, t } from '../core/safety/localize';
import type { BatchEvent, ServerStanding } from './jsonEvents';
import { CommandReport, failureFields } from './commandReport';
import { plainTerminalLine } from './terminal';
import stringWidth from 'string-width';
import { cutTo, paddedTo } from './textWidth';

/** The rows of a dry run that a person sees, and the failed rows that a summary explains, at most. */
const mostRows = 100;
const mostExplained = 10;
const widest = 40;

interface PlanWords {
  readonly axes: readonly BatchAxis[];
  /** Rows that are still to run, if the batch was started before. */
  readonly left: number | undefined;
  readonly partners: readonly PartnerPrice[];
  readonly time: BatchTime | undefined;
  readonly servers: readonly string[];
  readonly texts: readonly TextFile[];
}

export class BatchReport extends CommandReport<BatchEvent> {
  readonly #servers = new Map<string, string>();

  plan({ axes, left, partners, time, servers, texts }: PlanWords): void {
    const rows = countBatchRows(axes);
    this.emit({
      event: 'plan',
      rows,
      left,
      servers,
      textFiles: texts.map(({ description }) => description),
      axes: axes.map(({ columns, steps }) => ({ inputs: columns.map(inputName), steps: steps.length })),
      estimatedSeconds: time?.kind === 'time' ? Math.round(time.ms / 1000) : undefined,
      partners,
    });
    const counts = axes.map(
      ({ columns, steps }) => `${plainTerminalLine(columns.map(columnName).join(', '))}: ${steps.length}`,
    );
    const toRun = left === undefined ? '' : t`Left to run: ${left}.`;
    this.say(
      sentencesText(
        plural(rows, t`1 row.`, t`${rows} rows.`),
        toRun,
        counts.length > 1 ? listText(counts) : '',
      ),
    );
    this.say(t`Servers: ${plainTerminalLine(listText(servers))}.`);
    if (texts.length > 0) this.say(t`Values come from these files:`);
    for (const each of texts) this.sayFile(each);
    if (time) this.say(plainTerminalLine(timeWords(time)));
    for (const each of partners) this.say(plainTerminalLine(partnerWords(each)));
  }

  table(axes: readonly BatchAxis[]): void {
    const count = countBatchRows(axes);
    if (this.json) {
      for (let row = 0; row < count; row++)
        this.emit({ event: 'values', row: row + 1, values: valuesOf(axes, row) });
      return;
    }
    const columns = axes.flatMap((axis) => axis.columns);
    const rows = Array.from({ length: Math.min(count, mostRows) }, (_, row) => [
      String(row + 1),
      ...batchRowValues(axes, row).map(({ text }) => plainTerminalLine(valueShown(text))),
    ]);
    this.print(tableText([['', ...columns.map((each) => plainTerminalLine(columnName(each)))], ...rows]));
    if (count > mostRows) this.say(t`${count - mostRows} more rows are not listed.`);
  }

  refusedStep({ axis, step, row, refusal: { message, nextAction } }: RefusedStep): void {
    const value = `${axisName(axis)} = ${stepText(axis, step)}`;
    this.trouble({ message: t`${value} (row ${row + 1}): ${message}`, nextAction });
  }

  row(row: BatchRow, counts: () => BatchCounts): void {
    const { index, state, server, job, record, message } = row;
    const failure = row.failure && failureFields(row.failure);
    const credits = rowCredits([row]);
    this.emit({ event: 'row', row: index + 1, state, server, job, record, message, credits, failure });
    if (state === 'waiting') return;
    const words = countWords(counts());
    if (state === 'queued' || state === 'running') this.display.passing(words);
    else if (state === 'saved') this.say(t`Row ${index + 1} saved. ${words}`);
    else this.say(t`Row ${index + 1}: ${plainTerminalLine(message ?? rowStateWords[state])}`);
    if (failure) this.sayTraceback(failure);
  }

  saved(job: string, outputs: readonly SavedOutput[]): void {
    for (const { file, location, bytes, sha256 } of outputs) {
      this.emit({ event: 'saved', path: location, bytes, sha256, nodeId: file.nodeId, job });
      this.print(location);
    }
  }

  server(server: string, state: ServerStanding, message: string): void {
    if (this.#servers.get(server) === state) return;
    this.#servers.set(server, state);
    this.emit({ event: 'server', server, state, message });
    const name = plainTerminalLine(server);
    if (state === 'ready') this.say(t`${name} is back.`);
    else if (state === 'silent')
      this.say(
        t`${name}: ${endSentence(plainTerminalLine(message))} Waiting for the server. Its jobs may still be running.`,
      );
    else if (state === 'away') this.say(t`Not using ${name} for now: ${plainTerminalLine(message)}`);
    else this.say(t`No longer using ${name}: ${plainTerminalLine(message)}`);
  }

  summary(batch: string, rows: readonly BatchRow[], command: string | undefined): void {
    const counts = countRows(rows);
    const credits = rowCredits(rows);
    this.emit({ event: 'summary', batch, counts, credits, command });
    const table = Object.entries(counts).flatMap(([state, count]) =>
      count === 0 ? [] : [[rowStateWords[state as keyof BatchCounts], String(count)]],
    );
    this.say(tableText(table));
    const unsaved = rows.filter(({ state, message }) => state !== 'saved' && message !== undefined);
    for (const { index, message = '' } of unsaved.slice(0, mostExplained))
      this.say(t`Row ${index + 1}: ${plainTerminalLine(message)}`);
    if (credits !== undefined) this.say(t`Cost: ${creditsText(credits)}`);
    if (command !== undefined) this.sayHowToResume(command);
  }

  sayHowToResume(command: string): void {
    this.say(t`To resume:`);
    this.say(`  ${command}`);
  }
}

export const rowStateWords: Readonly<Record<keyof BatchCounts, string>> = {
  waiting: t`not run`,
  queued: t`queued`,
  running: t`running`,
  owed: t`on a server, not saved`,
  saved: t`saved`,
  failed: t`failed`,
  refused: t`rejected`,
  cancelled: t`cancelled`,
};

function countWords(counts: BatchCounts): string {
  const { saved, running, queued } = counts;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return listText([
    t`${saved} of ${all} saved`,
    t`${running} running`,
    queued > 0 ? t`${queued} queued` : '',
  ]);
}

function valuesOf(axes: readonly BatchAxis[], row: number): Record<string, string> {
  return Object.fromEntries(batchRowValues(axes, row).map(({ column, text }) => [inputName(column), text]));
}

function tableText(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const cells of rows) {
    for (const [index, cell] of cells.entries())
      widths[index] = Math.max(widths[index] ?? 0, Math.min(widest, stringWidth(cell)));
  }
  const lines = rows.map((cells) =>
    cells
      .map((cell, index) => paddedTo(cutTo(cell, widest), widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}
