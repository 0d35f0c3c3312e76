import type { CheckCode, Severity } from '../core/check/codes';
import type { JobNodeState, JobState } from '../core/jobs/job';
import type { RunPrice } from '../core/jobs/runPrice';
import type { RecordState } from '../core/records/runRecord';
import type { EndEvent } from './endEvent';
import type { UploadsEvent } from './uploadWords';

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
 * | stage     | a step before the job: checking, uploading, connecting, submitting, waiting, lookingForJob |
 * | uploads   | local files that are about to be sent, or that must not be                 |
 * | problem   | a problem at a place in the file: an error, or a warning that does not stop the run          |
 * | submitted | the server accepted the workflow; from here on there is a job              |
 * | queue     | the server reported how many jobs run or wait there                        |
 * | job       | the state of the job changed                                               |
 * | node      | a node started, made a step or ended                                       |
 * | words     | a node or the server sent a message about the run                          |
 * | price     | the job has ended: what it cost, as the server told it                     |
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
      readonly stage: 'checking' | 'uploading' | 'connecting' | 'submitting' | 'waiting' | 'lookingForJob';
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
