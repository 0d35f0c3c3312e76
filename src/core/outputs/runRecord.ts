import * as z from 'zod';
import { budgets } from '../safety/budgets';
import type { Fingerprint } from './outputFolder';
import { isSafeSegment } from './safeName';

/**
 * `sending`: the prompt is about to be sent, or its answer was lost; `submitted`: the server has it; `saving`: it has
 * ended and its outputs are being saved; `incomplete`: it has ended and some of them could not be saved. These four are
 * owed. The others are final: `saved` with everything on disk, `failed`, `cancelled`, and `lost` for a job that the
 * server does not know or that was given up.
 */
export type RecordState =
  'sending' | 'submitted' | 'saving' | 'incomplete' | 'saved' | 'failed' | 'cancelled' | 'lost';

/** An output of the job that belongs next to the record. */
export interface ExpectedFile {
  /** Name in the folder of the record, now or once it is saved. */
  readonly name: string;
  /** Id of the node that made it. */
  readonly node: string;
  readonly area: string;
  /** Name on the server, with its subfolder. */
  readonly original: string;
}

/** A complete output next to the record. */
export interface RecordedFile extends ExpectedFile, Fingerprint {}

/**
 * How the files next to it were made, and what is still missing: docs/run-record.md. Times are ISO 8601 strings in UTC.
 * Contains no credential (the prompt is what was posted, without `extra_data`) and no absolute path.
 */
export interface RunRecord {
  readonly format: 2;
  readonly state: RecordState;
  /** Missing until the server has accepted the prompt. */
  readonly job?: string | undefined;
  /** The id that was sent along, by which the job is found when the answer was lost. */
  readonly promptId?: string | undefined;
  /** Origin of the server. */
  readonly server: string;
  readonly label: string;
  /** The workflow file's path relative to the workspace folder or the working directory. */
  readonly sourceUri?: string | undefined;
  /** SHA-256 (hex) of the workflow file's text at the run. */
  readonly sourceHash?: string | undefined;
  /** The prompt exactly as posted; missing for a job submitted elsewhere. */
  readonly promptText?: string | undefined;
  /** The only output nodes to run. */
  readonly targets?: readonly string[] | undefined;
  /** `nodeId.input` -> digits. */
  readonly seeds: Readonly<Record<string, string>>;
  readonly sentAt?: string | undefined;
  readonly submittedAt?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  /** Why outputs are missing, in one sentence. */
  readonly trouble?: string | undefined;
  /** All outputs to save, known once the job has ended. */
  readonly expected: readonly ExpectedFile[];
  /** Temporary outputs, such as those of preview nodes, that are not saved. */
  readonly temporary?: readonly Omit<ExpectedFile, 'name'>[] | undefined;
  /** How many more outputs the server counts than it lists. */
  readonly unlisted?: number | undefined;
  /** Those of `expected` that are on disk. */
  readonly files: readonly RecordedFile[];
  /** What nodes showed as text. */
  readonly texts: readonly { readonly node: string; readonly text: string }[];
}

/** How many outputs the job has, including those that the server does not list. */
export function outputsMade({ expected, unlisted = 0 }: Pick<RunRecord, 'expected' | 'unlisted'>): number {
  return expected.length + unlisted;
}

/** Something of the run is not on disk yet, or that is unknown. */
export function isOwed({ state }: Pick<RunRecord, 'state'>): boolean {
  return state === 'sending' || state === 'submitted' || state === 'saving' || state === 'incomplete';
}

export function writeRunRecord(record: RunRecord): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(record, undefined, 2)}\n`);
}

/** Anyone may have edited or sent a record: names that lead out of its folder are rejected. */
const name = z.string().refine(isSafeSegment);
const expected = z.object({ name, node: z.string(), area: z.string(), original: z.string() });
const file = expected.extend({ sha256: z.string(), bytes: z.number() });
const shared = {
  server: z.string(),
  label: z.string(),
  sourceUri: z.string().optional(),
  sourceHash: z.string().optional(),
  promptText: z.string().optional(),
  seeds: z.record(z.string(), z.string()),
  submittedAt: z.string().optional(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  files: z.array(file),
  texts: z.array(z.object({ node: z.string(), text: z.string() })),
};

const format1: z.ZodType<RunRecord> = z
  .object({
    ...shared,
    format: z.literal(1),
    job: z.string(),
    state: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled', 'lost']),
  })
  .transform(({ state, ...known }) => ({
    ...known,
    format: 2,
    // It was absolute.
    sourceUri: undefined,
    // It was written after the outputs, and lists only those that had been saved.
    state: state === 'failed' || state === 'cancelled' || state === 'lost' ? state : 'saved',
    expected: known.files,
  }));

const format2: z.ZodType<RunRecord> = z.object({
  ...shared,
  format: z.literal(2),
  state: z.enum(['sending', 'submitted', 'saving', 'incomplete', 'saved', 'failed', 'cancelled', 'lost']),
  job: z.string().min(1).optional(),
  promptId: z.string().optional(),
  targets: z.array(z.string()).optional(),
  sentAt: z.string().optional(),
  trouble: z.string().optional(),
  expected: z.array(expected),
  temporary: z
    .array(expected.omit({ name: true }))
    .optional()
    .catch(undefined),
  unlisted: z.number().int().positive().optional().catch(undefined),
});

const anyFormat = z.union([format2, format1]);

/** What `writeRunRecord` wrote, or a record of format 1; undefined for any other text. */
export function readRunRecord(text: string): RunRecord | undefined {
  if (text.length > budgets.runRecord || hasMoreParts(text, budgets.runRecordParts)) return undefined;
  try {
    return anyFormat.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const [quote, backslash, comma, bracket, brace] = Array.from('"\\,[{', (each) => each.charCodeAt(0));

/**
 * Whether a JSON text has more objects, lists and values than this: a few characters can take a hundred times their
 * size in memory.
 */
function hasMoreParts(text: string, most: number): boolean {
  let isText = false;
  let parts = 0;
  for (let at = 0; at < text.length && parts <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) isText = !isText;
    else if (isText) at += code === backslash ? 1 : 0;
    else if (code === comma || code === bracket || code === brace) parts++;
  }
  return parts > most;
}
