import type { CheckCode, Severity } from '../core/check/codes';
import type { JobNodeState, JobState } from '../core/jobs/job';
import type { RunPrice } from '../core/jobs/runPrice';
import type { RecordState } from '../core/records/runRecord';
import type { UploadsEvent } from './uploadWords';
import type { BatchCounts, BatchRowState } from '../core/batch/batchRow';

/** An output is on disk. */
export interface SavedEvent {
  readonly event: 'saved';
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly nodeId: string;
}

/**
 * What `comfy-deck run --json` prints: one of these objects per line on standard output, in this order of kinds, and
 * `end` is always the last. Fields may be added; readers skip kinds they do not know.
 *
 * | event     | when                                                                      |
 * |-----------|---------------------------------------------------------------------------|
 * | start     | first, once the arguments are parsed                                       |
 * | stage     | a step before the job: checking, uploading, connecting, submitting, waiting, watchingLock, lookingForJob |
 * | uploads   | local files that are about to be sent, or that must not be                 |
 * | problem   | a problem at a place in the file: an error, or a warning that does not stop the run          |
 * | submitted | the server accepted the workflow; from here on there is a job              |
 * | queue     | the server reported how many jobs run or wait there                        |
 * | job       | the state of the job changed                                               |
 * | node      | a node started, made a step or ended                                       |
 * | words     | a node or the server sent a message about the run                          |
 * | price     | the job has ended: what it cost, as the server told it                     |
 * | blocked   | the job has ended: a node that was blocked, and why; what depends on it did not run either |
 * | text      | a node output a text                                                       |
 * | download  | part of an output was downloaded                                           |
 * | saved     | an output is complete on disk                                              |
 * | temporary | an output of a preview node that was not saved                             |
 * | owed      | the command ends and outputs are not on disk: the record, and the command that fetches them |
 * | error     | why the run failed, and what to do                                         |
 * | end       | last: how it ended, and the exit code                                      |
 */
export type JsonEvent =
  | { readonly event: 'start'; readonly file: string; readonly server: string; readonly out: string }
  | {
      readonly event: 'stage';
      readonly stage:
        'checking' | 'uploading' | 'connecting' | 'submitting' | 'waiting' | 'watchingLock' | 'lookingForJob';
      /** The file that is uploaded. */
      readonly name?: string | undefined;
      /** How long the server asks to wait, or the time until the next search for the job. */
      readonly seconds?: number | undefined;
    }
  | UploadsEvent
  | {
      readonly event: 'problem';
      readonly severity: Severity;
      /** From docs/checks.md, such as `option-unknown`. */
      readonly code: CheckCode;
      readonly nodeId?: string | undefined;
      readonly input?: string | undefined;
      /** Both from 1; columns count UTF-16 units. */
      readonly line: number;
      readonly column: number;
      readonly message: string;
    }
  | {
      readonly event: 'submitted';
      readonly job: string;
      /** `nodeId.input` -> digits as text, since many JSON readers cannot represent these numbers. */
      readonly seeds: Readonly<Record<string, string>>;
      /** False: the workflow was not checked before it was sent. */
      readonly checked: boolean;
      /** Outputs that the server leaves out because of a problem; the rest runs. */
      readonly leftOut: readonly { readonly nodeId: string; readonly name: string }[];
    }
  | {
      readonly event: 'job';
      readonly job: string;
      readonly state: JobState;
      /** 1 is next. */
      readonly queuePosition?: number | undefined;
    }
  /** In credits; by node ID. */
  | ({ readonly event: 'price' } & RunPrice)
  /** All clients' jobs. */
  | { readonly event: 'queue'; readonly length: number }
  | {
      readonly event: 'node';
      readonly nodeId: string;
      readonly name: string;
      readonly state: JobNodeState;
      readonly value: number;
      readonly max: number;
    }
  /** `nodeId` and `name` are missing if the server itself sent the message. */
  | {
      readonly event: 'words';
      readonly nodeId?: string | undefined;
      readonly name?: string | undefined;
      readonly text: string;
    }
  | {
      readonly event: 'blocked';
      readonly nodeId?: string | undefined;
      readonly nodeType?: string | undefined;
      readonly name?: string | undefined;
      /** The server's. */
      readonly message: string;
    }
  | { readonly event: 'text'; readonly nodeId: string; readonly text: string }
  | {
      readonly event: 'download';
      readonly name: string;
      readonly bytes: number;
      readonly size?: number | undefined;
    }
  | SavedEvent
  /** `name` as on the server. */
  | { readonly event: 'temporary'; readonly name: string; readonly nodeId: string }
  | {
      readonly event: 'owed';
      /** Missing if it is unknown whether the server accepted the workflow. */
      readonly job?: string | undefined;
      /** The run record. */
      readonly record: string;
      readonly state: RecordState;
      /** The known outputs of the job, and those of them that are on disk. */
      readonly expected: number;
      readonly saved: number;
      readonly command: string;
    }
  | EndEvent;

/** What a server says about a job that failed. */
export interface FailureFields {
  /** The server's name for the error. */
  readonly type?: string | undefined;
  /** The node where it happened. */
  readonly nodeId?: string | undefined;
  readonly nodeType?: string | undefined;
  /** Lines of the server's own program, the call that failed last. */
  readonly traceback?: readonly string[] | undefined;
}

