import path from 'node:path';
import type * as vscode from 'vscode';
import { jobTime } from '../../core/jobs/jobGroups';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import type { Run } from '../../core/runLife/run';
import { readRuns } from '../../core/runLife/runIndex';
import type { RunRecord } from '../../core/records/runRecord';
import { mapDefined } from '../../core/safety/lists';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import { argumentRows } from '../jobs/jobCommands';
import { UserProblem } from '../platform/problems';
import { type ListRow, pickOne } from '../platform/show';
import { exactTime } from '../../core/safety/timeText';
import { uriInRun } from '../runs/runFolders';
import type { WindowRuns } from '../runs/windowRuns';
import type { Servers } from '../servers/servers';
import { recordOfJob } from './readRecord';

const mostListed = 200;
const mostSeeds = 3;

/** The records of the jobs that a menu of the Jobs view tells, the earlier one first; undefined if it tells none. */
export async function recordsOfRows(
  args: readonly unknown[],
  runs: WindowRuns,
): Promise<readonly vscode.Uri[] | undefined> {
  const ids = new Set(mapDefined(argumentRows(args), ({ jobId }) => jobId));
  if (ids.size === 0) return undefined;
  await runs.ready();
  const jobs = mapDefined([...ids], (id) => runs.runs.job(id)).sort((a, b) => jobTime(a) - jobTime(b));
  return jobs.map(({ id }) => recordOfJob(id, runs.runs));
}

/** Undefined when dismissed. */
export async function pickOtherRun(
  uri: vscode.Uri,
  record: Pick<RunRecord, 'label' | 'sourceUri'>,
  folders: readonly vscode.Uri[],
  servers: Servers,
): Promise<vscode.Uri | undefined> {
  const found: Run[] = [];
  for (const root of new Set([path.dirname(uri.fsPath), ...folders.map(({ fsPath }) => fsPath)])) {
    const runs = await readRuns(root, new NodeFolder(root), mostListed);
    found.push(...runs.filter((run) => uriInRun(run, run.place.record).fsPath !== uri.fsPath));
  }
  found.sort((a, b) => b.facts.time - a.facts.time);
  if (found.length === 0) {
    throw new UserProblem(
      shown`There is no other run to compare with.`,
      shown`Run the workflow again, or open the folder that contains the run record.`,
    );
  }
  const name = record.sourceUri ?? record.label;
  const [same = [], others = []] = [true, false].map((isSame) =>
    found.filter(({ facts }) => ((facts.source ?? facts.label) === name) === isSame),
  );
  const rows = [
    ...withHeading(shown`Same workflow`, same, servers),
    ...withHeading(shown`Other workflows`, others, servers),
  ];
  const picked = await pickOne(rows, {
    title: shown`Compare ${record.label} With…`,
    placeHolder: shown`Select a run to compare with`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.place;
}

type RunRow = ListRow & { readonly place?: vscode.Uri };

function withHeading(label: Shown, runs: readonly Run[], servers: Servers): readonly RunRow[] {
  return runs.length === 0 ? [] : [{ label, isSeparator: true }, ...runs.map((run) => rowOf(run, servers))];
}

function rowOf(run: Run, servers: Servers): RunRow {
  const { label, time, server, seeds } = run.facts;
  const when = time === 0 ? undefined : shown`${exactTime(time)}`;
  return {
    place: uriInRun(run, run.place.record),
    label: shown`${label}`,
    description: Shown.join([when, shown`${servers.nameOf(server)}`]),
    detail: seeds.length === 0 ? undefined : shown`Seeds: ${shownList(seeds, mostSeeds)}`,
  };
}
