import * as vscode from 'vscode';
import * as z from 'zod';
import type { JobOrigin } from '../../core/jobs/job';
import { storedOrigin } from '../../core/jobs/jobMemory';
import type { Kept } from '../../core/protocol/wire';

/** Why an entry can't be completed now. With `outputsUnknown` it never will be: it is shown until it is dismissed. */
const trouble = z.object({
  kind: z.enum(['server', 'disk', 'notSeen', 'serverUnknown', 'outputsUnknown']),
  /** One sentence; may contain a server's message. */
  words: z.string(),
});

export type OwedTrouble = Kept<z.output<typeof trouble>>;

const stored = z.object({
  format: z.literal(1),
  id: z.string().min(1),
  /** Origin. */
  server: z.string(),
  serverName: z.string(),
  /** The server was a window's sandbox and ended with it. */
  isSandbox: z.boolean(),
  /** Missing until the server is known to have accepted the prompt. */
  jobId: z.string().optional(),
  promptId: z.string(),
  origin: storedOrigin,
  /** Milliseconds since the epoch. */
  sentAt: z.number(),
  /** Where the outputs and the run record go. */
  folder: z.string(),
  /** Name of the run record there. */
  record: z.string(),
  /** Nothing was sent: the user asked for the outputs of a job that had ended, at `sentAt`. */
  asked: z.boolean().optional(),
  trouble: trouble.optional(),
});

/** A run whose outputs are not all on disk: a reference to its run record, and what only this machine knows. */
export interface OwedEntry extends Omit<Kept<z.output<typeof stored>>, 'format' | 'folder' | 'origin'> {
  readonly origin: JobOrigin;
  readonly folder: vscode.Uri;
}

/** The runs whose outputs are not on disk, as the Jobs view shows them. */
export interface OwedShown {
  entries(): readonly OwedEntry[];
  get(id: string): OwedEntry | undefined;
  readonly onDidChange: vscode.Event<void>;
}

export function writeOwedEntry(entry: OwedEntry): string {
  return JSON.stringify({ format: 1, ...entry, folder: entry.folder.toString() });
}

/** Our own file, but a crash or another version may have left it in any state: undefined if it is invalid. */
export function readOwedEntry(text: string): OwedEntry | undefined {
  try {
    const { data } = stored.safeParse(JSON.parse(text));
    if (!data) return undefined;
    return { ...data, folder: vscode.Uri.parse(data.folder, true) };
  } catch {
    return undefined;
  }
}
