/** The report of one node of a running job (protocol 3.3, `progress_state`). `state` is an open set. */
export interface ProgressNode {
  readonly nodeId: string;
  readonly value: number;
  readonly max: number;
  readonly state: 'pending' | 'running' | 'finished' | 'error' | (string & {});
  /** The node of the submitted prompt that stands for this one; differs from `nodeId` only for expanded nodes. */
  readonly displayNodeId: string;
}

export interface ExecutionFailure {
  /** Missing for infrastructure failures. */
  readonly nodeId?: string | undefined;
  readonly nodeType?: string | undefined;
  /** Open set: a Python class name or one of the cloud's names (protocol 7.3). */
  readonly exceptionType: string;
  readonly message: string;
  /** Server-side paths: shown on request only. */
  readonly traceback: readonly string[];
}

export type ImageMime = 'image/jpeg' | 'image/png';

/** A validated message of the event socket, JSON or binary (protocol 3.3, 3.6). Unknown types are ignored. */
export type ServerEvent =
  | {
      readonly type: 'status';
      readonly queueRemaining?: number | undefined;
    }
  | { readonly type: 'executionStart'; readonly promptId: string; readonly timestamp?: number }
  | {
      readonly type: 'executionCached';
      readonly promptId: string;
      readonly nodes: readonly string[];
      readonly timestamp?: number;
    }
  /** `nodeId` null: the run has ended, with or without success. After a reconnect `promptId` is missing. */
  | {
      readonly type: 'executing';
      readonly promptId?: string | undefined;
      readonly nodeId: string | null;
      readonly displayNodeId?: string | undefined;
    }
  | {
      readonly type: 'progress';
      readonly promptId?: string | undefined;
      readonly nodeId?: string | undefined;
      readonly value: number;
      readonly max: number;
    }
  | { readonly type: 'progressState'; readonly promptId: string; readonly nodes: readonly ProgressNode[] }
  /** `output` is the raw record (protocol 3.5), null for a cached node without a stored one. */
  | {
      readonly type: 'executed';
      readonly promptId: string;
      readonly nodeId: string;
      readonly displayNodeId: string;
      readonly output: Readonly<Record<string, unknown>> | null;
      readonly merge: boolean;
    }
  | { readonly type: 'executionSuccess'; readonly promptId: string; readonly timestamp?: number }
  /** `blocked`: one branch was blocked and the run continues (protocol 3.4), so this is not the end of the job. */
  | {
      readonly type: 'executionError';
      readonly promptId: string;
      readonly failure: ExecutionFailure;
      readonly blocked: boolean;
      readonly timestamp?: number;
    }
  | {
      readonly type: 'executionInterrupted';
      readonly promptId: string;
      readonly nodeId?: string | undefined;
      readonly timestamp?: number;
    }
  /** A status text from the cloud, never a state. `promptId` is missing until the job is known. */
  | {
      readonly type: 'notification';
      readonly text: string;
      readonly id?: string | undefined;
      readonly promptId?: string | undefined;
    }
  | { readonly type: 'featureFlags' }
  /** Without `nodeId` (empty), it belongs to the node that runs. */
  | {
      readonly type: 'progressText';
      readonly promptId?: string | undefined;
      readonly nodeId: string;
      readonly text: string;
      /** The text if `nodeId` is only its beginning: it is unless such a node runs (protocol 3.6). */
      readonly whole?: string | undefined;
    }
  /** A preview picture. Without ids (binary type 1) it belongs to the last job seen executing on this socket. */
  | {
      readonly type: 'preview';
      readonly promptId?: string | undefined;
      readonly nodeId?: string | undefined;
      readonly displayNodeId?: string | undefined;
      readonly mime: ImageMime;
      readonly image: Uint8Array;
    }
  /** A message that can't be read; `reason` is one sentence. Its content is requested from the server instead. */
  | { readonly type: 'dropped'; readonly reason: string }
  | { readonly type: 'unknown'; readonly name: string };
