import { MayStillRun, type CancelResult } from '../core/jobs/cancelJobs';
import { isTerminal } from '../core/jobs/job';
import { JobStore } from '../core/jobs/jobStore';
import { cachedOutputsWords, unheardOutputs, unknownOutputsWords } from '../core/jobs/outputCount';
import { filesWorthSaving } from '../core/outputs/outputNames';
import { savingRecord, settledRecord } from '../core/records/recordSteps';
import { findOwedJob } from '../core/runLife/findOwedJob';
import type { OwedJob } from '../core/runLife/findOwedJob';
import { resumeRun, saveForeign } from '../core/runLife/resumeRun';
import { RunLeft, type RunEnd } from '../core/runLife/runEnd';
import type { RunEvent, RunPorts } from '../core/runLife/ownedRun';
import type { RunSession } from '../core/runLife/runSession';
import type { Secrets } from '../core/safety/secrets';
import { apiKey, keyNotSet } from './apiKey';
import type { Arguments } from './commandArguments';
import { commandPorts, owedTrouble, tellOwed } from './commandPorts';
import { openSession, type SessionParts } from './openSession';
import type { ClosableStack } from './closableStack';
import type { Ending, Trouble } from './commandReport';
import { RunReport } from './runReport';
import { cancelWords, troubleOf, troubleOfJob } from './runWords';
import { findSentJob, openRun, SentJobProblem } from './sentJob';
import type { SentJob } from './sentJob';
import { exitCodes } from './terminal';
import type { Terminal } from './terminal';
import { t } from '../core/safety/localize';
import { exactTime } from '../core/safety/timeText';

interface Result {
  readonly outcome: Ending;
  readonly saved?: number;
}

/** Works on a job sent earlier: fetch, wait, cancel. Returns the exit code. */
export async function sentJobCommand(
  options: Arguments<'fetch' | 'wait' | 'cancel' | 'forget'>,
  terminal: Terminal,
  http: ClosableStack,
  secrets: Secrets,
): Promise<number> {
  const report = new RunReport(terminal, options.json, options.traceback);
  const abort = new AbortController();
  const forget = terminal.onInterrupt((how) => {
    if (abort.signal.aborted || how === 'hangup') terminal.exit(exitCodes.cancelled);
    // The job goes on: another command started it.
    abort.abort(new RunLeft());
  });
  let result: Result;
  try {
    result = await carryOut(options, terminal, { http, secrets }, report, abort.signal);
    if (abort.signal.aborted && result.outcome === 'failed') result = { ...result, outcome: 'cancelled' };
  } catch (error) {
    if (!abort.signal.aborted) report.trouble(troubleOf(error));
    result = { outcome: abort.signal.aborted ? 'cancelled' : 'failed' };
  } finally {
    forget();
    await http.close();
  }
  return report.end(result.outcome, result.saved);
}

async function carryOut(
  options: Arguments<'fetch' | 'wait' | 'cancel' | 'forget'>,
  terminal: Terminal,
  asking: Pick<SessionParts, 'http' | 'secrets'>,
  report: RunReport,
  signal: AbortSignal,
): Promise<Result> {
  const sent = await findSentJob(options, (error) => report.trouble(troubleOf(error)));
  const ports = commandPorts({
    folder: sent.folder,
    secrets: asking.secrets,
    isSandbox: false,
    temporaryToo: options.saveTemporary,
    report,
  });
  if (options.command === 'forget') return forget(sent, options, ports, report);
  const server = options.server ?? sent.record?.record.server;
  if (server === undefined)
    throw noRecord(options, t`Specify its server with --server, or the folder of its run record with --out.`);
  const key = apiKey(options.keyEnv, terminal);
  if (options.keyEnv !== undefined && key === undefined) {
    const { message, nextAction } = keyNotSet(options.keyEnv);
    throw new SentJobProblem(message, nextAction);
  }
  const store = new JobStore();
  const session = openSession({ server, key, store, say: (sentence) => report.say(sentence), ...asking });
  const command = new SentJobCommand(options, sent, session, store, report, ports, signal);
  const stop = store.onDidChange(({ added, changed }) => command.tellProgress([...added, ...changed]));
  try {
    return await (options.command === 'cancel' ? command.cancel() : command.save());
  } finally {
    stop();
    await session.dispose();
  }
}

