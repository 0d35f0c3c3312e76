/**
 * The text of a JSON file without its byte order mark, so that columns count as in an editor. Reads UTF-8 and UTF-16:
 * Windows PowerShell writes UTF-16 when output is redirected to a file. Without a mark, the zero byte next to the first
 * character, which is ASCII in JSON, reveals the byte order.
 */
export function textOfBytes(bytes: Uint8Array): string {
  // Drops a mark at the start by itself.
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** The bytes are no Unicode text. */
export class NotUnicode extends Error {
  override readonly name = 'NotUnicode';
  /** @param encoding the likely one; undefined if it isn't text at all */
  constructor(readonly encoding: string | undefined) {
    super(encoding ?? 'not a text');
  }
}

/** Reads a file that is sent: what can't be read throws {@link NotUnicode}, and must not become U+FFFD. */
export function decodeSentText(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    throw new NotUnicode(likelyEncoding(bytes));
  }
}

/** How much of a text tells its encoding, from the first letter that is not ASCII. */
const sampleSize = 65_536;

/**
 * A guess that needs no tables. Most characters of GBK and EUC-KR are pairs of high bytes, with common Chinese
 * characters from B0 to D7 and all of Hangul from B0 to C8; Kana fill two rows of Shift JIS. In Latin-1, letters with
 * accents stand alone, or their pairs start higher.
 */
function likelyEncoding(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  const start = bytes.findIndex((byte) => byte >= 0x80);
  const sample = bytes.subarray(start, start + sampleSize);
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString('latin1');
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const letters = count(/[\x80-\xff]/g) / 2;
  if (count(/\x82[\x9f-\xf1]|\x83[@-\x96]/g) > letters / 5) return 'Shift_JIS';
  const pairs = count(/[\x80-\xff]{2}/g);
  if (pairs < letters * 0.9 || count(/[\xb0-\xd7][\x80-\xff]/g) < pairs / 2) return 'Latin-1';
  const isKorean = pairs >= 8 && count(/[\xb0-\xc8][\xa1-\xfe]/g) > pairs * 0.9;
  return isKorean ? 'EUC-KR' : 'GBK';
}

/** A text with the line ends of the one that it replaces: files of Windows keep theirs. */
export function keepLineEnds(old: string | undefined, text: string): string {
  return old !== undefined && /\r\n/.test(old) ? text.replace(/\r?\n/g, '\r\n') : text;
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === undefined || second === undefined) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
}
