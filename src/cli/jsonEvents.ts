import type { ClosingEvent } from './closingEvent';

/**
 * What `comfy-deck run --json` prints: one of these objects per line on standard output, in this order of kinds, and
 * always `end` as the last one. Fields may be added; kinds that a reader does not know are to be skipped.
 *
 * | event     | when                                                                      |
 * |-----------|---------------------------------------------------------------------------|
 * | start     | first, once the arguments are understood                                   |
 * | stage     | a step before the job: checking, uploading, connecting, submitting, lookingForJob |
 * | problem   | something is wrong at a place of the file: an error, or a warning that does not stop the run |
 * | submitted | the server took the workflow; from here on it has a job                    |
 * | job       | the state of the job changed                                               |
 * | node      | a node started, stepped on or ended                                        |
 * | text      | a node showed a text                                                       |
 * | download  | a part of an output came                                                   |
 * | saved     | an output is whole on disk                                                 |
 * | error     | why the run failed, and what to do                                         |
 * | end       | last: how it ended, and the exit code                                      |
 */
export type JsonEvent =
  | { readonly event: 'start'; readonly file: string; readonly server: string; readonly out: string }
  | {
      readonly event: 'stage';
      readonly stage: 'checking' | 'uploading' | 'connecting' | 'submitting' | 'lookingForJob';
      /** The file that is uploaded. */
      readonly name?: string;
    }
  | {
      readonly event: 'problem';
      readonly severity: 'error' | 'warning';
      readonly nodeId: string;
      readonly input?: string;
      /** Both from 1; columns count UTF-16 units. */
      readonly line: number;
      readonly column: number;
      readonly message: string;
      /** Such as `value_not_in_list`. */
      readonly type: string;
    }
  | {
      readonly event: 'submitted';
      readonly job: string;
      /** `nodeId.input` -> digits; texts, since they do not fit into a number of JSON readers. */
      readonly seeds: Readonly<Record<string, string>>;
      /** False: the workflow was not checked before it was sent. */
      readonly checked: boolean;
    }
  | {
      readonly event: 'job';
      readonly job: string;
      readonly state: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'lost';
      /** 1 is next. */
      readonly queuePosition?: number;
    }
  | {
      readonly event: 'node';
      readonly nodeId: string;
      readonly name: string;
      readonly state: 'pending' | 'running' | 'finished' | 'cached' | 'error';
      readonly value: number;
      readonly max: number;
    }
  | { readonly event: 'text'; readonly nodeId: string; readonly text: string }
  | { readonly event: 'download'; readonly name: string; readonly bytes: number; readonly size?: number }
  | {
      readonly event: 'saved';
      readonly path: string;
      readonly bytes: number;
      readonly sha256: string;
      readonly nodeId: string;
    }
  | ClosingEvent;