/** The last events of every command: the error if there was one, and `end` as the last line. */
export type EndEvent =
  | ({
      readonly event: 'error';
      readonly message: string;
      readonly nextAction: string;
      /** The music service's name for the error. */
      readonly code?: string | undefined;
    } & FailureFields)
  | {
      readonly event: 'end';
      readonly outcome: 'done' | 'failed' | 'cancelled' | 'usage' | 'notEnded' | 'outputsUnknown';
      readonly saved: number;
      readonly exitCode: number;
    };

/** How an output compares to the kept one. */
export type TestStatus =
  /** The same content. */
  | 'same'
  /** Within the threshold. */
  | 'close'
  | 'different'
  /** Kept, and no longer made. */
  | 'missing'
  /** Made, and not kept. */
  | 'notKept'
  /** With `--update`: kept for the first time, kept instead of another, no longer kept. */
  | 'kept'
  | 'updated'
  | 'removed';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Workflows that could not be run. */
  readonly errors: number;
  /** Kept, updated and removed outputs. */
  readonly updated: number;
}

/**
 * What `comfy-deck test --json` prints: one of these objects per line on standard output. Each workflow begins with
 * `start`; those events of `run --json` follow that tell of its job and its problems, then one `output` for each
 * output. Fields may be added; readers skip kinds they do not know.
 *
 * | event   | when                                                                     |
 * |---------|--------------------------------------------------------------------------|
 * | output  | an output was compared                                                   |
 * | summary | all workflows are tested                                                 |
 * | error   | why a workflow could not be run, or the command ended, and what to do    |
 * | end     | last: how it ended, how many outputs were kept, and the exit code        |
 */
export type TestEvent =
  | {
      readonly event: 'output';
      /** The workflow. */
      readonly file: string;
      /** The name of the kept output. */
      readonly output: string;
      readonly nodeId?: string | undefined;
      readonly status: TestStatus;
      /** Of two PNG pictures of the same size: 0 to 100, and the part of the pixels that differ, 0 to 1. */
      readonly distance?: number | undefined;
      readonly share?: number | undefined;
      readonly message?: string | undefined;
      /** The picture that shows the difference, and the output, if they were written. */
      readonly difference?: string | undefined;
      readonly actual?: string | undefined;
    }
  | ({ readonly event: 'summary' } & TestCounts)
  | Extract<JsonEvent, { event: 'error' | 'end' }>;

/** The values of one row: input -> JSON text, since many JSON readers cannot represent all numbers. */
type RowValues = Readonly<Record<string, string>>;

/**
 * What `comfy-deck batch --json`, and `run --json` with several rows, prints: one of these objects per line on standard
 * output. Rows count from 1. Fields may be added; readers skip kinds they do not know.
 *
 * | event   | when                                                                |
 * |---------|---------------------------------------------------------------------|
 * | plan    | first: how many rows there are, and what they may take              |
 * | values  | with --dry-run: a row                                               |
 * | uploads | files are about to be uploaded, or would have to be                 |
 * | server  | a server does not respond, is away, back, or left out               |
 * | row     | a row changed                                                       |
 * | saved   | an output is on disk                                                |
 * | summary | the batch has ended: where its record is, and how many rows are saved |
 * | error   | why the batch ended, and what to do                                 |
 * | end     | last: how it ended, and the exit code                               |
 */
export type BatchEvent =
  | {
      readonly event: 'plan';
      readonly rows: number;
      /** Rows that are still to run, if the batch was started before. */
      readonly left?: number | undefined;
      /** The addresses they are sent to. */
      readonly servers: readonly string[];
      /** Text files that values come from, relative to the folder of the batch file. */
      readonly textFiles: readonly string[];
      readonly axes: readonly { readonly inputs: readonly string[]; readonly steps: number }[];
      /** Seconds for the rows to run on these servers, by the median of earlier runs. */
      readonly estimatedSeconds?: number | undefined;
      /** `price`: the server's estimate for one run, in words. */
      readonly partners: readonly { readonly classType: string; readonly price?: string | undefined }[];
    }
  | { readonly event: 'values'; readonly row: number; readonly values: RowValues }
  | {
      readonly event: 'server';
      readonly server: string;
      readonly state: 'ready' | 'silent' | 'away' | 'out';
      readonly message: string;
    }
  | {
      readonly event: 'row';
      readonly row: number;
      readonly state: BatchRowState;
      readonly server?: string | undefined;
      readonly job?: string | undefined;
      /** The run record. */
      readonly record?: string | undefined;
      readonly message?: string | undefined;
      /** What its jobs cost so far, as the servers told it. */
      readonly credits?: number | undefined;
      readonly failure?: FailureFields | undefined;
    }
  | (SavedEvent & { readonly job: string })
  | {
      readonly event: 'summary';
      readonly batch: string;
      readonly counts: BatchCounts;
      /** What all rows cost, as the servers told it. */
      readonly credits?: number | undefined;
      /** Continues it; missing if everything is saved. */
      readonly command?: string | undefined;
    }
  | UploadsEvent
  | EndEvent;
