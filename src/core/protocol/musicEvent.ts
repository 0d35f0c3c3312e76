import * as z from 'zod';
import { wireOptional } from './wire';
import { t } from '../safety/localize';

/**
 * Decodes standard base64; undefined if the text is not valid. Padding may be missing and ASCII white space may occur
 * (protocol 5.3); any other character is refused, since `Buffer.from` would drop it silently.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const plain = text.replace(/[\t\n\f\r ]+/g, '');
  const digits = plain.replace(/={1,2}$/, '');
  if (/[^A-Za-z0-9+/]/.test(digits)) return undefined;
  const isWhole = digits.length === plain.length ? digits.length % 4 !== 1 : plain.length % 4 === 0;
  return isWhole ? Buffer.from(plain, 'base64') : undefined;
}

/** One line of the music stream, of the types that matter (protocol 5.3). Indices are 0 if the sender omits them. */
export type MusicEvent =
  | {
      readonly type: 'title';
      readonly streamIndex: number;
      readonly promptIndex?: number | undefined;
      readonly copyIndex?: number | undefined;
      readonly title?: string | undefined;
      readonly displayTags?: readonly string[] | undefined;
      readonly summary?: string | undefined;
    }
  | {
      readonly type: 'audioChunk';
      readonly streamIndex: number;
      readonly streams?: number | undefined;
      readonly sampleRate?: number | undefined;
      readonly channels?: number | undefined;
      readonly bytes: Uint8Array;
    }
  /** Amounts are texts from the sender; their unit is not published. */
  | {
      readonly type: 'cost';
      readonly ratePerSecond?: string | undefined;
      readonly beforeDiscount?: string | undefined;
      readonly afterDiscount?: string | undefined;
      readonly discountFactor?: string | undefined;
    }
  | { readonly type: 'complete' }
  | { readonly type: 'error'; readonly code?: string | undefined; readonly message: string };

/** An unusable audio chunk: skipping it would leave a gap in the music. */
export class BadAudioChunk extends Error {
  override readonly name = 'BadAudioChunk';
}

const longest = { title: 300, tag: 60, tags: 30, summary: 4000, message: 2000 } as const;
const index = z.number().int().min(0);
const positive = z.number().positive();
const amount = z.union([z.string(), z.number().transform(String)]).transform((text) => text.slice(0, 40));

const titleFields = z.looseObject({
  title: wireOptional(cutText(longest.title)),
  display_tags: wireOptional(firstOf(longest.tags).transform(tagsOf)),
  summary: wireOptional(cutText(longest.summary)),
  stream_index: wireOptional(index),
  prompt_index: wireOptional(index),
  copy_index: wireOptional(index),
});
const titlesFields = z.looseObject({ titles: wireOptional(firstOf(1)), stream_index: wireOptional(index) });
const chunkFields = z.looseObject({
  num_streams: wireOptional(index),
  sample_rate: wireOptional(positive),
  channels: wireOptional(positive),
});
const costFields = z.looseObject({
  billing_rate_per_sec: wireOptional(amount),
  billing_before_discount: wireOptional(amount),
  billing_after_discount: wireOptional(amount),
  discount_factor: wireOptional(amount),
});
const errorFields = z.looseObject({
  code: wireOptional(amount),
  message: wireOptional(cutText(longest.message)),
  detail: wireOptional(cutText(longest.message)),
});

const wordFields = [
  'type',
  ...Object.keys(titleFields.shape),
  ...Object.keys(titlesFields.shape),
  ...Object.keys(chunkFields.shape),
  ...Object.keys(costFields.shape),
  ...Object.keys(errorFields.shape),
];
/** Longer than any text that is kept: patterns must not be cut in half where the kept part ends. */
const seenText = 8 * longest.summary;

/** Besides titles, what the vendor's own stream consists of: it ends with `complete` (protocol 5.3). */
const vendorTypes: ReadonlySet<unknown> = new Set([
  'titles',
  'duration',
  'audio_chunk',
  'generated_audio',
  'stage_start',
  'stage_complete',
  'cost',
]);

