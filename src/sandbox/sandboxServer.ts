import { type Dialect, isCloudDialect } from './dialect';
import type { EventSockets } from './events/eventSockets';
import type { ExecutionCache } from './execution/executionCache';
import type { FaultController } from './faults/faultController';
import type { FileStore } from './files/fileStore';
import type { StorageOrigin } from './files/storageOrigin';
import type { NodeDefinitionJson, SandboxNode } from './nodes/sandboxNode';
import type { RequestGuard } from './http/requestGuard';
import type { RawStates } from './faults/rawStates';
import type { JobQueue } from './queue/jobQueue';
import type { SubmissionCounter } from './queue/submissionCounter';
import type { PackStore } from './registry/packStore';

/** What the routes of one sandbox share. */
export interface SandboxServer {
  readonly dialect: Dialect;
  /** The one key that is accepted; undefined: none is asked for. */
  readonly apiKey: string | undefined;
  readonly concurrency: number;
  /** `human`: what is made takes long enough to watch. */
  readonly timing: 'fast' | 'human';
  readonly maxBodyBytes: number;
  /** Previews without being asked for, as a local server that was started so, or the cloud. */
  readonly previews: boolean;
  readonly guard: RequestGuard;
  readonly faults: FaultController;
  /** What a request must bring to look at the faults or to switch them. */
  readonly faultToken: string;
  readonly rawStates: RawStates;
  readonly files: FileStore;
  readonly nodes: ReadonlyMap<string, SandboxNode>;
  /** Entries of `/object_info` as of now: loaders list the files that are there. */
  readonly definitions: () => Readonly<Record<string, NodeDefinitionJson>>;
  readonly queue: JobQueue;
  /** The server's clock: milliseconds since 1970, as far as it is right. */
  readonly now: () => number;
  readonly counter: SubmissionCounter;
  /** Results of earlier runs. */
  readonly cache: () => ExecutionCache;
  readonly forgetResults: () => void;
  readonly sockets: EventSockets;
  /** The node registry that the sandbox keeps. */
  readonly packs: PackStore;
  /** Of the cloud only. */
  readonly storage: StorageOrigin | undefined;
}

export function isCloud(server: SandboxServer): boolean {
  return isCloudDialect(server.dialect);
}
