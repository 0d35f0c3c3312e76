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

export interface SandboxServer {
  readonly dialect: Dialect;
  readonly apiKey: string | undefined;
  readonly concurrency: number;
  readonly timing: 'fast' | 'human';
  readonly maxBodyBytes: number;
  readonly previews: boolean;
  readonly guard: RequestGuard;
  readonly files: FileStore;
  readonly nodes: ReadonlyMap<string, SandboxNode>;
  readonly definitions: () => Readonly<Record<string, NodeDefinitionJson>>;
  readonly queue: JobQueue;
  readonly now: () => number;
  readonly run: (job: SandboxJob, signal: AbortSignal) => Promise<RunResult>;
  readonly makeMusic: (
    plan: MusicPlan,
    gone: AbortSignal,
  ) => Iterable<string> | AsyncIterable<string | Buffer>;
  readonly musicStreams: () => number;
  readonly counter: SubmissionCounter;
  readonly cache: () => ExecutionCache;
  readonly forgetResults: () => void;
  readonly sockets: EventSockets;
  readonly packs: PackStore;
  readonly manager: SandboxManager | undefined;
  /** Forgets all jobs and results, and drops the sockets. */
  readonly restart: () => void;
  readonly loadPacks: () => void;
  /** Cloud only. */
  readonly storage: StorageOrigin | undefined;
}

export function isCloud(server: SandboxServer): boolean {
  return isCloudDialect(server.dialect);
}

/** Sends everyone `status` when the number of jobs may have changed (protocol 3.3). */
export function sendQueueSize(server: Pick<SandboxServer, 'sockets' | 'queue' | 'dialect'>): void {
  server.sockets.send(undefined, { type: 'status', data: queueStatus(server) });
}

/** In the documentation the number is directly in the message, in the service it is nested. */
export function queueStatus({ queue, dialect }: Pick<SandboxServer, 'queue' | 'dialect'>): object {
  if (dialect === 'documented') return { queue_remaining: queue.remaining };
  return { status: { exec_info: { queue_remaining: queue.remaining } } };
}
