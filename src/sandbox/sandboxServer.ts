import { type Dialect, isCloudDialect } from './dialect';
import type { EventSockets } from './events/eventSockets';
import type { ExecutionCache } from './execution/executionCache';
import type { FileStore } from './files/fileStore';
import type { StorageOrigin } from './files/storageOrigin';
import type { NodeDefinitionJson, SandboxNode } from './nodes/sandboxNode';
import type { RequestGuard } from './http/requestGuard';
import type { SandboxManager } from './registry/sandboxManager';
import type { RunResult } from './execution/runRequest';
import type { MusicPlan } from './music/musicLines';
import type { JobQueue, SubmissionCounter } from './queue/jobQueue';
import type { SandboxJob } from './queue/sandboxJob';
import type { PackStore } from './registry/packStore';

/** The shared state of one sandbox's routes. */
export interface SandboxServer {
  readonly dialect: Dialect;
  /** The only accepted key; undefined: no key is needed. */
  readonly apiKey: string | undefined;
  readonly concurrency: number;
  /** `human`: work takes long enough to watch. */
  readonly timing: 'fast' | 'human';
  readonly maxBodyBytes: number;
  /** Previews without a request for them, as on the cloud or on a local server with previews enabled. */
  readonly previews: boolean;
  readonly guard: RequestGuard;
  readonly files: FileStore;
  readonly nodes: ReadonlyMap<string, SandboxNode>;
  /** The current entries of `/object_info`: loaders list the existing files. */
  readonly definitions: () => Readonly<Record<string, NodeDefinitionJson>>;
  readonly queue: JobQueue;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly run: (job: SandboxJob, signal: AbortSignal) => Promise<RunResult>;
  /** The music for a request, in pieces of its lines. */
  readonly makeMusic: (
    plan: MusicPlan,
    gone: AbortSignal,
  ) => Iterable<string> | AsyncIterable<string | Buffer>;
  /** How many pieces of music are made at once. */
  readonly musicStreams: () => number;
  readonly counter: SubmissionCounter;
  /** Results of earlier runs. */
  readonly cache: () => ExecutionCache;
  readonly forgetResults: () => void;
  readonly sockets: EventSockets;
  /** The sandbox's node registry. */
  readonly packs: PackStore;
  /** ComfyUI-Manager, if the local server has it. */
  readonly manager: SandboxManager | undefined;
  /** Forgets all jobs and results, and drops the sockets. */
  readonly restart: () => void;
  /** A restart that makes the nodes of the installed packs available. */
  readonly loadPacks: () => void;
  /** Cloud only. */
  readonly storage: StorageOrigin | undefined;
}

export function isCloud(server: SandboxServer): boolean {
  return isCloudDialect(server.dialect);
}

/** Sends everyone the `status` message whenever the number of jobs may have changed (protocol 3.3). */
export function sendQueueSize(server: Pick<SandboxServer, 'sockets' | 'queue' | 'dialect'>): void {
  server.sockets.send(undefined, { type: 'status', data: queueStatus(server) });
}

/** In the documentation the number is directly in the message, in the service it is nested. */
export function queueStatus({ queue, dialect }: Pick<SandboxServer, 'queue' | 'dialect'>): object {
  if (dialect === 'documented') return { queue_remaining: queue.remaining };
  return { status: { exec_info: { queue_remaining: queue.remaining } } };
}
