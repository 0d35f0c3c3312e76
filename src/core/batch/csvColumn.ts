import { budgets } from '../safety/budgets';
import { listText, t } from '../safety/localize';
import { BatchProblem } from './batchProblem';

/** The lines of a text file that are not blank, without the blanks around them. */
export function linesOf(text: string): string[] {
  return filled(linesIn(withoutMark(text)));
}

function* linesIn(text: string): Generator<string> {
  for (const [line] of text.matchAll(/[^\n\r]+/g)) yield line;
}

/** What is not blank, up to one more than a batch may have: a file may have millions. */
function filled(texts: Iterable<string>): string[] {
  const found: string[] = [];
  for (const text of texts) {
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
        ? t`Its columns are ${listText(names.slice(0, 20))}.`
        : t`Write the names of the columns in its first row.`,
    );
  }
  return filled(fieldsOf(rows, index));
}

function* fieldsOf(rows: Iterable<readonly string[]>, index: number): Generator<string> {
  for (const row of rows) yield row[index] ?? '';
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
    row.push(field);
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
