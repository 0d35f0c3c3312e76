import * as z from 'zod';
import type { Kept } from '../../core/protocol/wire';

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
  /** The batch that it is a row of: its outputs are saved, and everything else is left to the batch. */
  batch: z.string().optional(),
  /** Nobody can say what the run made: it is listed until it is dismissed, and no server is asked. */
  outputsUnknown: z.literal(true).optional(),
});

export type RunPointer = Kept<Omit<z.output<typeof stored>, 'format'>>;

/** Our own file, but a crash or another version may have left it in any state: undefined if it is invalid. */
export function readPointer(text: string): RunPointer | undefined {
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
