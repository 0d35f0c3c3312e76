import type { OutputFolder } from '../outputs/outputFolder';
import { newestRecords } from '../records/recordFile';

/** Run records that are looked at for earlier times. */
const mostRecords = 200;

/**
 * How long earlier runs of a workflow took on these servers, ms: the median of those in the folder.
 * @param servers their origins; none for any server
 * @throws the reason of an aborted signal
 */
export async function medianRunTime(
  folder: OutputFolder,
  label: string,
  servers: readonly string[],
  signal?: AbortSignal,
): Promise<number | undefined> {
  const times: number[] = [];
  for await (const { record } of newestRecords(folder, mostRecords)) {
    signal?.throwIfAborted();
    const { startedAt = '', endedAt = '', state, server } = record;
    if (record.label !== label || state !== 'saved') continue;
    if (servers.length > 0 && !servers.includes(server)) continue;
    const time = Date.parse(endedAt) - Date.parse(startedAt);
    if (time >= 0) times.push(time);
  }
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)];
}
