import path from 'node:path';
import { MayStillRun, type CancelResult } from '../core/jobs/cancelJobs';
import { cachedOutputsWords, unheardOutputs, unknownOutputsWords } from '../core/jobs/outputCount';
import { filesWorthSaving, isRecordName } from '../core/outputs/outputNames';
import { savingRecord, settledRecord } from '../core/records/recordSteps';
import { findOwedJob, type OwedJob, resumeRun, saveForeign } from '../core/runLife/resumeRun';
import { RunLeft, type RunEnd } from '../core/runLife/runEnd';
import { type RunEvent, OwnedRun, type RunPorts } from '../core/runLife/ownedRun';
import { costsNothing } from '../core/runs/costsNothing';
import { CommandProblem, readApiKey, type Trouble, commandTrouble } from './commandProblem';
import {
  cancelWords,
  noOutputsWords,
  owedTrouble,
  tellOwed,
  troubleOfJob,
  commandPorts,
} from './commandPorts';
import { CommandServer } from './commandServer';
import type { Ending } from './commandReport';
import { RunReport } from './runReport';
import { type CommandContext, exitCodes, listenForInterruption } from './terminal';
import { t } from '../core/safety/localize';
import { exactTime } from '../core/safety/timeText';
import { throwJsonLimit } from '../core/json/boundedJson';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { removeDeadLocks } from '../core/records/claimRecord';
import { type ListedRecord, recordNamed, recordsIn } from '../core/records/recordFile';
import type { Arguments } from './commandArguments';
import type { Secrets } from '../core/safety/secrets';

type SentJobArguments = Arguments<'fetch' | 'wait' | 'cancel' | 'forget'>;

interface SentJob {
  /** Missing for a record whose prompt may never have been accepted. */
  readonly jobId: string | undefined;
  /** Missing for a job that was not run from here. */
  readonly record: ListedRecord | undefined;
  readonly ports: RunPorts;
}

/** Shorter prefixes of an id too easily match someone else's job. */
const shortestId = 6;

/** Finds a record by its own path, or by the job's ID or a prefix of it. */
async function findSentJob(
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
  const skipped = (error: Error): void => report.trouble(commandTrouble(error));
  for await (const listed of recordsIn(folder, { skipped })) {
    const id = listed.record.job;
    if (id === job) {
      exact.push(listed);
      break;
    }
    // A second match shows that there are several.
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
    void removeDeadLocks(folder, { mayEnd: true }).catch(() => undefined);
    const record = await recordNamed(folder, name, throwJsonLimit);
    if (record) return { jobId: record.record.job, record, ports: portsIn(folder) };
  }
  throw new CommandProblem(
    t`There is no run record ${file}.`,
    t`List the runs with missing outputs: comfy-deck jobs --out DIR.`,
  );
}

async function openRun({ record, ports }: SentJob): Promise<OwnedRun | undefined> {
  if (!record) return undefined;
  const run = await OwnedRun.open(record.name, ports);
  if (run !== 'locked') return run;
  throw new CommandProblem(
    t`Another window or command is tracking this run and will save its outputs.`,
    t`Wait for it to finish, then fetch anything that's still missing.`,
  );
}

interface Result {
  readonly outcome: Ending;
  readonly saved?: number;
}

export async function sentJobCommand(options: SentJobArguments, context: CommandContext): Promise<number> {
  const report = new RunReport(context.terminal, options.json, options.traceback);
  const { signal, forget } = listenForInterruption(context.terminal, {
    // The job continues: another command started it.
    reason: new RunLeft(),
    whenClosed: exitCodes.cancelled,
  });
  let result: Result;
  try {
    result = await carryOut(options, context, report, signal);
    if (signal.aborted && result.outcome === 'failed') result = { ...result, outcome: 'cancelled' };
  } catch (error) {
    if (!signal.aborted) report.trouble(commandTrouble(error));
    result = { outcome: signal.aborted ? 'cancelled' : 'failed' };
  } finally {
    forget();
  }
  return report.end(result.outcome, result.saved);
}

