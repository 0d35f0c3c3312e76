import type { Transport } from './transport';

/** What a server can do, found out by asking it (protocol 4.3). */
export interface Capabilities {
  readonly dialect: 'cloud' | 'local';
  /** The jobs endpoints are there; without them jobs are read from queue and history. */
  readonly jobs: boolean;
  /** `POST /api/jobs/{id}/cancel` is there; undefined until the first cancel has shown it. */
  readonly jobCancel?: boolean;
  /** One class can be asked for: `/api/object_info/{class}`. */
  readonly singleNodeInfo: boolean;
  readonly version?: string;
  readonly deployEnvironment?: string;
  readonly maxUploadBytes?: number;
  readonly maxConcurrentJobs?: number;
}

export declare function probeCapabilities(transport: Transport, signal?: AbortSignal): Promise<Capabilities>;
