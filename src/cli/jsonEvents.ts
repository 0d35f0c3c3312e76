import type { BatchCounts, BatchRowState } from '../core/batch/batchRow';
import type { CheckCode, Severity } from '../core/check/codes';
import type { JobNodeState, JobState } from '../core/jobs/job';
import type { runPrice } from '../core/jobs/runPrice';
import type { RunRecord } from '../core/records/runRecord';
import type { RunStage } from '../core/runLife/runStage';

/**
 * What `--json` prints: one of these objects per line on standard output. Members may be added, and readers skip kinds
 * that they do not know. Numbers that many JSON readers cannot represent, such as seeds, are texts.
 */
type Event<Kind extends string, Members> = Readonly<{ event: Kind } & Members>;

export interface FailureFields {
  /** The server's name for the error. */
  readonly type?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly nodeType?: string | undefined;
  /** Lines of the server's own program; the failed call comes last. */
  readonly traceback?: readonly string[] | undefined;
}

type Outcome = 'done' | 'failed' | 'cancelled' | 'usage' | 'notEnded' | 'outputsUnknown';

/** The last events of every command. */
export type EndEvent =
  /** Why the command failed, and what to do; `code` is the music service's name for the error. */
  | Event<'error', { message: string; nextAction: string; code?: string | undefined } & FailureFields>
  /** The last line: how the command ended, and how many outputs it saved. */
  | Event<'end', { outcome: Outcome; saved: number; exitCode: number }>;

interface SavedFields {
  path: string;
  bytes: number;
  sha256: string;
  nodeId: string;
}

/** A local file that would be sent; its path is relative to the workflow's folder or the working folder. */
interface UploadFields {
  path: string;
  bytes: number;
  /** The kind of file that the inputs accept: `image`, `video`, `audio`, `mesh` or `file`. */
  kinds: readonly string[];
  /** Why --upload yes is needed: `outsideFolder`, `hidden`, `gitIgnored` or `gitUnknown`. */
  marks: readonly string[];
}

/** Local files are about to be sent to this address; or, if that is not allowed, none is, and the run ends. */
export type UploadsEvent = Event<
  'uploads',
  { server: string; allowed: boolean; files: readonly Readonly<UploadFields>[] }
>;

interface ProblemFields {
  severity: Severity;
  /** A code of docs/checks.md, such as `option-unknown`. */
  code: CheckCode;
  nodeId?: string | undefined;
  input?: string | undefined;
  /** Both from 1; columns count UTF-16 units. */
  line: number;
  column: number;
  message: string;
}

interface SubmittedFields {
  job: string;
  /** `nodeId.input` -> digits. */
  seeds: Readonly<Record<string, string>>;
  /** False: the workflow was not checked before it was sent. */
  checked: boolean;
  /** Outputs that the server leaves out because of a problem; the rest runs. */
  leftOut: readonly { readonly nodeId: string; readonly name: string }[];
}

interface OwedFields {
  /** Missing if it is unknown whether the server accepted the workflow. */
  job?: string | undefined;
  record: string;
  state: RunRecord['state'];
  expected: number;
  saved: number;
  command: string;
}

type NodeName = { nodeId?: string | undefined; name?: string | undefined };

/** The events of `run`, `rerun`, `fetch` and `wait`, in about this order of kinds. */
export type JsonEvent =
  | Event<'start', { file: string; server: string; out: string }>
  | Event<'stage', { stage: RunStage['kind']; name?: string | undefined; seconds?: number | undefined }>
  | UploadsEvent
  /** A problem at a place in the file: an error, or a warning that does not stop the run. */
  | Event<'problem', ProblemFields>
  /** The server accepted the workflow: from here on there is a job. */
  | Event<'submitted', SubmittedFields>
  /** How many jobs of all clients run or wait on the server. */
  | Event<'queue', { length: number }>
  | Event<'job', { job: string; state: JobState; queuePosition?: number | undefined }>
  | Event<'node', { nodeId: string; name: string; state: JobNodeState; value: number; max: number }>
  | Event<'words', NodeName & { text: string }>
  /** The cost of the ended job in credits, as the server reported it, by node ID. */
  | Event<'price', NonNullable<ReturnType<typeof runPrice>>>
  /** A node that was blocked, and why in the server's words; what depends on it did not run either. */
  | Event<'blocked', NodeName & { nodeType?: string | undefined; message: string }>
  | Event<'text', { nodeId: string; text: string }>
  | Event<'download', { name: string; bytes: number; size?: number | undefined }>
  | Event<'saved', SavedFields>
  /** An output of a preview node, by its name on the server, that was not saved. */
  | Event<'temporary', { name: string; nodeId: string }>
  /** The command ends, and outputs are not on disk. */
  | Event<'owed', OwedFields>
  | EndEvent;

