import * as z from 'zod';
import { musicFaultSchemas } from '../music/musicFaults';
import { reviewAnswers } from '../registry/reviewAnswers';
import { answerKinds } from './cannedAnswers';

/** How often the fault strikes before it is over; without it, until it is cleared. */
const times = z.number().int().positive().optional();
const count = z.number().int().min(0);

/** Every trouble that a sandbox can be told to make, with its options. The names are those of the HTTP route too. */
export const faultSchemas = {
  /**
   * Ends the open sockets, or the next one when none is open, without a closing handshake: at once or after so many
   * more frames. More than once: the sockets that come after them too.
   */
  dropSocket: z.strictObject({
    afterFrames: count.default(0),
    times: z.number().int().positive().default(1),
  }),
  /** Sockets stay open and say nothing more, pongs included; what would have been said is lost. */
  stallSocket: z.strictObject({}),
  /** Every frame arrives twice. */
  duplicateEvents: z.strictObject({ times }),
  /** Frames arrive in groups, each group the wrong way round. */
  reorderEvents: z.strictObject({ group: z.number().int().min(2).default(4) }),
  /** What `/api/job/{id}/status` says, one after the other, before it tells the truth again. */
  rawStates: z.strictObject({ states: z.array(z.string()).min(1) }),
  /** The prompt is accepted; the refusal comes later as a failure with the 400 body in its text (protocol 1.5). */
  lateValidationError: z.strictObject({ times }),
  /** An error answer instead of what a route would say. `path` without `/api`; `*` at its end matches the rest. */
  answer: z.strictObject({
    method: z.string().default('*'),
    path: z.string().default('*'),
    kind: z.enum(answerKinds).default('internal'),
    /** What the answer says, instead of its usual words. */
    message: z.string().optional(),
    /** Seconds for `Retry-After`. */
    retryAfter: count.optional(),
    times,
  }),
  /** An answer to reviews of node packs, whatever they say (protocol 6.1). */
  reviewAnswer: z.strictObject({ kind: z.enum(reviewAnswers), times }),
  /** The request is carried out, then the connection is cut instead of answering. */
  loseAnswer: z.strictObject({
    method: z.string().default('POST'),
    path: z.string().default('/prompt'),
    times,
  }),
  /** A gateway that gives up: it answers 504 and passes the request on only later. */
  deliverLate: z.strictObject({
    method: z.string().default('POST'),
    path: z.string().default('/prompt'),
    afterMs: count.default(1_000),
    times,
  }),
  /** The server's clock is wrong by so much; less than 0: it is behind. */
  wrongClock: z.strictObject({ byMs: z.number().int().default(3_600_000) }),
  /** So many reads of a job answer 404 though it exists. */
  notFoundAfterSubmit: z.strictObject({ times: z.number().int().positive().default(3) }),
  /** So many reads of an ended job show it without its outputs. */
  lagOutputs: z.strictObject({ times: z.number().int().positive().default(3) }),
  /** Signed addresses that are over before anybody can use them. */
  expiredAddress: z.strictObject({ times }),
  /** A binary frame of this size before the next event. */
  oversizedFrame: z.strictObject({
    bytes: z
      .number()
      .int()
      .positive()
      .default(48 * 2 ** 20),
    times: z.number().int().positive().default(1),
  }),
  /** Binary frames that end too early or claim more than they hold, before the next events. */
  truncatedFrame: z.strictObject({ times }),
  /** Messages of unknown types, and text that is no message, before the next events. */
  unknownMessages: z.strictObject({ times }),
  /** Files come in small pieces with a pause after each. */
  slowFile: z.strictObject({
    chunkBytes: z.number().int().positive().default(1_024),
    pauseMs: count.default(50),
    times,
  }),
  /** Files are this long: made up while they are sent, so gigabytes cost no memory. */
  hugeFile: z.strictObject({
    bytes: z
      .number()
      .int()
      .positive()
      .default(2 ** 30),
    times,
  }),
  /** The connection is cut after so many bytes of a file. */
  brokenDownload: z.strictObject({ afterBytes: count.default(64), times }),
  /** Outputs carry a name that tries to leave the folder they are saved to. */
  climbingNames: z.strictObject({ prefix: z.string().default('../../') }),
  /** All jobs are forgotten and every socket ends, as when the server was started anew. Strikes once, at once. */
  restartServer: z.strictObject({}),
  /** All uploaded files are gone, as after a clean-up of the input folder. Strikes once, at once. */
  loseUploads: z.strictObject({}),
  /** Accepted prompts never run, as after a prompt that killed the worker (protocol 7.2), until it is cleared. */
  hang: z.strictObject({}),
  /** An accepted prompt whose answer holds `node_errors` all the same (protocol 1.5). */
  nodeErrorsOnSuccess: z.strictObject({ times }),
  ...musicFaultSchemas,
} as const;

export type FaultName = keyof typeof faultSchemas;
export type FaultInput<N extends FaultName> = z.input<(typeof faultSchemas)[N]>;
export type FaultSettings<N extends FaultName> = z.output<(typeof faultSchemas)[N]>;

export const faultNames = Object.keys(faultSchemas) as readonly FaultName[];

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faultSchemas, name);
}
