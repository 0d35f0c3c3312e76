import { listText, t } from '../safety/localize';
import { BatchProblem } from './batchProblem';

/** The lines of a text file that are not blank, without the blanks around them. */
export function linesOf(text: string): string[] {
  return withoutMark(text)
    .split(/\r\n|[\n\r]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * One column of a CSV file, by the name in its first row: fields are separated by commas, and may be quoted as in RFC
 * 4180. Empty fields are left out.
 * @throws BatchProblem if there is no such column
 */
export function csvColumn(text: string, column: string): string[] {
  const [header = [], ...rows] = csvRows(withoutMark(text));
  const names = trimmed(header);
  const index = names.indexOf(column);
  if (index < 0) {
    throw new BatchProblem(
      t`The CSV file has no column ${JSON.stringify(column)}.`,
      names.some((name) => name !== '')
        ? t`Its columns are ${listText(names.slice(0, 20))}.`
        : t`Write the names of the columns in its first row.`,
    );
  }
  return rows.map((row) => (row[index] ?? '').trim()).filter((field) => field !== '');
}

/** The names of the columns of a CSV file. */
export function csvColumns(text: string): string[] {
  const [header = []] = csvRows(withoutMark(text));
  return trimmed(header);
}

function trimmed(names: readonly string[]): string[] {
  return names.map((name) => name.trim());
}

function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { field, end } = text.charAt(at) === '"' ? quotedField(text, at + 1) : plainField(text, at);
    row.push(field);
    at = end;
    if (text.charAt(at) === ',') {
      at++;
      if (at === text.length) row.push('');
      continue;
    }
    rows.push(row);
    row = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** To the next comma or the end of the line. */
function plainField(text: string, start: number): { field: string; end: number } {
  let end = start;
  while (end < text.length && !',\n\r'.includes(text.charAt(end))) end++;
  return { field: text.slice(start, end), end };
}

/** A quote inside is doubled; what follows the closing quote belongs to the field. */
function quotedField(text: string, start: number): { field: string; end: number } {
  let field = '';
  let at = start;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { field: field + text.slice(at), end: text.length };
    field += text.slice(at, quote);
    if (text.charAt(quote + 1) !== '"') {
      const rest = plainField(text, quote + 1);
      return { field: field + rest.field, end: rest.end };
    }
    field += '"';
    at = quote + 2;
  }
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
