import type { OutputFolder } from '../outputs/outputFolder';
import { recordsIn } from '../records/recordFile';
import { recordJobOrigin } from '../records/recordSteps';
import { isOwed, type RunRecord } from '../records/runRecord';
import { OwnedRun, type RunPorts } from './ownedRun';
import type { RunSession } from './runSession';

/** A batch takes care of its own rows, and a sandbox ended with its window or command. */
function mayBeForgotten(record: RunRecord): boolean {
  const { job, serverKind, batch, expected } = record;
  return (
    isOwed(record) &&
    job !== undefined &&
    expected.length === 0 &&
    batch === undefined &&
    serverKind !== 'sandbox'
  );
}

export async function serversOfOpenRuns(folder: OutputFolder): Promise<ReadonlySet<string>> {
  const servers = new Set<string>();
  for await (const { record } of recordsIn(folder)) if (mayBeForgotten(record)) servers.add(record.server);
  return servers;
}

/**
 * Asks a server once about all unfinished runs of a folder, and records the forgotten ones as lost. Runs that another
 * window or command follows are left to it.
 * @param onMissing called with how many of them the server doesn't list at first
 * @throws ServerError when the server can't be reached
 */
export async function settleForgotten(
  { origin, tracker }: Pick<RunSession, 'origin' | 'tracker'>,
  ports: RunPorts,
  signal: AbortSignal,
  onMissing?: (count: number) => void,
): Promise<void> {
  const runs: OwnedRun[] = [];
  try {
    for await (const { name, record } of recordsIn(ports.folder)) {
      if (record.server !== origin || !mayBeForgotten(record)) continue;
      const run = await OwnedRun.open(name, ports);
      if (run instanceof OwnedRun) runs.push(run);
    }
    // Another command may have completed one before it was locked.
    const open = new Map(
      runs.flatMap((run) =>
        run.jobId !== undefined && mayBeForgotten(run.record) ? [[run.jobId, run] as const] : [],
      ),
    );
    const jobs = new Map([...open].map(([id, { record }]) => [id, recordJobOrigin(record)]));
    for (const id of await tracker.absent(jobs, signal, onMissing)) await open.get(id)?.giveUp('forgotten');
  } finally {
    for (const run of runs) await run.close();
  }
}
