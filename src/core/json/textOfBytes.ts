/**
 * The text of a JSON file without its byte order mark, so that columns count as in an editor. Reads UTF-8 and UTF-16:
 * Windows PowerShell writes UTF-16 when output is redirected to a file. Without a mark, the zero byte next to the first
 * character, which is ASCII in JSON, reveals the byte order.
 */
export function textOfBytes(bytes: Uint8Array): string {
  // Drops a mark at the start by itself.
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** A text with the line ends of the one that it replaces: files of Windows keep theirs. */
export function withLineEndsOf(old: string | undefined, text: string): string {
  return old !== undefined && /\r\n/.test(old) ? text.replace(/\r?\n/g, '\r\n') : text;
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === undefined || second === undefined) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
}
