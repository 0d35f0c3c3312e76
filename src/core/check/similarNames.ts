import { sharedLength } from '../json/textEdit';
import { budgets } from '../safety/budgets';

const mostProposals = 3;

/** Returns the names most similar to a text, or none if the time for it is used up. */
export type SimilarNames = (text: string, names: Iterable<string>) => string[];

/** Node types by their other names, in the server's order; read once for all nodes of a prompt. */
export type AliasSource = () => ReadonlyMap<string, readonly string[]>;

interface Effort {
  left: number;
}

/**
 * Suggestions for one file: if it has so many wrong names that comparing would take seconds, the later ones get none.
 */
export function boundedSimilarNames(): SimilarNames {
  const effort: Effort = { left: budgets.comparedLetters };
  return (text, names) => (effort.left > 0 ? similarNames(text, names, effort) : []);
}

/**
 * The names most like a text, best first: those that differ only in case, blanks and punctuation, then those within a
 * few letters (edit distance with swapped neighbours). Linear in the number of names; long texts are not compared.
 */
export function similarNames(
  text: string,
  names: Iterable<string>,
  effort: Effort = { left: Infinity },
): string[] {
  if (text.length > longestCompared * 2) return [];
  const wanted = bare(text);
  const limit = Math.min(4, Math.floor(wanted.length / 4));
  const slack = text.length - wanted.length + limit + longestMark;
  const found: { name: string; distance: number }[] = [];
  if (wanted.length > longestCompared) return [];
  for (const name of names) {
    if (--effort.left < 0) return [];
    if (Math.abs(name.length - text.length) > slack) continue;
    const other = bare(name);
    if (Math.abs(other.length - wanted.length) > limit) continue;
    effort.left -= effortOfName + wanted.length;
    const distance = editDistance(wanted, other, limit);
    if (distance <= limit && (distance > 0 || wanted !== '')) found.push({ name, distance });
  }
  found.sort((a, b) => a.distance - b.distance || sharedLength(b.name, text) - sharedLength(a.name, text));
  return found.slice(0, mostProposals).map(({ name }) => name);
}

const effortOfName = 20;

const longestCompared = 200;

/** Whether two names differ by so little that one is a typo, and not the name of something else. */
export function isSlip(text: string, name: string): boolean {
  const [wanted, other] = [bare(text), bare(name)];
  return wanted.length <= longestCompared && editDistance(wanted, other, 2) <= 2;
}

const longestMark = 4;

/** A name without case, spaces, and punctuation. Names of only symbols stay unchanged. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || name.trim().toLowerCase();
}

/** Computes only the band of the table that can contain a distance within the limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  if (limit === 0) return 1;
  const beyond = limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const [from, to] = [Math.max(1, i - limit), Math.min(b.length, i + limit)];
    const row: number[] = [];
    row[from - 1] = from === 1 ? i : beyond;
    let best = beyond;
    for (let j = from; j <= to; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(
        (last[j] ?? beyond) + 1,
        (row[j - 1] ?? beyond) + 1,
        (last[j - 1] ?? beyond) + cost,
      );
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) value = Math.min(value, (before[j - 2] ?? beyond) + 1);
      row[j] = value;
      best = Math.min(best, value);
    }
    if (best > limit) return best;
    before = last;
    last = row;
  }
  return last[b.length] ?? beyond;
}
