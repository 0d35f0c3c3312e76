import type { OutputFile } from '../protocol/outputFile';
import { withoutEnd } from '../safety/ends';
import { executableEndings } from './executableEndings';

/** What stands behind the name of a file that a desktop would run: every desktop opens it as text. */
const neutral = '.txt';

/**
 * The name, with `.txt` behind it where a desktop would run the file: a stranger's output must not become a program by
 * a double click. The name itself stays readable. Everything else keeps its ending, pages and drawings too.
 * @param name a single safe segment
 */
export function neutralName(name: string): string {
  return isExecutable(name) ? name + neutral : name;
}

/** Outputs that are saved under an ending that is not their own. */
export function neutralised<T extends { readonly file: OutputFile; readonly name: string }>(
  saved: readonly T[],
): readonly T[] {
  return saved.filter(({ name }) => name.endsWith(neutral) && isExecutable(name.slice(0, -neutral.length)));
}

/** By the ending that a system would see, however it is written. */
function isExecutable(name: string): boolean {
  // Full-width letters and dots: a system that converts names makes plain ones of them.
  const shown = name.normalize('NFKC').toLowerCase();
  const plain = withoutEnd(shown.replace(/[^\p{L}\p{N}\p{P}\p{S}]/gu, ''), '. ');
  // Streams and their type behind a colon, which has become `_`: `a.exe::$DATA`.
  const stream = plain.endsWith('_$data') ? plain.indexOf('_', plain.lastIndexOf('.') + 1) : plain.length;
  const ending = /\.([^.]*)$/.exec(plain.slice(0, stream))?.[1] ?? '';
  return executableEndings.has(ending);
}
