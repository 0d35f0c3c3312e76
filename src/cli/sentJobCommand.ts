import path from 'node:path';
import { MayStillRun, type CancelResult } from '../core/jobs/cancelJobs';
import { filesWorthSaving, isRecordName } from '../core/outputs/outputNames';
import type { RunEvent } from '../core/runLife/ownedRun';
import { type EndPhase, RunLeft } from '../core/runLife/run';
import type { WorkPorts } from '../core/runLife/runWork';
import { findOwedJob } from '../core/runLife/takeUpRun';
import { costsNothing } from '../core/runs/costsNothing';
import { CommandProblem, commandEnding, readApiKey, commandTrouble } from './commandProblem';
import { cancelWords, commandPorts, endingOf, reportOwed, savedFiles } from './commandRuns';
import { CommandServer } from './commandServer';
import type { CommandResult } from './commandReport';
import { RunReport } from './runReport';
import { type CommandContext, exitCodes } from './terminal';
import { isJobId } from '../core/protocol/wire';
import { lockedWords } from '../core/safety/errorWords';
import { t } from '../core/safety/localize';
import { plainText } from '../core/safety/plainText';
import { exactTime } from '../core/safety/timeText';
import { throwJsonLimit } from '../core/json/boundedJson';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { removeDeadLocks } from '../core/records/claimRecord';
import { type ListedRecord, recordNamed, recordsIn } from '../core/records/recordFile';
import type { Arguments } from './commandArguments';
import type { Secrets } from '../core/safety/secrets';

type SentJobArguments = Arguments<'fetch' | 'wait' | 'cancel' | 'forget'>;

/** A run by its record, or a job that was not run from here. */
type SentJob = { readonly ports: WorkPorts } & (
  { readonly record: ListedRecord } | { readonly record: undefined; readonly jobId: string }
);

/** Shorter prefixes of an id too easily match someone else's job. */
const shortestId = 6;

async function findSentJob(
  { job, out, saveTemporary: temporaryToo }: SentJobArguments,
  secrets: Secrets,
  report: RunReport,
): Promise<SentJob> {
  const portsIn = (folder: NodeFolder): WorkPorts =>
    commandPorts({ folder, isSandbox: false, temporaryToo }, secrets, report);
  if (isRecordName(job)) {
    const { folder, record } = await recordAt(job, out);
    return { record, ports: portsIn(folder) };
  }
  const folder = new NodeFolder(out);
  const begun = new Map<string | undefined, ListedRecord>();
  const skipped = (error: Error): void => report.trouble(commandTrouble(error));
  for await (const listed of recordsIn(folder, { skipped })) {
    const { job: id } = listed.record;
    if (id === job) return { record: listed, ports: portsIn(folder) };
    const isBegun = job.length >= shortestId && id?.startsWith(job) === true;
    // A second job shows that there are several.
    if (isBegun && begun.size < 2 && !begun.has(id)) begun.set(id, listed);
  }
  const [record, other] = begun.values();
  if (other) throw new CommandProblem(t`Several job IDs start with ${job}.`, t`Specify the full ID.`);
  if (record) return { record, ports: portsIn(folder) };
  // No server gives other IDs, and a path of a request would say something else.
  if (isJobId(job)) return { record, jobId: job, ports: portsIn(folder) };
  const shown = JSON.stringify(plainText(job, 'one line', 60));
  throw new CommandProblem(t`${shown} can't be a job ID.`, t`Specify a job ID or a run record (.run.json).`);
}

async function recordAt(
  file: string,
  out: string,
): Promise<{ readonly folder: NodeFolder; readonly record: ListedRecord }> {
  for (const root of [path.dirname(file), out]) {
    const folder = new NodeFolder(root);
    void removeDeadLocks(folder, { mayEnd: true }).catch(() => undefined);
    const record = await recordNamed(folder, path.basename(file), throwJsonLimit);
    if (record) return { folder, record };
  }
  throw new CommandProblem(
    t`There is no run record ${file}.`,
    t`List the runs with missing outputs: comfy-deck jobs --out DIR.`,
  );
}

function lockedElsewhere(): CommandProblem {
  const nextAction = t`Wait for it to finish, then fetch anything that's still missing.`;
  return new CommandProblem(lockedWords(), nextAction);
}

export async function sentJobCommand(options: SentJobArguments, context: CommandContext): Promise<number> {
  const report = new RunReport(context.terminal, options.json, options.traceback);
  // The job continues: another command started it.
  const choices = { reason: new RunLeft(), whenClosed: exitCodes.cancelled };
  return report.carryOut(choices, async (signal) => {
    try {
      const sent = await findSentJob(options, context.secrets, report);
      if (options.command === 'forget') return await forget(sent, options, report);
      const server = options.server ?? sent.record?.record.server;
      if (server === undefined)
        throw noRecord(
          options,
          t`Specify its server with --server, or the folder of its run record with --out.`,
        );
      const key = readApiKey(options.keyEnv, context.terminal);
      const work = (opened: CommandServer): Promise<CommandResult> => {
        const command = new SentJobCommand(options, sent, opened, report, signal);
        return options.command === 'cancel' ? command.cancel() : command.save();
      };
      return await CommandServer.use(server, key, context, work, (words) => report.say(words));
    } catch (error) {
      if (signal.aborted) throw error;
      report.trouble(commandTrouble(error));
      return { outcome: commandEnding(error) };
    }
  });
}

function noRecord({ out, job }: SentJobArguments, nextAction: string): CommandProblem {
  return new CommandProblem(t`The folder ${out} has no run record for job ${job}.`, nextAction);
}

