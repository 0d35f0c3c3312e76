import type { Job } from '../jobs/job';
import type { FileArea } from '../protocol/outputFile';
import type { OutputFolder } from './outputFolder';
import { OutputError } from './outputError';
import { uniqueName } from './safeName';
import { writeWhole } from './writeWhole';

export interface RecordedFile {
  /** Name in the folder of the record. */
  readonly name: string;
  /** Hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** Id of the node that made it. */
  readonly node: string;
  readonly area: FileArea;
  /** Name on the server, with its subfolder. */
  readonly original: string;
}

/**
 * How the files beside it were made. Times are ISO 8601 texts in UTC. Holds no credential: the prompt is what was
 * posted, without `extra_data`.
 */
export interface RunRecord {
  readonly format: 1;
  readonly job: string;
  /** Origin of the server. */
  readonly server: string;
  readonly label: string;
  readonly state: Job['state'];
  readonly sourceUri?: string;
  /** SHA-256 (hex) of the workflow file's text at the run. */
  readonly sourceHash?: string;
  /** The prompt exactly as it was posted; missing for a job that was submitted elsewhere. */
  readonly promptText?: string;
  /** `nodeId.input` -> digits. */
  readonly seeds: Readonly<Record<string, string>>;
  readonly submittedAt?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly files: readonly RecordedFile[];
  /** What nodes showed as text. */
  readonly texts: readonly { readonly node: string; readonly text: string }[];
}

export function runRecordOf(
  job: Job,
  promptText: string | undefined,
  files: readonly RecordedFile[],
): RunRecord {
  const { origin } = job;
  return {
    format: 1,
    job: job.id,
    server: job.server,
    label: origin?.label ?? job.id,
    state: job.state,
    ...(origin?.sourceUri !== undefined && { sourceUri: origin.sourceUri }),
    ...(origin?.sourceHash !== undefined && { sourceHash: origin.sourceHash }),
    ...(promptText !== undefined && { promptText }),
    seeds: origin?.seeds ?? {},
    ...(job.createdAt !== undefined && { submittedAt: isoTime(job.createdAt) }),
    ...(job.startedAt !== undefined && { startedAt: isoTime(job.startedAt) }),
    ...(job.endedAt !== undefined && { endedAt: isoTime(job.endedAt) }),
    files,
    texts: job.texts.map(({ nodeId, text }) => ({ node: nodeId, text })),
  };
}

/** Writes the record whole or not at all, beside others of the same name; gives the name it got. */
export async function writeRunRecord(folder: OutputFolder, name: string, record: RunRecord): Promise<string> {
  const text = `${JSON.stringify(record, undefined, 2)}\n`;
  for (;;) {
    const free = await uniqueName(name, (candidate) => folder.exists(candidate));
    try {
      await writeWhole(folder, free, new TextEncoder().encode(text));
      return free;
    } catch (error) {
      // Somebody else took the name in the meantime.
      if (!OutputError.is(error, 'exists')) throw error;
    }
  }
}

function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}