async function carryOut(
  options: SentJobArguments,
  context: CommandContext,
  report: RunReport,
  signal: AbortSignal,
): Promise<Result> {
  const sent = await findSentJob(options, context.secrets, report);
  if (options.command === 'forget') return forget(sent, options, report);
  const server = options.server ?? sent.record?.record.server;
  if (server === undefined)
    throw noRecord(options, t`Specify its server with --server, or the folder of its run record with --out.`);
  const key = readApiKey(options.keyEnv, context.terminal);
  const opened = await CommandServer.open(server, key, context, (words) => report.say(words));
  const command = new SentJobCommand(options, sent, opened, report, signal);
  try {
    return await (options.command === 'cancel' ? command.cancel() : command.save());
  } finally {
    await opened.close();
  }
}

function noRecord({ out, job }: SentJobArguments, nextAction: string): CommandProblem {
  return new CommandProblem(t`The folder ${out} has no run record for job ${job}.`, nextAction);
}

/** No server is asked. */
async function forget(sent: SentJob, options: SentJobArguments, report: RunReport): Promise<Result> {
  const run = await openRun(sent);
  if (!run) throw noRecord(options, t`Specify the folder of its run record with --out.`);
  try {
    if (!run.isOwed)
      throw new CommandProblem(t`Nothing of this run is missing.`, t`There's nothing to forget.`);
    await run.giveUp('givenUp');
    report.say(t`Forgotten. Outputs that are still on the server stay there.`);
    return { outcome: 'done' };
  } finally {
    await run.close();
  }
}

class SentJobCommand {
  constructor(
    private readonly options: SentJobArguments,
    private readonly sent: SentJob,
    private readonly server: CommandServer,
    private readonly report: RunReport,
    private readonly signal: AbortSignal,
  ) {}

  async cancel(): Promise<Result> {
    const { options, sent, server, report, signal } = this;
    await this.#askTheRightServer();
    const id = sent.jobId ?? (await this.#find());
    if (!sent.record && !options.yes) {
      throw new CommandProblem(
        t`The folder ${options.out} has no run record for job ${id}, so it may be someone else's.`,
        t`To cancel it anyway, use --yes.`,
      );
    }
    report.say(t`Cancelling job ${id}.`);
    const result = await server.session.tracker.cancel(id, signal).catch((error: unknown): CancelResult => {
      if (signal.aborted) return 'stillRunning';
      throw error;
    });
    if (result === 'stillRunning') {
      const { message, nextAction } = new MayStillRun(id);
      const stopped = t`The job may still be running on the server, because the command didn't wait for it to finish.`;
      report.trouble({ message: signal.aborted ? stopped : message, nextAction });
      return { outcome: 'notEnded' };
    }
    report.say(cancelWords[result]);
    const job = server.store.get(id);
    if (result === 'cancelled' && job && filesWorthSaving(job).length === 0) {
      const run = await openRun(sent).catch(() => undefined);
      await run?.change((record) => settledRecord(savingRecord(record, job, []), job, undefined));
      await run?.close();
    }
    return { outcome: result === 'cancelled' || result === 'alreadyEnded' ? 'done' : 'failed' };
  }

  /** `wait` first waits for the job's end. Ctrl+C ends this command and not the job. */
  async save(): Promise<Result> {
    const { server, sent, report, options } = this;
    const wait = options.command === 'wait';
    await this.#askTheRightServer();
    const run = await openRun(sent);
    if (!run) return this.#saveForeign(wait);
    const on = (event: RunEvent): void => {
      if (event.kind === 'resumed') server.follow(event.jobId, report);
      sent.ports.on?.(event);
    };
    try {
      if (run.jobId !== undefined) report.accepted(run.jobId);
      const end = await resumeRun(run, server.session, { ...sent.ports, on }, { wait }, this.signal);
      return await this.#result(end, run.jobId ?? '', run.record.sentAt);
    } finally {
      if (run.isOwed)
        tellOwed(run, report, {
          out: options.out,
          server: options.server ?? run.record.server,
          keyEnv: options.keyEnv,
        });
      await run.close();
    }
  }

  async #saveForeign(wait: boolean): Promise<Result> {
    const { server, report } = this;
    const { jobId = '', ports } = this.sent;
    server.follow(jobId, report);
    report.accepted(jobId);
    const end = await saveForeign(jobId, server.session, ports, { wait }, this.signal);
    if (end) return this.#result(end, jobId, undefined);
    throw new CommandProblem(
      t`The server has no job ${jobId}.`,
      t`Check --server and --key-env. The server may also have removed the job from its history.`,
    );
  }