/** No server is asked. */
async function forget(sent: SentJob, options: SentJobArguments, report: RunReport): Promise<CommandResult> {
  const { record, ports } = sent;
  switch (record && (await ports.runs.giveUp(record.name, ports, 'givenUp'))) {
    case undefined:
      throw noRecord(options, t`Specify the folder of its run record with --out.`);
    case 'locked':
      throw lockedElsewhere();
    case 'nothingOwed':
      throw new CommandProblem(t`Nothing of this run is missing.`, t`There's nothing to forget.`);
    case 'givenUp':
      report.say(t`Forgotten. Outputs that are still on the server stay there.`);
      return { outcome: 'done' };
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

  async cancel(): Promise<CommandResult> {
    const { options, sent, server, report, signal } = this;
    await this.#askTheRightServer();
    const id = await this.#jobId();
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
      const { runs, ...ports } = sent.ports;
      if (sent.record)
        await runs
          .save(job, server.session.client, { ...ports, on: () => undefined }, sent.record, signal)
          .catch(() => undefined);
      await runs.close();
    }
    return { outcome: result === 'notFound' ? 'failed' : 'done' };
  }

  /** `wait` first waits for the job's end. Ctrl+C ends this command and not the job. */
  async save(): Promise<CommandResult> {
    const { server, sent, report, options } = this;
    const wait = options.command === 'wait';
    await this.#askTheRightServer();
    if (!sent.record) return this.#saveForeign(wait);
    const { name } = sent.record;
    const on = (event: RunEvent): void => {
      if (event.kind === 'resumed') server.follow(event.jobId, report);
      sent.ports.on?.(event);
    };
    const { runs } = sent.ports;
    try {
      const run = await runs.resume(
        name,
        { ...sent.ports, on },
        ({ job }) => {
          if (job !== undefined) report.accepted(job);
          return Promise.resolve({ session: server.session, wait });
        },
        this.signal,
      );
      if (run === undefined) return await this.#saveForeign(wait);
      if (run === 'locked') throw lockedElsewhere();
      const { phase, facts, location } = run;
      if (phase.kind === 'lost' && phase.why === 'neverAccepted')
        throw await this.#notFound({ kind: 'gone' });
      if (phase.kind === 'owed' && phase.why === 'notSeen')
        throw await this.#notFound({ kind: 'notSeen', mayArriveFor: phase.mayArriveFor ?? 0 });
      return this.#result(phase, facts.job ?? location);
    } finally {
      reportOwed(runs, report, { ...options, server: options.server ?? sent.record.record.server });
      await runs.close();
    }
  }

  async #saveForeign(wait: boolean): Promise<CommandResult> {
    const { server, report, sent } = this;
    const jobId = await this.#jobId();
    server.follow(jobId, report);
    report.accepted(jobId);
    const end = await sent.ports.runs.saveForeign(jobId, server.session, sent.ports, { wait }, this.signal);
    if (end) return this.#result(end, jobId);
    throw new CommandProblem(
      t`The server has no job ${jobId}.`,
      t`Check --server and --key-env. The server may also have removed the job from its history.`,
    );
  }

  #result(end: EndPhase, name: string): CommandResult {
    const ending = endingOf(end, { name, out: this.options.out }, this.report);
    const isCancelled = ending === 'failed' && this.signal.aborted;
    return { outcome: isCancelled ? 'cancelled' : ending, saved: savedFiles(end) };
  }

  /** A server that moved has the job under its new address; another server says nothing about the run. */
  async #askTheRightServer(): Promise<void> {
    const record = this.sent.record?.record;
    const { session } = this.server;
    if (!record || record.server === session.origin) return;
    const hasJob =
      record.job === undefined
        ? (await findOwedJob(session, record, this.signal)).kind === 'found'
        : (await session.tracker.details(record.job, this.signal)) !== undefined;
    if (hasJob) return;
    throw new CommandProblem(
      t`${session.origin} doesn't have the job of this run, which was submitted to ${record.server}.`,
      t`Leave out --server, or specify the server that has it.`,
    );
  }

  async #jobId(): Promise<string> {
    const { sent } = this;
    if (!sent.record) return sent.jobId;
    const { record } = sent.record;
    if (record.job !== undefined) return record.job;
    const found = await findOwedJob(this.server.session, record, this.signal);
    if (found.kind === 'found') return found.id;
    throw await this.#notFound(found);
  }

  /** Never suggests paying twice: a prompt may arrive long after it was sent. */
  async #notFound(
    found: Exclude<Awaited<ReturnType<typeof findOwedJob>>, { kind: 'found' }>,
  ): Promise<CommandProblem> {
    const { promptText, sentAt } = this.sent.record?.record ?? {};
    const when =
      sentAt === undefined ? '' : t`, which was about to be submitted at ${exactTime(Date.parse(sentAt))}`;
    const look = t`Check the server's queue and history before you run it again.`;
    if (found.kind === 'gone')
      return new CommandProblem(
        t`The server has no job for this run${when}. It either never accepted it or has since removed it.`,
        t`There's nothing to wait for. ${look}`,
      );
    if (found.mayArriveFor === 0)
      return new CommandProblem(
        t`Comfy Deck can't tell whether any job on the server is this run${when}.`,
        look,
      );
    const minutes = Math.ceil(found.mayArriveFor / 60_000);
    const isFree = await costsNothing(promptText, this.server.session, this.signal).catch(() => false);
    return new CommandProblem(
      t`The server doesn't list a job for this run yet${when}. It may still appear.`,
      isFree
        ? t`Fetch again in ${minutes} min.`
        : t`Fetch again in ${minutes} min. Don't run it again before then, or you may pay twice.`,
    );
  }
}
