import * as vscode from 'vscode';
import * as z from 'zod';
import type { JobOrigin } from '../../core/jobs/job';
import { storedOrigin } from '../../core/jobs/jobMemory';

const troubleKinds = ['server', 'disk', 'notSeen', 'serverUnknown', 'outputsUnknown'] as const;

/** Why an entry can't be completed now. With `outputsUnknown` it never will be: it is shown until it is dismissed. */
export interface OwedTrouble {
  readonly kind: (typeof troubleKinds)[number];
  /** One sentence; may contain a server's message. */
  readonly words: string;
}

/** A run whose outputs are not all on disk: a reference to its run record, and what only this machine knows. */
export interface OwedEntry {
  readonly id: string;
  /** Origin. */
  readonly server: string;
  readonly serverName: string;
  /** The server was a window's sandbox and ended with it. */
  readonly isSandbox: boolean;
  /** Missing until the server is known to have accepted the prompt. */
  readonly jobId?: string | undefined;
  readonly promptId: string;
  readonly origin: JobOrigin;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** Where the outputs and the run record go. */
  readonly folder: vscode.Uri;
  /** Name of the run record there. */
  readonly record: string;
  /** Nothing was sent: the user asked for the outputs of a job that had ended, at `sentAt`. */
  readonly asked?: boolean | undefined;
  readonly trouble?: OwedTrouble | undefined;
}

const stored = z.object({
  format: z.literal(1),
  id: z.string().min(1),
  server: z.string(),
  serverName: z.string(),
  isSandbox: z.boolean(),
  jobId: z.string().optional(),
  promptId: z.string(),
  origin: storedOrigin,
  sentAt: z.number(),
  folder: z.string(),
  record: z.string(),
  asked: z.boolean().optional(),
  trouble: z.object({ kind: z.enum(troubleKinds), words: z.string() }).optional(),
});

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
