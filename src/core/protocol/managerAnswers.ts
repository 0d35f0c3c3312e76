import * as z from 'zod';
import { plainText } from '../safety/plainText';
import { isRecord, wireOptional, wireObject } from './wire';

const isProcessing = { is_processing: z.boolean() };

/**
 * How much is left in the queue of ComfyUI-Manager (protocol 9.3). Only newer versions report how many wait; their
 * total excludes finished tasks, that of the others does not. A queue without counts does not count as empty: starting
 * it would start other people's tasks.
 */
export const managerQueueStatus = z.union([
  z
    .object({ ...isProcessing, pending_count: z.number(), in_progress_count: z.number() })
    .transform((raw) => statusOf(raw.is_processing, raw.pending_count + raw.in_progress_count)),
  z
    .object({ ...isProcessing, total_count: z.number(), done_count: z.number() })
    .transform((raw) => statusOf(raw.is_processing, raw.total_count - raw.done_count)),
]);

function statusOf(processing: boolean, remaining: number) {
  return { isProcessing: processing, remaining: Math.max(0, remaining) };
}

export interface ManagerTaskEnd {
  readonly isDone: boolean;
  /** The manager's message: just `failed` if its security level forbids the task. */
  readonly result: string | undefined;
}

const managerTask = z.object({
  result: wireOptional(z.string()),
  status: z.object({ status_str: z.string() }),
});

/** Undefined until the task has ended: the history is empty until then (protocol 9.4). */
export const managerHistory = z.object({ history: wireObject }).transform(({ history }) => {
  const task = managerTask.safeParse(history).data;
  if (!task) return undefined;
  const { status_str: status } = task.status;
  const end: ManagerTaskEnd = { isDone: status === 'success' || status === 'skip', result: task.result };
  return end;
});

export interface InstalledPack {
  readonly id: string;
  /** One line, whatever the folder's metadata contains; undefined if it has no version. */
  readonly version: string | undefined;
  readonly enabled: boolean;
}

const longestVersion = 100;

function versionOf(ver: unknown): string | undefined {
  const text = typeof ver === 'string' ? plainText(ver, 'one line', longestVersion) : '';
  return text === '' ? undefined : text;
}

/** By folder name; folders that are not packs of the registry have no id there and keep their name. */
export const installedPacks = wireObject.transform((folders) =>
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
