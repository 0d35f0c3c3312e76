import * as z from 'zod';

const times = z.number().int().positive().optional();
const count = z.number().int().min(0);

/** In which words a refusal comes (protocol 5.4); `error` and the ones below it are those of the gateway before it. */
const refusalShapes = [
  'detail',
  'detailText',
  'error',
  'errorText',
  'coded',
  'message',
  'text',
  'html',
  'empty',
] as const;
export type MusicRefusalShape = (typeof refusalShapes)[number];

/** How a stream goes wrong that began well. */
const breaks = [
  /** An `error` event; the status stays 200. */
  'error',
  /** The body ends, properly, without `complete`. */
  'end',
  /** The connection is cut. */
  'drop',
  /** Nothing more comes. */
  'stall',
  'badBase64',
  'missingData',
  'badIndex',
  /** `complete` without any audio. */
  'noAudio',
  /** A line that never ends. */
  'endlessLine',
  /** A web page under status 200. */
  'html',
] as const;

/** The troubles of the music endpoint. */
export const musicFaultSchemas = {
  /** The request is refused before anything is made. */
  musicRefusal: z.strictObject({
    status: z.number().int().min(400).max(599).default(402),
    shape: z.enum(refusalShapes).default('detail'),
    code: z.string().default('insufficient_balance'),
    message: z.string().default('The balance does not cover this request'),
    /** Seconds for `Retry-After`. */
    retryAfter: count.optional(),
    times,
  }),
  /** The stream goes wrong after so many chunks of audio. */
  musicBreak: z.strictObject({
    how: z.enum(breaks).default('error'),
    afterChunks: count.default(3),
    code: z.string().default('generation_failed'),
    message: z.string().default('The model gave up'),
    times,
  }),
  /**
   * Lines that a reader has to bear: CRLF, blank lines, unknown types, no JSON, no objects, fields of the wrong kind,
   * base64 without padding and with white space, no end of the last line; sent in pieces of one to seven bytes.
   */
  musicOddLines: z.strictObject({ times }),
  /** So many pieces of music at once instead of one. */
  musicStreams: z.strictObject({ count: z.number().int().min(1).max(10).default(3), times }),
} as const;
