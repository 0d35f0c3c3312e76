import { forbiddenInNames, isDeviceName, unusableName } from '../safety/paths';
import { blankLetters, withoutEnd, withoutStart } from '../safety/ends';

/** UTF-8 bytes: below the 255 of common file systems, with room for ` (12)` and a temporary extension. */
const longestName = 200;
const longestExtension = 16;

/** Characters that are not seen and change how a name reads: bidirectional marks, zero-width ones, blank letters. */
const invisible = /\u034F|[\p{Cf}\u115F\u1160\u2028\u2029\u2800\u3164\uFFA0\uFFF0-\uFFFF]/gu;

/**
 * One path segment that every common file system accepts and that stays inside its folder, whatever name a server sent.
 * Only the last part of a path is kept. Never empty: if nothing is left, it is `fallback`, and if that leaves nothing
 * either, `output`.
 */
export function safeFileName(name: string, fallback: string): string {
  return segmentOf(name) ?? segmentOf(fallback) ?? 'output';
}

/** Splits at the last dot; the extension carries its dot and is empty for `name` and `.name`. */
export function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return { stem: name, extension: '' };
  return { stem: name.slice(0, dot), extension: name.slice(dot) };
}

/** The name may be used below a folder unchanged: no path, no device, nothing that a system would change. */
export function isSafeSegment(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\\]/.test(name)) return false;
  return !/^[A-Za-z]:/.test(name) && unusableName(name) === undefined && utf8Length(name) <= 255;
}

function segmentOf(name: string): string | undefined {
  const last = name
    .normalize('NFC')
    .split(/[/\\]/)
    .findLast((part) => !/^[.\s]*$/.test(part));
  if (last === undefined) return undefined;
  const plain = last.replace(invisible, '').replace(forbiddenInNames, '_');
  const cleaned = withoutStart(withoutEnd(plain, `.${blankLetters}`), `.${blankLetters}`);
  if (cleaned === '') return undefined;
  const shortened = shorten(cleaned);
  return isDeviceName(shortened) ? `_${shortened}` : shortened;
}

/** Cuts the stem, keeps the extension: a picture that lost `.png` opens in nothing. */
function shorten(name: string): string {
  if (utf8Length(name) <= longestName) return name;
  const { stem, extension } = splitExtension(name);
  const ending = utf8Length(extension) <= longestExtension ? extension : '';
  const room = longestName - utf8Length(ending);
  let cut = '';
  let used = 0;
  for (const character of ending === '' ? name : stem) {
    used += utf8Length(character);
    if (used > room) break;
    cut += character;
  }
  return withoutEnd(cut, `.${blankLetters}`) + ending;
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