/** How an output compares to the expected one; `close` is within the threshold, the last three come from `--update`. */
export type TestStatus =
  'same' | 'close' | 'different' | 'missing' | 'notKept' | 'kept' | 'updated' | 'removed';

/** `errors` are workflows that could not be run, `updated` all outputs that were kept, updated or removed. */
export type TestCounts = Readonly<Record<'passed' | 'failed' | 'errors' | 'updated', number>>;

interface TestedFields {
  file: string;
  output: string;
  nodeId?: string | undefined;
  status: TestStatus;
  /** For two PNG images of the same size: 0 to 100, and the part of the pixels that differ, 0 to 1. */
  distance?: number | undefined;
  share?: number | undefined;
  message?: string | undefined;
  /** The picture that shows the difference, and the output, if they were written. */
  difference?: string | undefined;
  actual?: string | undefined;
}

/** The events of `test`, besides those of each run about its job and its problems. */
export type TestEvent = Event<'output', TestedFields> | Event<'summary', TestCounts> | EndEvent;

interface PlanFields {
  rows: number;
  /** Rows that are still to run, if the batch was started before. */
  left?: number | undefined;
  servers: readonly string[];
  textFiles: readonly string[];
  axes: readonly { readonly inputs: readonly string[]; readonly steps: number }[];
  /** Seconds for the rows to run on these servers, by the median of earlier runs. */
  estimatedSeconds?: number | undefined;
  /** `price`: the server's estimate for one run, in words. */
  partners: readonly { readonly classType: string; readonly price?: string | undefined }[];
}

interface RowFields {
  /** The row, from 1. */
  row: number;
  state: BatchRowState;
  server?: string | undefined;
  job?: string | undefined;
  record?: string | undefined;
  message?: string | undefined;
  /** The cost of its jobs so far, as the servers reported it. */
  credits?: number | undefined;
  failure?: FailureFields | undefined;
}

/** `silent`: its rows wait for it; `away`: it gets no more; `out`: it does not take part. */
export type ServerStanding = 'ready' | 'silent' | 'away' | 'out';

export type BatchEvent =
  /** First: how many rows there are, and what they may take. */
  | Event<'plan', PlanFields>
  /** A row of a dry run: input -> JSON text. */
  | Event<'values', { row: number; values: Readonly<Record<string, string>> }>
  | UploadsEvent
  | Event<'server', { server: string; state: ServerStanding; message: string }>
  | Event<'row', RowFields>
  | Event<'saved', SavedFields & { job: string }>
  /** The batch has ended: its record, what its rows cost, and the command that resumes it unless all are saved. */
  | Event<
      'summary',
      { batch: string; counts: BatchCounts; credits?: number | undefined; command?: string | undefined }
    >
  | EndEvent;

/** The prompt and the copy of it that a track is, from 0; missing if the service does not say. */
type TrackIndexes = { stream: number; promptIndex?: number | undefined; copyIndex?: number | undefined };

interface SavedTrackFields extends TrackIndexes, Omit<SavedFields, 'nodeId'> {
  seconds?: number | undefined;
  title?: string | undefined;
  partial: boolean;
}

interface MusicFields {
  prompt: string;
  duration: number;
  server: string;
  out: string;
  /** The approximate cost: 0 on the sandbox, null if the price is unknown. */
  estimatedCredits: number | null;
}

export type MusicJsonEvent =
  | Event<'start', MusicFields>
  | Event<
      'title',
      TrackIndexes & { title?: string | undefined; tags: readonly string[]; summary?: string | undefined }
    >
  | Event<'progress', { stream: number; seconds: number; bytes: number }>
  | Event<'saved', SavedTrackFields>
  | Event<'credits', { used: number }>
  | EndEvent;
