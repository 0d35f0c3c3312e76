import { plainText } from '../safety/plainText';
import { sizeText } from '../safety/sizeText';
import { t } from '../safety/localize';
import { pictureDistance } from './pictureDistance';
import { type Pixels, pngChunks } from './pngPixels';
import { budgets } from '../safety/budgets';

export interface OutputComparison {
  /** `close`: not the same, but within the threshold. */
  readonly verdict: 'same' | 'close' | 'different';
  /** The distance of two images of the same size: see `pictureDistance`. */
  readonly distance?: number | undefined;
  readonly share?: number | undefined;
  /** A sentence, if they aren't identical byte by byte. */
  readonly message?: string | undefined;
  /** The two pictures, if they can be shown next to each other. */
  readonly pictures?: readonly [expected: Pixels, actual: Pixels] | undefined;
}

const textExtensions: ReadonlySet<string> = new Set(['.txt', '.json', '.csv', '.md']);
const pictureExtensions: ReadonlySet<string> = new Set(['.jpg', '.jpeg', '.webp', '.gif', '.avif', '.png']);

/**
 * Compares an output with the kept one by what it contains: pixels, samples, otherwise bytes.
 * @param threshold the largest distance of two pictures that passes; undefined: their pixels must be equal
 * @param pixelsOf decodes a PNG
 */
export function compareOutput(
  { extension, ...pair }: { extension: string; expected: Uint8Array; actual: Uint8Array },
  threshold: number | undefined,
  pixelsOf: (bytes: Uint8Array) => Pixels | undefined,
): OutputComparison {
  const { expected, actual } = pair;
  if (Buffer.compare(expected, actual) === 0) return { verdict: 'same' };
  if (extension === '.png') {
    const [one, other] = [pixelsOf(expected), pixelsOf(actual)];
    if (one && other) return comparePictures(one, other, threshold);
  }
  if (sameContent(expected, actual)) return { verdict: 'same', message: onlyTexts() };
  return { verdict: 'different', message: differenceWords(extension, expected, actual) };
}

/** Compares files that are too large by their sizes. */
export function differentSizes(expected: number, actual: number): string {
  return t`The files differ (${sizeText(actual)}, expected ${sizeText(expected)}).`;
}

/** A distance in words, never rounded to 0. */
export function distanceText(distance: number): string {
  return distance === 0 ? '0' : String(Number(distance.toPrecision(3)));
}

function onlyTexts(): string {
  return t`Only metadata differs, such as the embedded workflow.`;
}

function comparePictures(expected: Pixels, actual: Pixels, threshold: number | undefined): OutputComparison {
  const pictures = [expected, actual] as const;
  const size = ({ width, height }: Pixels): string => `${width} × ${height}`;
  if (expected.width !== actual.width || expected.height !== actual.height) {
    return {
      verdict: 'different',
      message: t`The image is ${size(actual)} pixels, expected ${size(expected)}.`,
      pictures,
    };
  }
  const { identical, distance, share } = pictureDistance(expected, actual);
  if (identical) return { verdict: 'same', distance, share, message: onlyTexts() };
  const percent = distanceText(100 * share);
  const message = t`Color difference ${distanceText(distance)}; ${percent}% of the pixels differ.`;
  const isClose = threshold !== undefined && distance <= threshold;
  return { verdict: isClose ? 'close' : 'different', distance, share, message, pictures };
}

function differenceWords(extension: string, expected: Uint8Array, actual: Uint8Array): string {
  if (textExtensions.has(extension)) return textWords(expected, actual);
  if (pictureExtensions.has(extension))
    return t`The files differ. Color differences are computed only for still PNG images.`;
  return expected.length === actual.length
    ? t`The files differ.`
    : differentSizes(expected.length, actual.length);
}

const longestQuote = 80;

/** Quotes the first line that differs. */
function textWords(expected: Uint8Array, actual: Uint8Array): string {
  const most = Math.min(expected.length, actual.length);
  let [at, start, line] = [0, 0, 1];
  for (; at < most && expected[at] === actual[at]; at++) {
    if (expected[at] !== 0x0a) continue;
    start = at + 1;
    line += 1;
  }
  // A long line is quoted from shortly before the difference.
  const isFar = at - start > longestQuote / 2;
  const from = isFar ? at - 20 : start;
  const quote = (bytes: Uint8Array): string => {
    const [text = ''] = Buffer.from(bytes.subarray(from, from + 400))
      .toString('utf8')
      .split('\n');
    return JSON.stringify(plainText(isFar ? `…${text}` : text, 'one line', longestQuote));
  };
  const [made, wanted] = [quote(actual), quote(expected)];
  if (made === wanted)
    return t`Line ${line} differs only in invisible characters, such as spaces and line breaks.`;
  return t`Line ${line} is ${made}, expected ${wanted}.`;
}

/**
 * Whether two files have the same pictures or sound although their bytes differ: in PNG, WAV and FLAC files, texts
 * such as the embedded workflow are told apart from what they contain. False for all other files.
 */
function sameContent(one: Uint8Array, other: Uint8Array): boolean {
  const [parts, others] = [comparedParts(one), comparedParts(other)];
  if (!parts || parts.length === 0 || parts.length !== others?.length) return false;
  return parts.every((part, at) => Buffer.compare(part, others[at] ?? new Uint8Array()) === 0);
}

/** The parts of a file without its texts; undefined for other kinds and broken files. */
function comparedParts(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  switch (textAt(bytes, 0)) {
    case '\u0089PNG':
      return pngChunks(bytes)?.flatMap(({ type, whole }) => (pngTexts.has(type) ? [] : [whole]));
    case 'RIFF':
      return textAt(bytes, 8) === 'WAVE' ? waveContent(bytes) : undefined;
    case 'fLaC':
      return flacContent(bytes);
    default:
      return undefined;
  }
}

const pngTexts: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME']);

function waveContent(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let isWhole = false;
  for (let at = 12, count = 0; at + 8 <= bytes.length; count++) {
    const [type, end] = [textAt(bytes, at), at + 8 + view.getUint32(at + 4, true)];
    if (end > bytes.length || count >= budgets.fileParts) return undefined;
    isWhole ||= type === 'data';
    if (type === 'fmt ' || type === 'data') parts.push(bytes.subarray(at, end));
    at = end + (end % 2);
  }
  return isWhole ? parts : undefined;
}

function flacContent(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const parts: Uint8Array[] = [];
  for (let at = 4, count = 0; at + 4 <= bytes.length && count < budgets.fileParts; count++) {
    const [flags = 0, high = 0, middle = 0, low = 0] = bytes.subarray(at, at + 4);
    const end = at + 4 + (high << 16) + (middle << 8) + low;
    if (end > bytes.length) return undefined;
    // Its first byte says whether more blocks follow.
    if ((flags & 0x7f) === 0) parts.push(bytes.subarray(at + 1, end));
    if (flags & 0x80) return parts.length === 1 ? [...parts, bytes.subarray(end)] : undefined;
    at = end;
  }
  return undefined;
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