/** Whether a stream with this line has to end with `complete`; titles alone, all that the contract names, do not. */
export function announcesEnd({ type }: Readonly<Record<string, unknown>>): boolean {
  return vendorTypes.has(type);
}

/** The content of a line besides its audio, before anything is kept: a line may have millions of fields. */
export function musicWords(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const named = wordFields.filter((name) => value[name] !== undefined);
  return Object.fromEntries(named.map((name) => [name, seen(value[name])]));
}

function seen(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, seenText);
  if (Array.isArray(value)) return value.slice(0, longest.tags).map((item) => seenItem(item));
  return seenItem(value);
}

function seenItem(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, 8 * longest.title);
  // No field is an object: an object counts as the wrong type.
  return typeof value === 'object' && value !== null ? {} : value;
}

/** @throws BadAudioChunk when an audio chunk has no usable data or index */
export function readMusicEvent(value: Readonly<Record<string, unknown>>): MusicEvent | undefined {
  switch (value['type']) {
    case 'title': {
      const fields = titleFields.parse(value);
      return {
        type: 'title',
        streamIndex: fields.stream_index ?? 0,
        promptIndex: fields.prompt_index,
        copyIndex: fields.copy_index,
        title: fields.title,
        displayTags: fields.display_tags,
        summary: fields.summary,
      };
    }
    case 'titles': {
      const fields = titlesFields.parse(value);
      // The sender proposes several; use the first (protocol 5.3).
      const title = cutText(longest.title).safeParse(fields.titles?.[0]);
      return title.success
        ? { type: 'title', streamIndex: fields.stream_index ?? 0, title: title.data }
        : undefined;
    }
    case 'audio_chunk':
      return readChunk(value);
    case 'cost': {
      const fields = costFields.parse(value);
      return {
        type: 'cost',
        ratePerSecond: fields.billing_rate_per_sec,
        beforeDiscount: fields.billing_before_discount,
        afterDiscount: fields.billing_after_discount,
        discountFactor: fields.discount_factor,
      };
    }
    case 'complete':
      return { type: 'complete' };
    case 'error': {
      const { code, message, detail } = errorFields.parse(value);
      return { type: 'error', code, message: message ?? detail ?? '' };
    }
    default:
      return undefined;
  }
}

function readChunk(value: Readonly<Record<string, unknown>>): MusicEvent {
  const fields = chunkFields.parse(value);
  const { data } = value;
  const streamIndex = index.safeParse(value['stream_index'] ?? 0);
  if (!streamIndex.success) throw new BadAudioChunk(t`The music service sent an invalid response.`);
  const bytes = typeof data === 'string' ? decodeBase64(data) : undefined;
  if (bytes === undefined) throw new BadAudioChunk(t`The music service sent an invalid response.`);
  return {
    type: 'audioChunk',
    streamIndex: streamIndex.data,
    streams: fields.num_streams,
    sampleRate: fields.sample_rate,
    channels: fields.channels,
    bytes,
  };
}

function cutText(length: number) {
  return z
    .string()
    .transform((text) => cut(plain(text.slice(0, 4 * length)), length))
    .refine((text) => text !== '');
}

/** The first members of a list; a line may contain millions of them. */
function firstOf(count: number) {
  return z.custom<readonly unknown[]>(Array.isArray).transform((values) => values.slice(0, count));
}

function tagsOf(values: readonly unknown[]): string[] {
  const tags = values.flatMap((value) => {
    const tag = typeof value === 'string' ? cut(plain(value.slice(0, 4 * longest.tag)), longest.tag) : '';
    return tag === '' ? [] : [tag];
  });
  return [...new Set(tags)].slice(0, longest.tags);
}

/** Cuts to this many characters; never splits a surrogate pair. */
function cut(text: string, length: number): string {
  return Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('');
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
}
