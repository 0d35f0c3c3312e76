import type { SecretForm } from './secretForms';
import { urlSafe } from './secretForms';
import type { PlainText } from './undoEscapes';
import { original, placeOf, undoEscapes } from './undoEscapes';

/** A stretch of a text, `end` behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** So much of a form makes a hit; the rest is compared from there. It bounds the automaton. */
const triggerLength = 24;
/** Letters and digits farther apart than this don't belong together. */
const widestGap = 40;
/** Rounds of escapes that are undone: JSON in JSON in a URL, and one to spare. */
const rounds = 4;

/** A power of two above the length of a trigger. */
const ringSize = 32;
const symbols = 36;
const gap = 254;
const quote = 255;
const none = 0;

/** Character code -> symbol of a letter or digit; everything else is a gap. */
const symbolOf = new Uint8Array(128).fill(gap);
for (let digit = 0; digit < 10; digit++) symbolOf[0x30 + digit] = digit;
for (let letter = 0; letter < 26; letter++) {
  symbolOf[0x41 + letter] = 10 + letter;
  symbolOf[0x61 + letter] = 10 + letter;
}
symbolOf[0x22] = quote;

/** Forms with the same start: a hit may be any of them. */
interface Trigger {
  readonly word: string;
  readonly forms: SecretForm[];
}

/** The last hit of a trigger: one that starts inside belongs to it. `at` is an offset in the text of the round. */
interface Found {
  at: number;
  span: Span;
}

/**
 * Finds forms of secrets in a text, all of them at once (Aho and Corasick), in one pass per round of escapes: the time
 * grows with the text and not with the number of secrets.
 */
export class SecretSearch {
  readonly #triggers: readonly Trigger[];
  readonly #next: Int32Array;
  /** Positions of the last letters and digits of the searched text. */
  readonly #places = new Int32Array(ringSize);
  /** State -> indices of the triggers that end there. */
  readonly #hits: readonly (readonly number[])[];

  constructor(forms: readonly SecretForm[]) {
    const triggers = new Map<string, Trigger>();
    for (const form of forms) {
      const word = form.folded.slice(0, triggerLength);
      const known = triggers.get(word);
      if (known) known.forms.push(form);
      else triggers.set(word, { word, forms: [form] });
    }
    this.#triggers = [...triggers.values()];
    const automaton = build([...triggers.keys()]);
    this.#next = automaton.next;
    this.#hits = automaton.hits;
  }

  /** Where the text quotes a secret, in no particular order; ranges may overlap. */
  find(text: string): Span[] {
    const found: Span[] = [];
    if (this.#triggers.length === 0) return found;
    let plain: PlainText | undefined = original(text);
    for (let round = 0; plain && round <= rounds; round++) {
      for (const { span } of this.#scan(plain)) found.push(span);
      plain = undoEscapes(plain);
    }
    return found;
  }

  #scan(plain: PlainText): Found[] {
    const { text, at: escapes } = plain;
    /** How many escapes were undone before this place. */
    let undone = 0;
    const next = this.#next;
    const hits = this.#hits;
    const all: Found[] = [];
    const last = new Map<number, Found>();
    const places = this.#places;
    let count = 0;
    let state = none;
    let gapLength = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const symbol = code < 128 ? (symbolOf[code] ?? gap) : gap;
      if (symbol < symbols) {
        places[count++ & (ringSize - 1)] = at;
        state = next[state * symbols + symbol] ?? none;
        gapLength = 0;
        const here = hits[state];
        if (here === undefined) continue;
        for (const index of here) {
          const { word } = this.#triggers[index] as Trigger;
          const first = places[(count - word.length) & (ringSize - 1)] ?? 0;
          const before = last.get(index);
          if (before && first < before.at) {
            if (at < before.at) continue;
            before.at = at + 1;
            before.span = { start: before.span.start, end: spanOf(plain, at, at + 1).end };
            continue;
          }
          const found = this.#hit(index, plain, first, at);
          if (!found) continue;
          last.set(index, found);
          all.push(found);
        }
      } else if (symbol === quote) {
        while ((escapes[undone] ?? at) < at) undone++;
        // The quotation mark that ends a JSON string is not part of a secret; an escaped one may be.
        if (escapes[undone] !== at && text[at - 1] !== '\\') state = none;
      } else if (++gapLength > widestGap) state = none;
    }
    return all;
  }

