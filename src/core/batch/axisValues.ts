import { budgets } from '../safety/budgets';
import { listText, numberText, t } from '../safety/localize';
import { BatchProblem } from './batchProblem';
import { parseDecimal, decimalText, scaledUnits } from '../json/decimal';
import { parseJson } from '../json/tree';
import { sourceTextIn } from '../json/textEdit';

export function filledLines(text: string): string[] {
  return filled(withoutMark(text).matchAll(/[^\n\r]+/g), 0);
}

/** The values that aren't blank, up to one more than a batch may have, because a file may have millions. */
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

export function csvColumns(text: string): string[] {
  return headerOf(csvRows(withoutMark(text)));
}

function headerOf(rows: Generator<readonly string[], undefined>): string[] {
  const [first = []] = [rows.next().value];
  return first.map((name) => name.trim());
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

/**
 * The numbers from one limit to the other, in steps, as JSON texts: 0.1 to 0.3 by 0.1 ends with 0.3. All have as many
 * decimals as the most precise of the three; integers of any size stay exact. A range may count down.
 * @param step default 1, or -1 if `to` is smaller; its sign does not matter
 * @throws BatchProblem for a step of zero, what is no number, or more than `most` numbers
 */
export function decimalRange(from: string, to: string, step: string | undefined, most: number): string[] {
  const [first, last, by] = [from, to, step ?? '1'].map(parseDecimal);
  if (!first || !last || !by) {
    throw new BatchProblem(
      t`Enter a range as from..to or from..to..step.`,
      t`For example, 6..8 or 6..8..0.5.`,
    );
  }
  if (by.units === 0n) {
    throw new BatchProblem(t`The step of a range can't be zero.`, t`Enter another step, or leave it out.`);
  }
  const digits = Math.max(first.digits, last.digits, by.digits);
  const [start, end, size] = [
    scaledUnits(first, digits),
    scaledUnits(last, digits),
    absolute(scaledUnits(by, digits)),
  ];
  const direction = end < start ? -1n : 1n;
  const count = absolute(end - start) / size + 1n;
  if (count > BigInt(most)) {
    throw new BatchProblem(t`This input has more than ${numberText(most)} values.`, t`Use a larger step.`);
  }
  return Array.from({ length: Number(count) }, (_, index) =>
    decimalText({ units: start + direction * size * BigInt(index), digits }),
  );
}

export function isIntegerText(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)$/.test(text);
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function listTexts(text: string): string[] | undefined {
  const { root, problems } = parseJson(text);
  if (root?.kind !== 'array' || problems.length > 0) return undefined;
  return root.items.map((item) => sourceTextIn(text, item));
}
