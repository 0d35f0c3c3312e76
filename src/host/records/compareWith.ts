import path from 'node:path';
import * as vscode from 'vscode';
import { jobTime } from '../../core/jobs/jobGroups';
import { jobLabelInSentence } from '../../core/jobs/jobWords';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordsIn } from '../../core/records/recordFile';
import type { RunRecord } from '../../core/records/runRecord';
import { comparableRunsInOrder, type RunToCompare, runToCompare } from '../../core/records/findRun';
import { mapDefined } from '../../core/safety/lists';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import { argumentRows } from '../jobs/jobCommands';
import { UserProblem } from '../platform/problems';
import { type ListRow, pickOne } from '../platform/show';
import { exactTime } from '../../core/safety/timeText';
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
  const jobs = [...ids]
    .map((id) => runs.runs.job(id))
    .filter((job) => job !== undefined)
    .sort((a, b) => jobTime(a) - jobTime(b));
  return Promise.all(jobs.map((job) => recordOfJob(job.id, jobLabelInSentence(job), runs.places.all())));
}

/** Undefined when dismissed. */
export async function pickOtherRun(
  uri: vscode.Uri,
  record: Pick<RunRecord, 'label' | 'sourceUri'>,
  folders: readonly vscode.Uri[],
  servers: Servers,
): Promise<vscode.Uri | undefined> {
  const found: RunToCompare<vscode.Uri>[] = [];
  for (const root of new Set([path.dirname(uri.fsPath), ...folders.map(({ fsPath }) => fsPath)])) {
    for await (const other of recordsIn(new NodeFolder(root), { newest: mostListed })) {
      const place = vscode.Uri.file(path.join(root, other.name));
      if (place.fsPath !== uri.fsPath) found.push(runToCompare(place, other.record, record));
    }
  }
  if (found.length === 0) {
    throw new UserProblem(
      shown`There is no other run to compare with.`,
      shown`Run the workflow again, or open the folder that contains the run record.`,
    );
  }
  const rows = withHeadings(comparableRunsInOrder(found), servers);
  const picked = await pickOne(rows, {
    title: shown`Compare ${record.label} With…`,
    placeHolder: shown`Select a run to compare with`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.place;
}

interface RunRow extends ListRow {
  readonly place?: vscode.Uri;
}

function withHeadings(runs: readonly RunToCompare<vscode.Uri>[], servers: Servers): readonly RunRow[] {
  const row = (run: RunToCompare<vscode.Uri>): RunRow => rowOf(run, servers);
  const same = runs.filter(({ isSameWorkflow }) => isSameWorkflow).map(row);
  const others = runs.filter(({ isSameWorkflow }) => !isSameWorkflow).map(row);
  const heading = (label: Shown, rows: readonly RunRow[]): readonly RunRow[] =>
    rows.length === 0 ? [] : [{ label, isSeparator: true }, ...rows];
  return [...heading(shown`Same workflow`, same), ...heading(shown`Other workflows`, others)];
}

function rowOf({ place, label, time, server, seeds }: RunToCompare<vscode.Uri>, servers: Servers): RunRow {
  const when = time === 0 ? undefined : shown`${exactTime(time)}`;
  return {
    place,
    label: shown`${label}`,
    description: Shown.join([when, shown`${servers.nameOf(server)}`]),
    detail: seeds.length === 0 ? undefined : shown`Seeds: ${shownList(seeds, mostSeeds)}`,
  };
}
