export interface Capabilities {
  readonly dialect: 'cloud' | 'local';
  /** The jobs endpoints are there; without them jobs are read from queue and history. */
  readonly jobs: boolean;
  /** False: ended jobs have only a status, and outputs are only in events. */
  readonly history: boolean;
  /** `POST /api/jobs/{id}/cancel` exists. Probing would cancel something, so the first cancellation finds out. */
  readonly jobCancel?: boolean;
  /** A single node type can be requested: `/api/object_info/{class}`. */
  readonly singleNodeInfo: boolean;
  readonly version?: string | undefined;
  readonly maxUploadBytes?: number | undefined;
}
