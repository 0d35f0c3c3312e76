import type { NodePlace } from './runOrder';
import type { FileStore } from '../files/fileStore';
import type { PromptNodes, SandboxNode } from '../nodes/sandboxNode';
import type { ExecutionCache } from './executionCache';

/** What a run reports while it runs. The server turns it into frames and decides who gets them. */
export type SandboxRunEvent =
  /** A JSON message of protocol 3.3; `{type, data}` is sent as it is. */
  | { readonly kind: 'message'; readonly type: string; readonly data: Readonly<Record<string, unknown>> }
  /** A preview picture, for a binary frame of type 4 or, without negotiated metadata, type 1 (protocol 3.6). */
  | ({
      readonly kind: 'preview';
      readonly promptId: string;
      readonly image: Uint8Array;
    } & NodePlace)
  /** Text for a binary frame of type 3. */
  | { readonly kind: 'text'; readonly promptId: string; readonly nodeId: string; readonly text: string };

/** A message as the history keeps it. */
export type HistoryMessage = readonly [type: string, data: Readonly<Record<string, unknown>>];

/** How a run ended (protocol 4.2: the parts of a history entry that the run decides). */
export interface RunResult {
  readonly status: 'success' | 'error' | 'interrupted';
  /** Output records by node id, including cached nodes. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
  /** Per node with an output record: `{node_id, display_node, parent_node, real_node_id}`. */
  readonly meta: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly messages: readonly HistoryMessage[];
}

/** The run's clock. */
export interface RunClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface RunRequest {
  readonly promptId: string;
  /** The prompt, already checked (odd prompts fail as a job and never break the sandbox). */
  readonly prompt: PromptNodes;
  /** The same prompt as text, exactly as submitted. */
  readonly promptText: string;
  /** `extra_data.extra_pnginfo`. */
  readonly extraPnginfo?: Readonly<Record<string, unknown>> | undefined;
  /** `extra_data.api_key_comfy_org` or `auth_token_comfy_org`. */
  readonly partnerKey?: string | undefined;
  /** Ids of the output nodes to run. */
  readonly targets: readonly string[];
  readonly nodes: ReadonlyMap<string, SandboxNode>;
  /** Shared by the runs of one server. */
  readonly cache: ExecutionCache;
  readonly files: FileStore;
  /** Aborting interrupts the run between steps: it then resolves with the status `interrupted`. */
  readonly signal: AbortSignal;
  readonly emit: (event: SandboxRunEvent) => void;
  readonly clock: RunClock;
  /** `human`: a sampler step takes long enough to see; `fast`: no waiting. */
  readonly timing: 'fast' | 'human';
  /** Whether to make preview pictures (local servers: only on request, protocol 3.6). */
  readonly previews: boolean;
  /** A link to a missing node kills the real server's worker (protocol 7.2). `fail` fails the job, `hang` never ends. */
  readonly missingNode?: 'fail' | 'hang';
}