function noRecord(
  { out, job }: Arguments<'fetch' | 'wait' | 'cancel' | 'forget'>,
  nextAction: string,
): SentJobProblem {
  return new SentJobProblem(t`The folder ${out} has no run record for job ${job}.`, nextAction);
}

/** Nothing is asked of a server: the record says that nothing is awaited any more. */
async function forget(
  sent: SentJob,
  options: Arguments<'fetch' | 'wait' | 'cancel' | 'forget'>,
  ports: RunPorts,
  report: RunReport,
): Promise<Result> {
  const run = await openRun(sent, ports);
  if (!run) throw noRecord(options, t`Specify the folder of its run record with --out.`);
  try {
    if (!run.isOwed)
      throw new SentJobProblem(t`Nothing of this run is missing.`, t`There's nothing to forget.`);
    await run.giveUp('givenUp');
    report.say(t`Forgotten. Outputs that are still on the server stay there.`);
    return { outcome: 'done' };
  } finally {
    await run.close();
  }
}

class SentJobCommand {
  #followed: string | undefined;

  constructor(
    private readonly options: Arguments<'fetch' | 'wait' | 'cancel' | 'forget'>,
    private readonly sent: SentJob,
    private readonly session: RunSession,
    private readonly store: JobStore,
    private readonly report: RunReport,
    private readonly ports: RunPorts,
    private readonly signal: AbortSignal,
  ) {}

  tellProgress(changed: readonly string[]): void {
    const job =
      this.#followed !== undefined && changed.includes(this.#followed)
        ? this.store.get(this.#followed)
        : undefined;
    if (job && !isTerminal(job.state)) this.report.job(job);
  }

  async cancel(): Promise<Result> {
    const { options, sent, session, report, signal } = this;
    await this.#askTheRightServer();
    const id = sent.jobId ?? (await this.#find());
    if (!sent.record && !options.yes) {
      throw new SentJobProblem(
        t`The folder ${options.out} has no run record for job ${id}, so it may be someone else's.`,
        t`To cancel it anyway, use --yes.`,
      );
    }
    report.say(t`Cancelling job ${id}.`);
    const result = await session.tracker.cancel(id, signal).catch((error: unknown): CancelResult => {
      if (signal.aborted) return 'stillRunning';
      throw error;
    });
    if (result === 'stillRunning') {
      const { message, nextAction } = new MayStillRun(id);
      const stopped = t`The job may still be running on the server, because the command didn't wait for it to finish.`;
      report.trouble({ message: signal.aborted ? stopped : message, nextAction });
      return { outcome: 'notEnded' };
    }
    report.say(cancelWords()[result]);
    const job = this.store.get(id);
    if (result === 'cancelled' && job && filesWorthSaving(job).length === 0) {
      const run = await openRun(sent, this.ports).catch(() => undefined);
      await run?.change((record) => settledRecord(savingRecord(record, job, []), job, undefined));
      await run?.close();
    }
    return { outcome: result === 'cancelled' || result === 'alreadyEnded' ? 'done' : 'failed' };
  }

  /** Saves the job's outputs; `wait` waits for its end first. Ctrl-C ends this command and not the job. */
  async save(): Promise<Result> {
    const { session, ports, options } = this;
    const wait = options.command === 'wait';
    await this.#askTheRightServer();
    const run = await openRun(this.sent, ports);
    if (!run) return this.#saveForeign(wait);
    this.#followed = run.jobId;
    const on = (event: RunEvent): void => {
      if (event.kind === 'resumed') this.#followed = event.jobId;
      ports.on?.(event);
    };
    try {
      if (run.jobId !== undefined) this.report.accepted(run.jobId);
      const end = await resumeRun(run, session, { ...ports, on }, { wait }, this.signal);
      return this.#result(end, run.jobId ?? '', run.record.sentAt);
    } finally {
      if (run.isOwed)
        tellOwed(run, this.report, {
          out: options.out,
          server: options.server ?? run.record.server,
          keyEnv: options.keyEnv,
        });
      await run.close();
    }
  }

  async #saveForeign(wait: boolean): Promise<Result> {
    const { jobId = '' } = this.sent;
    this.#followed = jobId;
    this.report.accepted(jobId);
    const end = await saveForeign(jobId, this.session, this.ports, { wait }, this.signal);
    if (end) return this.#result(end, jobId, undefined);
    throw new SentJobProblem(
      t`The server has no job ${jobId}.`,
      t`Check --server and --key-env. The server may also have removed the job from its history.`,
    );
  }

  #result(end: RunEnd, id: string, sentAt: string | undefined): Result {
    const { report, options } = this;
    const saved = end.kind === 'lost' ? 0 : end.files.length;
    const failed = (trouble: Trouble | undefined, outcome: Ending = 'failed'): Result => {
      if (trouble) report.trouble(trouble);
      return { outcome, saved };
    };
    const { job } = end;
    if (end.kind === 'lost' && end.why === 'neverAccepted') throw missingJob({ kind: 'gone' }, sentAt);
    if (end.kind === 'owed' && end.why === 'notSeen')
      throw missingJob({ kind: 'notSeen', mayArriveFor: end.mayArriveFor ?? 0 }, sentAt);
    if (end.kind === 'owed' && end.why === 'notEnded') {
      const message = t`The job hasn't finished yet.`;
      const nextAction = t`To wait for it, run comfy-deck wait ${id} --out ${options.out}.`;
      return failed({ message, nextAction }, 'notEnded');
    }
    if (end.kind === 'owed') return failed(owedTrouble(end, id));
    if (job && job.state !== 'completed') return failed(troubleOfJob(job));
    if (end.kind === 'outputsUnknown') return failed(unknownOutputsWords(), 'outputsUnknown');
    if (job && unheardOutputs(job) === 'cached') report.say(cachedOutputsWords());
    else if (saved === 0) report.say(t`The server lists no files for this job.`);
    return { outcome: 'done', saved };
  }

