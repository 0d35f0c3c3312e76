import { budgets } from '../../safety/budgets';
import { inflateSync } from 'node:zlib';
import { bigEndian, type FileBytes, latin, type Reading, utf8 } from './byteRanges';
import type { FoundTexts } from './embedded';

const headerSize = 8;
const textChunks = new Set(['tEXt', 'iTXt', 'zTXt', 'comf']);

/**
 * The text chunks of a PNG picture; animated ones have theirs in chunks of the server's own type after the pixels.
 */
export function* readPng(file: FileBytes, found: FoundTexts): Reading<void> {
  let offset = 8;
  for (let parts = 0; parts < budgets.fileParts && !found.isComplete; parts++) {
    const header = yield* file.at(offset, headerSize);
    if (header.length < headerSize) return;
    const length = bigEndian(header, 0, 4);
    const type = latin(header, 4, 8);
    if (type === 'IEND') return;
    if (textChunks.has(type)) {
      // The keyword tells whether the text is worth reading and, above all, inflating.
      const start = yield* file.at(offset + headerSize, Math.min(length, longestKeyword + 1));
      if (found.wants(keywordOf(start)) && found.takes(length)) {
        readText(type, yield* file.at(offset + headerSize, length), found);
      }
    }
    offset += headerSize + length + 4;
  }
}

/** In bytes, as specified by the format. */
const longestKeyword = 79;

function keywordOf(chunk: Uint8Array): string {
  const end = chunk.indexOf(0);
  return end < 0 ? '' : latin(chunk, 0, end);
}

/** A keyword, a zero, and the text in the form of its chunk. */
function readText(type: string, chunk: Uint8Array, found: FoundTexts): void {
  const keyEnd = chunk.indexOf(0);
  if (keyEnd < 0) return;
  const name = latin(chunk, 0, keyEnd);
  const rest = chunk.subarray(keyEnd + 1);
  if (type === 'tEXt' || type === 'comf') found.tag(name, utf8(rest));
  else if (type === 'zTXt') found.tag(name, inflated(rest.subarray(1), found));
  else {
    const languageEnd = rest.indexOf(0, 2);
    const keywordEnd = rest.indexOf(0, languageEnd + 1);
    if (languageEnd < 0 || keywordEnd < 0) return;
    const text = rest.subarray(keywordEnd + 1);
    found.tag(name, rest[0] === 1 ? inflated(text, found) : utf8(text));
  }
}

/** Empty if the data is broken or would become too large. */
function inflated(data: Uint8Array, found: FoundTexts): string {
  const most = found.left;
  try {
    const text = inflateSync(data, { maxOutputLength: Math.max(1, most) });
    return found.takes(text.length) ? utf8(text) : '';
  } catch (error) {
    // If it became too large, it was inflated up to the limit.
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE')) found.takes(most);
    return '';
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
