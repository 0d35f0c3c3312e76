import type { NodePlace } from './runOrder';
import type { FileStore } from '../files/fileStore';
import type { PromptNodes, SandboxNode } from '../nodes/sandboxNode';
import type { ExecutionCache } from './executionCache';

export type SandboxRunEvent =
  /** Sent as it is (protocol 3.3). */
  | { readonly kind: 'message'; readonly type: string; readonly data: Readonly<Record<string, unknown>> }
  /** Binary type 4, or type 1 without negotiated metadata (protocol 3.6). */
  | ({
      readonly kind: 'preview';
      readonly promptId: string;
      readonly image: Uint8Array;
    } & NodePlace)
  /** Binary type 3. */
  | { readonly kind: 'text'; readonly promptId: string; readonly nodeId: string; readonly text: string };

export type HistoryMessage = readonly [type: string, data: Readonly<Record<string, unknown>>];

/** The parts of a history entry that a run decides (protocol 4.2). */
export interface RunResult {
  readonly status: 'success' | 'error' | 'interrupted';
  /** By node ID; cached nodes too. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
  /** `{node_id, display_node, parent_node, real_node_id}` of nodes with output records. */
  readonly meta: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly messages: readonly HistoryMessage[];
}

export interface RunClock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface RunRequest {
  readonly promptId: string;
  /** Already checked: odd prompts fail as a job and never break the sandbox. */
  readonly prompt: PromptNodes;
  readonly promptText: string;
  /** `extra_data.extra_pnginfo`. */
  readonly extraPnginfo?: Readonly<Record<string, unknown>> | undefined;
  /** `extra_data.api_key_comfy_org` or `auth_token_comfy_org`. */
  readonly partnerKey?: string | undefined;
  readonly targets: readonly string[];
  readonly nodes: ReadonlyMap<string, SandboxNode>;
  readonly cache: ExecutionCache;
  readonly files: FileStore;
  /** Interrupts the run between steps: its status is then `interrupted`. */
  readonly signal: AbortSignal;
  readonly emit: (event: SandboxRunEvent) => void;
  readonly clock: RunClock;
  readonly timing: 'fast' | 'human';
  /** Whether to make preview pictures (local servers: only on request, protocol 3.6). */
  readonly previews: boolean;
  /**
   * A link to a missing node kills the real server's worker (protocol 7.2). `fail` fails the job, `hang` never ends.
   */
  readonly missingNode?: 'fail' | 'hang';
}
