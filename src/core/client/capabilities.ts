/** What a server can do, found out by asking it (protocol 4.3). */
export interface Capabilities {
  readonly dialect: 'cloud' | 'local';
  /** The jobs endpoints are there; without them jobs are read from queue and history. */
  readonly jobs: boolean;
  /** False: what has ended is told by its status alone, and its outputs by the event socket alone. */
  readonly history: boolean;
  /**
   * `POST /api/jobs/{id}/cancel` is there. Asking would cancel something, so the probe leaves it open and the client
   * learns it with the first cancel.
   */
  readonly jobCancel?: boolean;
  /** One class can be asked for: `/api/object_info/{class}`. */
  readonly singleNodeInfo: boolean;
  readonly version?: string | undefined;
  readonly deployEnvironment?: string | undefined;
  readonly maxUploadBytes?: number | undefined;
  readonly maxConcurrentJobs?: number | undefined;
}
