import * as z from 'zod';
import type { Kept } from '../../core/protocol/wire';

/** Why a run can't be completed now. `outputsUnknown` stays until it is dismissed. */
const trouble = z.object({
  kind: z.enum(['server', 'disk', 'notSeen', 'serverUnknown', 'outputsUnknown']),
  /** One sentence; may contain a server's message. */
  words: z.string(),
});

export type RunTrouble = Kept<z.output<typeof trouble>>;

const stored = z.object({
  format: z.literal(1),
  /** The ID of the prompt that was sent; missing for a job that was submitted elsewhere. */
  promptId: z.string().optional(),
  jobId: z.string().optional(),
  server: z.string(),
  serverName: z.string(),
  /** The server was a window's sandbox and ended with it. */
  isSandbox: z.boolean(),
  folder: z.string(),
  record: z.string(),
  label: z.string(),
  /** Run on save compares these: a URI, and hashes of the text and of the prompt. */
  sourceUri: z.string().optional(),
  sourceHash: z.string().optional(),
  promptHash: z.string().optional(),
  sentAt: z.number(),
  /** When the user asked for the outputs of a job that had ended. */
  askedAt: z.number().optional(),
  isOwed: z.boolean(),
  trouble: trouble.optional(),
});

export type RunPointer = Kept<Omit<z.output<typeof stored>, 'format'>>;

export function writePointer(pointer: RunPointer): string {
  return JSON.stringify({ format: 1, ...pointer });
}

/** Our own file, but a crash or another version may have left it in any state: undefined if it is invalid. */
export function readPointer(text: string): RunPointer | undefined {
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