  async #result(end: RunEnd, id: string, sentAt: string | undefined): Promise<Result> {
    const { report, options } = this;
    const saved = end.kind === 'lost' ? 0 : end.files.length;
    const failed = (trouble: Trouble | undefined, outcome: Ending = 'failed'): Result => {
      if (trouble) report.trouble(trouble);
      return { outcome, saved };
    };
    const { job } = end;
    if (end.kind === 'lost' && end.why === 'neverAccepted')
      throw await this.#missing({ kind: 'gone' }, sentAt);
    if (end.kind === 'owed' && end.why === 'notSeen')
      throw await this.#missing({ kind: 'notSeen', mayArriveFor: end.mayArriveFor ?? 0 }, sentAt);
    if (end.kind === 'owed' && end.why === 'notEnded') {
      const message = t`The job hasn't finished yet.`;
      const nextAction = t`To wait for it, run comfy-deck wait ${id} --out ${options.out}.`;
      return failed({ message, nextAction }, 'notEnded');
    }
    if (end.kind === 'owed') return failed(owedTrouble(end, id));
    if (job && job.state !== 'completed') return failed(troubleOfJob(job));
    if (end.kind === 'outputsUnknown') return failed(unknownOutputsWords(), 'outputsUnknown');
    if (job && unheardOutputs(job) === 'cached') report.say(cachedOutputsWords());
    else if (saved === 0)
      report.say(
        job && job.blocked.length > 0 ? noOutputsWords(job) : t`The server lists no files for this job.`,
      );
    return { outcome: 'done', saved };
  }

  /** A server that moved has the job under its new address; another server says nothing about the run. */
  async #askTheRightServer(): Promise<void> {
    const record = this.sent.record?.record;
    const { signal } = this;
    const { session } = this.server;
    if (!record || record.server === session.origin) return;
    const hasJob =
      record.job === undefined
        ? (await this.#look()).kind === 'found'
        : (await session.tracker.details(record.job, signal)) !== undefined;
    if (hasJob) return;
    throw new CommandProblem(
      t`${session.origin} doesn't have the job of this run, which was submitted to ${record.server}.`,
      t`Leave out --server, or specify the server that has it.`,
    );
  }

  async #find(): Promise<string> {
    const looked = await this.#look();
    if (looked.kind === 'found') return looked.id;
    throw await this.#missing(looked, this.sent.record?.record.sentAt);
  }

  async #missing(
    looked: Exclude<OwedJob, { kind: 'found' }>,
    sentAt: string | undefined,
  ): Promise<CommandProblem> {
    const promptText = this.sent.record?.record.promptText;
    const isFree = await costsNothing(promptText, this.server.session, this.signal).catch(() => false);
    return missingJob(looked, sentAt, isFree);
  }

  async #look(): Promise<OwedJob> {
    const record = this.sent.record?.record;
    if (!record) return { kind: 'notSeen', mayArriveFor: 0 };
    const sentAt = record.sentAt === undefined ? undefined : Date.parse(record.sentAt);
    return findOwedJob(this.server.session, { ...record, sentAt }, this.signal);
  }
}

/** Never suggests paying twice: a prompt may arrive long after it was sent. */
function missingJob(
  looked: Exclude<OwedJob, { kind: 'found' }>,
  at: string | undefined,
  isFree: boolean,
): CommandProblem {
  const when = at === undefined ? '' : t`, which was about to be submitted at ${exactTime(Date.parse(at))}`;
  const look = t`Check the server's queue and history before you run it again.`;
  if (looked.kind === 'gone')
    return new CommandProblem(
      t`The server has no job for this run${when}. It either never accepted it or has since removed it.`,
      t`There's nothing to wait for. ${look}`,
    );
  if (looked.mayArriveFor > 0) {
    const minutes = Math.ceil(looked.mayArriveFor / 60_000);
    return new CommandProblem(
      t`The server doesn't list a job for this run yet${when}. It may still appear.`,
      isFree
        ? t`Fetch again in ${minutes} min.`
        : t`Fetch again in ${minutes} min. Don't run it again before then, or you may pay twice.`,
    );
  }
  return new CommandProblem(t`Comfy Deck can't tell whether any job on the server is this run${when}.`, look);
}
