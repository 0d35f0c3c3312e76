import * as z from 'zod';

const times = z.number().int().positive().optional();
const count = z.number().int().min(0);

/** The form of a refusal (protocol 5.4); `error` and the ones below it come from the gateway in front. */
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

/** How a stream goes wrong after a good start. */
const breaks = [
  /** An `error` event; the status stays 200. */
  'error',
  /** The body ends properly, but without `complete`. */
  'end',
  /** The connection is dropped. */
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
  /** A web page with status 200. */
  'html',
] as const;

/** The faults of the music endpoint. */
export const musicFaultSchemas = {
  /** Refuses the request before anything is made. */
  musicRefusal: z.strictObject({
    status: z.number().int().min(400).max(599).default(402),
    shape: z.enum(refusalShapes).default('detail'),
    code: z.string().default('insufficient_balance'),
    message: z.string().default('The balance does not cover this request'),
    /** Seconds for `Retry-After`. */
    retryAfter: count.optional(),
    times,
  }),
  /** The stream fails after this many chunks of audio. */
  musicBreak: z.strictObject({
    how: z.enum(breaks).default('error'),
    afterChunks: count.default(3),
    code: z.string().default('generation_failed'),
    message: z.string().default('The model gave up'),
    times,
  }),
  /**
   * Lines that a reader must tolerate: CRLF, blank lines, unknown types, text that is not JSON, JSON that is not an
   * object, fields of the wrong type, base64 without padding or with white space, no end of the last line; sent in
   * pieces of one to seven bytes.
   */
  musicOddLines: z.strictObject({ times }),
  /** Sends this many pieces of music at once instead of one. */
  musicStreams: z.strictObject({ count: z.number().int().min(1).max(10).default(3), times }),
} as const;
