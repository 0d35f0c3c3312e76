import * as z from 'zod';

/**
 * The messages between the live preview panel and the extension host. The panel speaks first (`ready`); the host
 * answers with the whole state and sends the whole state again when it changes, so a lost message cannot leave the
 * panel wrong. Frames are separate because they are large: the next one is sent only after the last was painted.
 */

export type PreviewJobState = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'lost';

export interface PreviewNode {
  readonly id: string;
  readonly name: string;
  /** `leftOut`: the server accepted the workflow without it. */
  readonly state: 'pending' | 'running' | 'finished' | 'cached' | 'error' | 'leftOut';
  /** The state in words, or the progress: `step 14/20`. */
  readonly note: string;
  /** When it ran, ms since the epoch; the second is missing while it runs, both if unknown. */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** A message of a node, or of the server, about a run. */
export interface PreviewWords {
  /** Name of the node, or what to call the server. */
  readonly from: string;
  readonly text: string;
}

export type PreviewMedia = 'image' | 'video' | 'audio' | 'text' | 'other';

export interface PreviewOutput {
  /** Unique within the job; the panel refers to an output by it. */
  readonly key: string;
  readonly media: PreviewMedia;
  readonly name: string;
  readonly nodeName: string;
  /** For a file of kind `other`: what it is and why it isn't shown. */
  readonly about?: string | undefined;
  /** Address that the panel may load; missing until the file is in the workspace. */
  readonly source?: string;
  /** The same node's picture from the previous run. */
  readonly previous?: { readonly source: string; readonly name: string } | undefined;
  /** Shown but not saved. */
  readonly temporary?: true;
  readonly fetching?: boolean;
  readonly text?: string;
  /** Facts from the server, such as its size in pixels. */
  readonly facts?: string;
}

export interface PreviewFailure {
  /** One sentence that says what happened. */
  readonly title: string;
  /** The server's own words, possibly several lines. */
  readonly message: string;
  /** The next step; may be empty. */
  readonly nextAction: string;
  readonly nodeId?: string | undefined;
}

/** A run that did not start, shown instead of the previous run. */
export interface PreviewRefusal {
  readonly title: string;
  readonly server: string;
  /** Empty if the problems say it all. */
  readonly message: string;
  /** The next step; may be empty. */
  readonly nextAction: string;
  /** The problems, each with a place in the file to go to. */
  readonly problems: readonly string[];
  /** How many more problems there are than listed. */
  readonly more: number;
}

export interface PreviewJob {
  readonly id: string;
  readonly title: string;
  readonly server: string;
  readonly state: PreviewJobState;
  /** The state in words, such as `Running` or `Cancelling`. */
  readonly stateText: string;
  /** The server does not respond: no spinner. */
  readonly silent?: true | undefined;
  /** Completed with nodes left out by the server. */
  readonly incomplete: boolean;
  /** 0..1 over all nodes. */
  readonly fraction: number;
  /** Such as `7/12 nodes, step 14/20`. */
  readonly progressText: string;
  /** Steps of the node that runs now, 0..1; missing when it has none. */
  readonly stepFraction?: number | undefined;
  /** Start of a run in progress, ms since the epoch: the panel shows the elapsed time. */
  readonly startedAt?: number | undefined;
  /** How long it took, such as `0.4 s`, once it has ended. */
  readonly took?: string | undefined;
  /** Nodes in execution order. */
  readonly nodes: readonly PreviewNode[];
  /** The newest messages, latest last. */
  readonly words: readonly PreviewWords[];
  readonly outputs: readonly PreviewOutput[];
  readonly failure?: PreviewFailure | undefined;
  readonly cancellable: boolean;
  readonly hasSeeds: boolean;
}

export type ToPreview =
  /** `job` null: there is no job to show. A refusal is shown instead of the job. */
  | {
      readonly type: 'show';
      readonly job: PreviewJob | null;
      readonly refusal: PreviewRefusal | null;
    }
  | {
      readonly type: 'frame';
      readonly serial: number;
      readonly jobId: string;
      readonly nodeName: string;
      readonly mime: string;
      readonly image: Uint8Array<ArrayBuffer>;
    };

/** The actions on one output; `fetch` downloads a file that is only on the server. */
const outputAction = z.enum(['open', 'reveal', 'saveAs', 'copy', 'fetch']);
export type OutputAction = z.infer<typeof outputAction>;
const jobId = z.string();

export const previewMessages = z.discriminatedUnion('type', [
  // The job that the panel showed before a reload: what it kept may be of another version.
  z.object({ type: z.literal('ready'), jobId: jobId.optional().catch(undefined) }),
  z.object({ type: z.enum(['run', 'showProblems']) }),
  z.object({ type: z.literal('framePainted'), serial: z.number() }),
  z.object({ type: z.literal('runAgain'), jobId, seeds: z.enum(['keep', 'new']) }),
  z.object({ type: z.literal('goToProblem'), index: z.int() }),
  z.object({ type: z.enum(['cancel', 'showReport']), jobId }),
  z.object({ type: z.literal('selected'), jobId, key: z.string() }),
  z.object({ type: z.literal('goToNode'), jobId, nodeId: z.string() }),
  z.object({ type: z.literal('output'), action: outputAction, jobId, key: z.string() }),
]);
export type FromPreview = z.infer<typeof previewMessages>;
