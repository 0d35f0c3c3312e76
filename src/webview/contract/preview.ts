/**
 * What the live preview panel and the extension host say to each other. The panel speaks first (`ready`); the host
 * answers with the whole state and sends the whole state again when it changes, so a lost message cannot leave the
 * panel wrong. Frames travel apart because they are large: the next one is sent only after the last was painted.
 */

export type PreviewJobState = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'lost';

export interface PreviewNode {
  readonly id: string;
  readonly name: string;
  /** `leftOut`: the server took the workflow without it. */
  readonly state: 'pending' | 'running' | 'finished' | 'cached' | 'error' | 'leftOut';
  /** The state in words, or how far it is: `step 14/20`. */
  readonly note: string;
  /** When it ran, ms since the epoch; the second is missing while it runs, both when that is not known. */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** Words of a node, or of the server, about a run. */
export interface PreviewWords {
  /** Name of the node; empty for the server itself. */
  readonly from: string;
  readonly text: string;
}

export type PreviewMedia = 'image' | 'video' | 'audio' | 'text' | 'other';

/** One thing a run produced. */
export interface PreviewOutput {
  /** Stable within the job; the panel names an output by it. */
  readonly key: string;
  readonly media: PreviewMedia;
  /** File name, or the node's name for text. */
  readonly name: string;
  /** Name of the node that made it. */
  readonly nodeName: string;
  /** What it is and why it is not shown; of a file that is `other`. */
  readonly about?: string | undefined;
  /** Address that the panel may load; missing while the file is not in the workspace. */
  readonly source?: string;
  /** The picture that the same node made in the run before. */
  readonly previous?: { readonly source: string; readonly name: string } | undefined;
  /** It is shown and not saved. */
  readonly temporary?: true;
  /** The file is on its way from the server. */
  readonly fetching?: boolean;
  /** Content of a text output. */
  readonly text?: string;
}

export interface PreviewFailure {
  /** One sentence: what happened. */
  readonly title: string;
  /** The server's own words, possibly several lines. */
  readonly message: string;
  /** What to do next; may be empty. */
  readonly nextAction: string;
  readonly nodeId?: string | undefined;
}

/** A run that did not start: it is shown in place of the run before it. */
export interface PreviewRefusal {
  /** Name of the workflow. */
  readonly title: string;
  readonly server: string;
  /** Empty where the problems say it all. */
  readonly message: string;
  /** What to do next; may be empty. */
  readonly nextAction: string;
  /** What is wrong, each at a place of the file that can be gone to. */
  readonly problems: readonly string[];
  /** So many problems more than are listed. */
  readonly more: number;
}

export interface PreviewJob {
  readonly id: string;
  readonly title: string;
  readonly server: string;
  readonly state: PreviewJobState;
  /** The state in words, such as `Running` or `Cancelling`. */
  readonly stateText: string;
  /** The server does not answer: nothing turns. */
  readonly silent?: true | undefined;
  /** Completed with nodes left out by the server. */
  readonly incomplete: boolean;
  /** 0..1 over all nodes. */
  readonly fraction: number;
  /** Such as `7/12 nodes, step 14/20`. */
  readonly progressText: string;
  /** Steps of the node that runs now, 0..1; missing when it has none. */
  readonly stepFraction?: number | undefined;
  /** Of a run that goes on and is heard of, ms since the epoch: the time since then is shown. */
  readonly startedAt?: number | undefined;
  /** How long it took, such as `0.4 s`, when it is over. */
  readonly took?: string | undefined;
  /** In the order in which they ran. */
  readonly nodes: readonly PreviewNode[];
  /** The newest words, the last of them said last. */
  readonly words: readonly PreviewWords[];
  readonly outputs: readonly PreviewOutput[];
  readonly failure?: PreviewFailure | undefined;
  readonly cancellable: boolean;
  /** It was sent with seeds that can be drawn anew. */
  readonly hasSeeds: boolean;
}

export type ToPreview =
  /** `job` null: there is no job to show. A refusal stands before the job. */
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

/** What can be done with one output; `fetch` brings a file that is only on the server. */
export const outputActions = ['open', 'reveal', 'saveAs', 'copy', 'fetch'] as const;
export type OutputAction = (typeof outputActions)[number];

export type FromPreview =
  /** `jobId`: the job that the panel showed before it was reloaded. */
  | { readonly type: 'ready'; readonly jobId?: string | undefined }
  /** The output that is shown from now on. */
  | { readonly type: 'selected'; readonly jobId: string; readonly key: string }
  | { readonly type: 'framePainted'; readonly serial: number }
  | { readonly type: 'cancel'; readonly jobId: string }
  | { readonly type: 'run' }
  | { readonly type: 'runAgain'; readonly jobId: string; readonly seeds: 'keep' | 'new' }
  /** Of the refusal that is shown: `index` counts its problems. */
  | { readonly type: 'goToProblem'; readonly index: number }
  | { readonly type: 'showProblems' }
  | { readonly type: 'showReport'; readonly jobId: string }
  | { readonly type: 'goToNode'; readonly jobId: string; readonly nodeId: string }
  | { readonly type: 'output'; readonly action: OutputAction; readonly jobId: string; readonly key: string };
