import type { NodeErrorMap } from './nodeErrors';

/** Answer to a prompt that was taken (protocol 1.5). */
export interface PromptAnswer {
  readonly promptId: string;
  readonly number?: number;
  /** Not empty: some output branches were left out, the others run. */
  readonly nodeErrors: NodeErrorMap;
}

/** Where an upload was stored; the name may differ from the one that was sent (protocol 1.3). */
export interface UploadAnswer {
  readonly name: string;
  readonly subfolder: string;
  readonly type: string;
}

export interface DeviceStats {
  readonly name: string;
  readonly type: string;
  readonly vramTotal?: number;
  readonly vramFree?: number;
}

export interface SystemStats {
  readonly version?: string;
  /** Such as `cloud`, `local-git`; missing on older servers (protocol 2.5). */
  readonly deployEnvironment?: string;
  readonly os?: string;
  readonly pythonVersion?: string;
  readonly devices: readonly DeviceStats[];
}

export interface Features {
  /** Bytes. */
  readonly maxUploadSize?: number;
  readonly maxConcurrentJobs?: number;
  readonly supportsPreviewMetadata?: boolean;
}

export interface UserAnswer {
  readonly id: string;
  readonly status?: string;
}