  #hit(index: number, plain: PlainText, first: number, at: number): Found | undefined {
    const { word, forms } = this.#triggers[index] as Trigger;
    const { text } = plain;
    let best: { readonly end: number; readonly margin: number } | undefined;
    for (const form of forms) {
      const last = lastOf(text, at, form.folded, word.length);
      if (!form.isLoose && !isExactly(text.slice(first, last + 1), form)) continue;
      if (best === undefined || last + 1 > best.end) best = { end: last + 1, margin: form.margin };
    }
    if (!best) return undefined;
    const start = before(text, first, best.margin);
    return { at: best.end, span: spanOf(plain, start, behind(text, best.end, best.margin)) };
  }
}

/**
 * How far the text matches the form, of which `done` letters and digits have been found up to `at`. A quotation that
 * breaks off reveals as much as a complete one.
 */
function lastOf(text: string, at: number, folded: string, done: number): number {
  let last = at;
  for (let index = at + 1, count = done; count < folded.length && index - last <= widestGap; index++) {
    const code = text.charCodeAt(index);
    const symbol = code < 128 ? (symbolOf[code] ?? gap) : gap;
    if (symbol === quote) break;
    if (symbol >= symbols) continue;
    if (symbol !== symbolOf[folded.charCodeAt(count)]) break;
    last = index;
    count++;
  }
  return last;
}

function isExactly(text: string, { exact, margin }: SecretForm): boolean {
  const found = text.toLowerCase();
  if (margin > 0) return urlSafe(found) === urlSafe(exact);
  // In the query of an address a space is a plus sign.
  return found === exact || found.replaceAll('+', ' ') === exact;
}

function isBase64(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\w+/-]/.test(text.charAt(at));
}

/** At most so many more characters of base64. */
function before(text: string, first: number, margin: number): number {
  let at = first;
  while (at > first - margin && isBase64(text, at - 1)) at--;
  return at;
}

/** The same behind, with the padding. */
function behind(text: string, end: number, margin: number): number {
  if (margin === 0) return end;
  let at = end;
  while (at < end + margin && isBase64(text, at)) at++;
  for (const most = at + 2; text[at] === '=' && at < most;) at++;
  return at;
}

function spanOf(plain: PlainText, first: number, end: number): Span {
  return { start: placeOf(plain, first).start, end: placeOf(plain, end - 1).end };
}

function build(words: readonly string[]): {
  readonly next: Int32Array;
  readonly hits: readonly (readonly number[])[];
} {
  const size = 1 + words.reduce((sum, word) => sum + word.length, 0);
  const next = new Int32Array(size * symbols);
  const fallback = new Int32Array(size);
  const hits: number[][] = [];
  let states = 1;
  words.forEach((word, index) => {
    let state = none;
    for (let at = 0; at < word.length; at++) {
      const edge = state * symbols + (symbolOf[word.charCodeAt(at)] ?? 0);
      if (next[edge] === none) next[edge] = states++;
      state = next[edge] ?? none;
    }
    (hits[state] ??= []).push(index);
  });
  const queue: number[] = [none];
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? none;
    const shorter = fallback[state] ?? none;
    if (state !== none && hits[shorter] !== undefined) (hits[state] ??= []).push(...hits[shorter]);
    for (let symbol = 0; symbol < symbols; symbol++) {
      const edge = state * symbols + symbol;
      const child = next[edge] ?? none;
      const detour = state === none ? none : (next[shorter * symbols + symbol] ?? none);
      if (child === none) next[edge] = detour;
      else {
        fallback[child] = detour;
        queue.push(child);
      }
    }
  }
  return { next, hits };
}
