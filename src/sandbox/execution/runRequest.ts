import type { FileStore } from '../files/fileStore';
import type { PromptNodes, SandboxNode } from '../nodes/sandboxNode';
import type { ExecutionCache } from './executionCache';
import type { SandboxRunEvent } from './runEvent';

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
