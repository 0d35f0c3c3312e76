import * as z from 'zod';
import { answerKinds } from './cannedAnswers';

/** How many times the fault strikes; without it, until it is cleared. */
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
  'drop',
  'stall',
  'badBase64',
  'missingData',
  'badIndex',
  /** `complete` without any audio. */
  'noAudio',
  'endlessLine',
  /** A web page with status 200. */
  'html',
] as const;

/** Every fault of a sandbox, with its options. */
export const faultSchemas = {
  /**
   * Drops the open sockets, or the next one if none is open, without a closing handshake: at once or after this many
   * more frames. With `times`, also the sockets that follow.
   */
  dropSocket: z.strictObject({
    afterFrames: count.default(0),
    times: z.number().int().positive().default(1),
  }),
  /** Sockets stay open but silent, without pongs; the messages are lost. */
  stallSocket: z.strictObject({}),
  /** Every frame arrives twice. */
  duplicateEvents: z.strictObject({ times }),
  /** Frames arrive in groups, each in reverse order. */
  reorderEvents: z.strictObject({ group: z.number().int().min(2).default(4) }),
  /** The states that `/api/job/{id}/status` reports one after the other before it reports the real one again. */
  rawStates: z.strictObject({ states: z.array(z.string()).min(1) }),
  /** Accepts the prompt and refuses it later, as a failure with the 400 body in its text (protocol 1.5). */
  lateValidationError: z.strictObject({ times }),
  /** Answers a route with an error. `path` without `/api`; `*` at its end matches the rest. */
  answer: z.strictObject({
    method: z.string().default('*'),
    path: z.string().default('*'),
    kind: z.enum(answerKinds).default('internal'),
    message: z.string().optional(),
    retryAfter: count.optional(),
    times,
  }),
  /** Carries out the request, then drops the connection without an answer. */
  loseAnswer: z.strictObject({
    method: z.string().default('POST'),
    path: z.string().default('/prompt'),
    times,
  }),
  /** A gateway that gives up: answers 504 and passes the request on later. */
  deliverLate: z.strictObject({
    method: z.string().default('POST'),
    path: z.string().default('/prompt'),
    afterMs: count.default(1_000),
    times,
  }),
  /** How far the server's clock is off; negative: it is slow. */
  wrongClock: z.strictObject({ byMs: z.number().int().default(3_600_000) }),
  /** How many reads of a job answer 404 though it exists. */
  notFoundAfterSubmit: z.strictObject({ times: z.number().int().positive().default(3) }),
  /** How many reads of an ended job leave out its outputs. */
  lagOutputs: z.strictObject({ times: z.number().int().positive().default(3) }),
  /** Signed addresses that are expired from the start. */
  expiredAddress: z.strictObject({ times }),
  /** Sends a binary frame of this size before the next event. */
  oversizedFrame: z.strictObject({
    bytes: z
      .number()
      .int()
      .positive()
      .default(48 * 2 ** 20),
    times: z.number().int().positive().default(1),
  }),
  /** Sends binary frames that end too early or claim more than they contain, before the next events. */
  truncatedFrame: z.strictObject({ times }),
  /** Sends messages of unknown types, and text that is not a message, before the next events. */
  unknownMessages: z.strictObject({ times }),
  /** Sends files in small pieces with a pause after each. */
  slowFile: z.strictObject({
    chunkBytes: z.number().int().positive().default(1_024),
    pauseMs: count.default(50),
    times,
  }),
  /** Drops the connection after this many bytes of a file. */
  brokenDownload: z.strictObject({ afterBytes: count.default(64), times }),
  /** Gives outputs a name that tries to leave the output folder. */
  climbingNames: z.strictObject({ prefix: z.string().default('../../') }),
  /** Forgets all jobs and drops every socket, as if the server restarted. Strikes once, at once. */
  restartServer: z.strictObject({}),
  /** Deletes all uploaded files, as if someone cleaned up the input folder. Strikes once, at once. */
  loseUploads: z.strictObject({}),
  /** Accepts prompts but never runs them, as after a prompt that killed the worker (protocol 7.2), until cleared. */
  hang: z.strictObject({}),
  /** Accepts a prompt with `node_errors` in the answer (protocol 1.5). */
  nodeErrorsOnSuccess: z.strictObject({ times }),
  /** Refuses the request before anything is made. */
  musicRefusal: z.strictObject({
    status: z.number().int().min(400).max(599).default(402),
    shape: z.enum(refusalShapes).default('detail'),
    code: z.string().default('insufficient_balance'),
    message: z.string().default('The balance does not cover this request'),
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
  musicStreams: z.strictObject({ count: z.number().int().min(1).max(200).default(3), times }),
} as const;

export type FaultName = keyof typeof faultSchemas;
export type FaultInput<N extends FaultName> = z.input<(typeof faultSchemas)[N]>;
export type FaultSettings<N extends FaultName> = z.output<(typeof faultSchemas)[N]>;
