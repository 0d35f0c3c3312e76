import { type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import type { Meaning, MeantNode } from './meaning';

/** Text to be compared line by line: nodes by ID, one value a line. The same meaning gives the same text. */
export function normalForm(meaning: Meaning): string {
  const nodes = [...meaning.values()].sort((a, b) => compareIds(a.id, b.id));
  return nodes.map(nodeText).join('\n');
}

function nodeText({ id, type, kind, title, mode, values, links }: MeantNode): string {
  const shown = title === undefined || title === type ? '' : ` ${JSON.stringify(title)}`;
  const state = mode === 'always' ? '' : ` (${mode})`;
  const lines = new Map<string, string>();
  for (const [name, { value }] of values) lines.set(name, writeExact(alike(value)));
  for (const [name, [source, slot]] of links) lines.set(name, `${oneLine(source)}.${slot}`);
  const inputs = [...lines].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `${oneLine(id)}: ${oneLine(kind)}${shown}${state}\n`,
    ...inputs.map(([name, text]) => `  ${oneLine(name)} ${links.has(name) ? '←' : '='} ${text}\n`),
  ].join('');
}

/** One text for numbers of the same value, such as 3 and 3.0, because a page saves either. */
function alike(value: ExactValue): ExactValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (isExactList(value)) return value.map(alike);
  return isExactObject(value) ? new Map(Array.from(value, ([name, each]) => [name, alike(each)])) : value;
}

/** A name with a line break would look like lines of its own. */
function oneLine(name: string): string {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? JSON.stringify(name) : name;
}

/** Part by part: 2, 10, 10:3, 10:12. */
function compareIds(one: string, other: string): number {
  const [left, right] = [one.split(':'), other.split(':')];
  for (const [index, part] of left.entries()) {
    const against = right[index];
    if (against === undefined) return 1;
    const difference = Number(part) - Number(against) || (part < against ? -1 : part > against ? 1 : 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
