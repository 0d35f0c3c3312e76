import * as z from 'zod';
import { plainText } from '../safety/plainText';
import { isRecord, optional, record } from './wire';

/** How much the queue of ComfyUI-Manager still has to do (protocol 9.3). */
export interface ManagerQueueStatus {
  readonly isProcessing: boolean;
  /** Tasks that run or wait, whoever queued them. */
  readonly remaining: number;
}

const isProcessing = { is_processing: z.boolean() };

/**
 * Only newer versions say how many wait; their total leaves out what is done, that of the others does not. A queue that
 * does not tell its counts is not taken for an empty one: starting it would start what others wait for.
 */
export const managerQueueStatus = z.union([
  z
    .object({ ...isProcessing, pending_count: z.number(), in_progress_count: z.number() })
    .transform((raw) => statusOf(raw.is_processing, raw.pending_count + raw.in_progress_count)),
  z
    .object({ ...isProcessing, total_count: z.number(), done_count: z.number() })
    .transform((raw) => statusOf(raw.is_processing, raw.total_count - raw.done_count)),
]);

function statusOf(processing: boolean, remaining: number): ManagerQueueStatus {
  return { isProcessing: processing, remaining: Math.max(0, remaining) };
}

/** Whether version 4 shows the older interface, which comes with other endpoints (protocol 9.1). */
export const legacyManager = z
  .object({ is_legacy_manager_ui: z.boolean().catch(false) })
  .transform((raw) => raw.is_legacy_manager_ui);

/** Ids of what version 4 did not queue, from the older interface's batch. */
export const managerBatch = z
  .object({ failed: z.array(z.unknown()).catch([]) })
  .transform((raw) => raw.failed);

/** How one task of version 4 ended. */
export interface ManagerTaskEnd {
  readonly isDone: boolean;
  /** What the manager says of it: `failed` and nothing else where its security level forbids it. */
  readonly result: string | undefined;
}

const managerTask = z.object({
  result: optional(z.string()),
  status: z.object({ status_str: z.string() }),
});

/** Undefined while the task has not ended: the history is empty then (protocol 9.4). */
export const managerHistory = z.object({ history: record }).transform(({ history }) => {
  const task = managerTask.safeParse(history).data;
  if (!task) return undefined;
  const { status_str: status } = task.status;
  const end: ManagerTaskEnd = { isDone: status === 'success' || status === 'skip', result: task.result };
  return end;
});

/** A pack in the server's folder of packs. */
export interface InstalledPack {
  readonly id: string;
  /** One line, however the folder calls itself; undefined where it does not. */
  readonly version: string | undefined;
  readonly enabled: boolean;
}

/** Longest version that is told, in characters. */
const longestVersion = 100;

function versionOf(ver: unknown): string | undefined {
  const text = typeof ver === 'string' ? plainText(ver, 'one line', longestVersion) : '';
  return text === '' ? undefined : text;
}

/** By folder name; what is no pack of the registry has no id there and keeps the name of its folder. */
export const installedPacks = record.transform((folders) =>
  Object.entries(folders).flatMap(([folder, pack]): InstalledPack[] => {
    if (!isRecord(pack)) return [];
    const { cnr_id: id, ver, enabled } = pack;
    return [
      {
        id: typeof id === 'string' && id !== '' ? id : folder,
        version: versionOf(ver),
        enabled: enabled !== false,
      },
    ];
  }),
);