  /**
   * A server that moved has the job under its new address. That any other doesn't have it says nothing about the run,
   * and its files of the same names are someone else's.
   */
  async #askTheRightServer(): Promise<void> {
    const record = this.sent.record?.record;
    const { session, signal } = this;
    if (!record || record.server === session.origin) return;
    const hasJob =
      record.job === undefined
        ? (await this.#look()).kind === 'found'
        : (await session.tracker.details(record.job, signal)) !== undefined;
    if (hasJob) return;
    throw new SentJobProblem(
      t`${session.origin} doesn't have the job of this run, which was submitted to ${record.server}.`,
      t`Leave out --server, or specify the server that has it.`,
    );
  }

  /** Finds the job of a prompt whose answer was lost. */
  async #find(): Promise<string> {
    const looked = await this.#look();
    if (looked.kind === 'found') return looked.id;
    throw missingJob(looked, this.sent.record?.record.sentAt);
  }

  async #look(): Promise<OwedJob> {
    const record = this.sent.record?.record;
    if (!record) return { kind: 'notSeen', mayArriveFor: 0 };
    const sentAt = record.sentAt === undefined ? undefined : Date.parse(record.sentAt);
    return findOwedJob(this.session, { ...record, sentAt }, this.signal);
  }
}

/** Never invites the user to pay twice: a prompt may arrive long after it was sent. */
function missingJob(looked: Exclude<OwedJob, { kind: 'found' }>, at: string | undefined): SentJobProblem {
  const sentAt = at === undefined ? undefined : exactTime(Date.parse(at));
  const look = t`Check the server's queue and history before you run it again.`;
  if (looked.kind === 'gone') {
    const message =
      sentAt === undefined
        ? t`The server has no job for this run. It either never accepted it or has since removed it.`
        : t`The server has no job for this run, which was about to be submitted at ${sentAt}. It either never accepted it or has since removed it.`;
    return new SentJobProblem(message, t`There's nothing to wait for. ${look}`);
  }
  if (looked.mayArriveFor > 0) {
    const minutes = Math.ceil(looked.mayArriveFor / 60_000);
    return new SentJobProblem(
      sentAt === undefined
        ? t`The server doesn't list a job for this run yet, but it may still appear.`
        : t`The server doesn't list a job for this run yet, which was about to be submitted at ${sentAt}. It may still appear.`,
      t`Fetch again in ${minutes} min. Don't run it again before then, or you may pay twice.`,
    );
  }
  const message =
    sentAt === undefined
      ? t`Comfy Deck can't tell whether any job on the server is this run.`
      : t`Comfy Deck can't tell whether any job on the server is this run, which was about to be submitted at ${sentAt}.`;
  return new SentJobProblem(message, look);
}
