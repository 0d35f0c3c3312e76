import * as z from 'zod';
import { failureInAnyForm } from './jobRecord';
import { type AssetIds, readAssetIds } from './outputFile';
import { nodeIdText, wireOptional } from './wire';

/** Where an upload was stored; the name may differ from the one sent (protocol 1.3). */
export interface UploadAnswer {
  readonly name: string;
  readonly subfolder: string;
  readonly type: string;
  /** Only on a server that keeps assets: the name above is still what a workflow uses. */
  readonly asset?: AssetIds | undefined;
}

export const uploadAnswer = z.object({
  name: wireOptional(z.string().min(1)),
  subfolder: z.string().catch(''),
  type: z.string().catch('input'),
  asset: z.unknown().optional().transform(readAssetIds),
});

/** Answer of `GET /api/job/{id}/status` (protocol 1.6). */
export const jobStatusAnswer = z.object({
  status: z.string(),
  error_message: wireOptional(failureInAnyForm),
});

/** Answer of `POST /api/jobs/{id}/cancel` (protocol 2.1). */
export const cancelAnswer = z.object({ cancelled: z.boolean() });

export interface SystemStats {
  readonly version?: string | undefined;
  /** Such as `cloud`, `local-git`; missing on older servers (protocol 2.5). */
  readonly deployEnvironment?: string | undefined;
}

const text = wireOptional(z.string());

/** Answer of `GET /api/system_stats`: `system` identifies a ComfyUI server. */
export const systemStats = z
  .object({
    system: z.object({
      comfyui_version: text,
      deploy_environment: text,
      cloud_version: z.unknown().optional(),
    }),
  })
  .transform(({ system }): SystemStats => ({
    version: system.comfyui_version,
    deployEnvironment: system.deploy_environment ?? (system.cloud_version ? 'cloud' : undefined),
  }));

/** Answer of `GET /api/features`. `maxUploadSize` in bytes. */
export const featuresAnswer = z
  .object({
    max_upload_size: wireOptional(z.number()),
  })
  .transform((raw) => ({
    maxUploadSize: raw.max_upload_size,
  }));

/** Answer of `GET /api/user`, the cheapest check of a key (protocol 2.5). */
export const userAnswer = z.object({ id: nodeIdText, status: text });
