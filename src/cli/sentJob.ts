import { isRecordName } from '../core/outputs/recordName';
import { CommandProblem, commandTrouble } from './commandProblem';
import { commandPorts } from './commandPorts';
import type { RunReport } from './runReport';
import path from 'node:path';
import { throwJsonLimit } from '../core/json/boundedJson';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { sweepFolder } from '../core/records/claimRecord';
import { type ListedRecord, recordNamed, recordsIn } from '../core/records/recordFile';
import { OwnedRun, type RunPorts } from '../core/runLife/ownedRun';
import type { Arguments } from './commandArguments';
import type { Secrets } from '../core/safety/secrets';
import { t } from '../core/safety/localize';

export type SentJobArguments = Arguments<'fetch' | 'wait' | 'cancel' | 'forget'>;

export interface SentJob {
  /** Missing for a record whose prompt may never have been accepted. */
  readonly jobId: string | undefined;
  /** Missing for a job that was not run from here. */
  readonly record: ListedRecord | undefined;
  readonly ports: RunPorts;
}

/** Shorter prefixes of an id too easily match someone else's job. */
const shortestId = 6;

/** Finds a record by its own path, or by the job's ID or a prefix of it. */
export async function findSentJob(
  { job, out, saveTemporary: temporaryToo }: SentJobArguments,
  secrets: Secrets,
  report: RunReport,
): Promise<SentJob> {
  const portsIn = (folder: NodeFolder): RunPorts =>
    commandPorts({ folder, secrets, isSandbox: false, temporaryToo, report });
  if (isRecordName(job)) return byRecord(job, out, portsIn);
  const folder = new NodeFolder(out);
  const exact: ListedRecord[] = [];
  const begun: ListedRecord[] = [];
  for await (const listed of recordsIn(folder, (error) => report.trouble(commandTrouble(error)))) {
    const id = listed.record.job;
    if (id === job) {
      exact.push(listed);
      break;
    }
    // One more shows that there are several.
    if (job.length >= shortestId && id?.startsWith(job) === true && isOther(begun, id)) {
      begun.push(listed);
    }
  }
  const [first, second] = exact.length > 0 ? exact.slice(0, 1) : begun;
  if (second) {
    throw new CommandProblem(t`Several job IDs start with ${job}.`, t`Specify the full ID.`);
  }
  return { jobId: first?.record.job ?? job, record: first, ports: portsIn(folder) };
}

/** Keeps the first match of a prefix, and the first of a different job, which makes the prefix ambiguous. */
function isOther([first, second]: readonly ListedRecord[], id: string): boolean {
  return second === undefined && first?.record.job !== id;
}

async function byRecord(
  file: string,
  out: string,
  portsIn: (folder: NodeFolder) => RunPorts,
): Promise<SentJob> {
  const name = path.basename(file);
  for (const root of [path.dirname(file), out]) {
    const folder = new NodeFolder(root);
    void sweepFolder(folder, { mayEnd: true }).catch(() => undefined);
    const record = await recordNamed(folder, name, throwJsonLimit);
    if (record) return { jobId: record.record.job, record, ports: portsIn(folder) };
  }
  throw new CommandProblem(
    t`There is no run record ${file}.`,
    t`List the runs with missing outputs: comfy-deck jobs --out DIR.`,
  );
}

export async function openRun({ record, ports }: SentJob): Promise<OwnedRun | undefined> {
  if (!record) return undefined;
  const run = await OwnedRun.open(record.name, ports);
  if (run !== 'locked') return run;
  throw new CommandProblem(
    t`Another window or command is tracking this run and will save its outputs.`,
    t`Wait for it to finish, then fetch anything that's still missing.`,
  );
}
