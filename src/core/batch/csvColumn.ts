import { budgets } from '../safety/budgets';
import { listText, numberText, t } from '../safety/localize';
import { BatchProblem } from './batchProblem';

/** The lines of a text file that are not blank, without the blanks around them. */
export function linesOf(text: string): string[] {
  return filled(withoutMark(text).matchAll(/[^\n\r]+/g), 0);
}

/** What is not blank, up to one more than a batch may have: a file may have millions. */
function filled(rows: Iterable<readonly string[]>, column: number): string[] {
  const found: string[] = [];
  for (const { [column]: text = '' } of rows) {
    const trimmed = text.trim();
    if (trimmed !== '' && found.push(trimmed) > budgets.batchRows) break;
  }
  return found;
}

/**
 * One column of a CSV file, by the name in its first row: fields are separated by commas, and may be quoted as in RFC
 * 4180. Empty fields are left out.
 * @throws BatchProblem if there is no such column
 */
export function csvColumn(text: string, column: string): string[] {
  const rows = csvRows(withoutMark(text));
  const names = headerOf(rows);
  const index = names.indexOf(column);
  if (index < 0) {
    throw new BatchProblem(
      t`The CSV file has no column ${JSON.stringify(column)}.`,
      names.some((name) => name !== '')
        ? t`Available columns: ${listText(names.slice(0, 20))}.`
        : t`Put the column names in the first row.`,
    );
  }
  return filled(rows, index);
}

/** The names of the columns of a CSV file. */
export function csvColumns(text: string): string[] {
  return headerOf(csvRows(withoutMark(text)));
}

function headerOf(rows: Generator<readonly string[], undefined>): string[] {
  return (rows.next().value ?? []).map((name) => name.trim());
}

function* csvRows(text: string): Generator<readonly string[], undefined> {
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { field, end } = text.charAt(at) === '"' ? quotedField(text, at + 1) : plainField(text, at);
    if (row.push(field) > budgets.csvColumns) throw tooWide();
    at = end;
    if (text.charAt(at) === ',') {
      at++;
      if (at === text.length) row.push('');
      continue;
    }
    yield row;
    row = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  if (row.length > 0) yield row;
  return undefined;
}

function tooWide(): BatchProblem {
  return new BatchProblem(
    t`The CSV file has more than ${numberText(budgets.csvColumns)} columns.`,
    t`Use a smaller file.`,
  );
}

/** To the next comma or the end of the line. */
function plainField(text: string, start: number): { field: string; end: number } {
  let end = start;
  while (end < text.length && !',\n\r'.includes(text.charAt(end))) end++;
  return { field: text.slice(start, end), end };
}

/** A quote inside is doubled; what follows the closing quote belongs to the field. */
function quotedField(text: string, start: number): { field: string; end: number } {
  let quote = text.indexOf('"', start);
  while (quote >= 0 && text.charAt(quote + 1) === '"') quote = text.indexOf('"', quote + 2);
  const inside = text.slice(start, quote < 0 ? text.length : quote).replaceAll('""', '"');
  if (quote < 0) return { field: inside, end: text.length };
  const rest = plainField(text, quote + 1);
  return { field: inside + rest.field, end: rest.end };
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
