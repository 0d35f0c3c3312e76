import { MayStillRun, type CancelResult } from '../core/jobs/cancelJobs';
import type { Job } from '../core/jobs/job';
import { isTerminal } from '../core/jobs/job';
import { JobStore } from '../core/jobs/jobStore';
import { cachedOutputsWords, unheardOutputs, unknownOutputsWords } from '../core/jobs/unheardOutputs';
import { filesWorthSaving } from '../core/outputs/outputNames';
import type { RecordFile } from '../core/outputs/recordFile';
import {
  lostRecord,
  originOf,
  runEnd,
  savingRecord,
  settledRecord,
  submittedRecord,
} from '../core/outputs/recordSteps';
import { isOwed } from '../core/outputs/runRecord';
import { findOwedJob } from '../core/runs/findOwedJob';
import type { OwedJob } from '../core/runs/findOwedJob';
import type { RunSession } from '../core/runs/runSession';
import type { HideSecrets } from '../core/outputs/recordSecrets';
import type { Secrets } from '../core/safety/secrets';
import { apiKey, keyNotSet } from './apiKey';
import type { Arguments } from './commandArguments';
import { owedBy } from './fetchCommand';
import { openSession, type SessionParts } from './openSession';
import type { ClosableStack } from './closableStack';
import type { Ending } from './commandReport';
import { RunReport } from './runReport';
import { saveJob } from './saveJob';
import { cancelWords, troubleOf, troubleOfJob } from './runWords';
import { findSentJob, jobOfRecord, openRecord, SentJobProblem } from './sentJob';
import type { SentJob } from './sentJob';
import { exitCodes } from './terminal';
import type { Terminal } from './terminal';
import { waitForEnd } from './waitForEnd';
import { t } from '../core/safety/localize';
import { exactTime } from '../core/safety/timeText';

interface Result {
  readonly outcome: Ending;
  readonly saved?: number;
}

/** Works on a job sent earlier: fetch, wait, cancel. Returns the exit code. */
export async function sentJobCommand(
  options: Arguments<'fetch' | 'wait' | 'cancel'>,
  terminal: Terminal,
  http: ClosableStack,
  secrets: Secrets,
): Promise<number> {
  const report = new RunReport(terminal, options.json, options.traceback);
  const abort = new AbortController();
  const forget = terminal.onInterrupt((how) => {
    if (abort.signal.aborted || how === 'hangup') terminal.exit(exitCodes.cancelled);
    abort.abort(new DOMException('The command was stopped.', 'AbortError'));
  });
  let result: Result;
  try {
    result = await carryOut(options, terminal, { http, secrets }, report, abort.signal);
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
  options: Arguments<'fetch' | 'wait' | 'cancel'>,
  terminal: Terminal,
  asking: Pick<SessionParts, 'http' | 'secrets'>,
  report: RunReport,
  signal: AbortSignal,
): Promise<Result> {
  const sent = await findSentJob(options, (error) => report.trouble(troubleOf(error)));
  const server = options.server ?? sent.record?.record.server;
  if (server === undefined) {
    throw new SentJobProblem(
      t`The folder ${options.out} has no run record for job ${options.job}.`,
      t`Specify its server with --server, or the folder of its run record with --out.`,
    );
  }
  const key = apiKey(options.keyEnv, terminal);
  if (options.keyEnv !== undefined && key === undefined) {
    const { message, nextAction } = keyNotSet(options.keyEnv);
    throw new SentJobProblem(message, nextAction);
  }
  const store = new JobStore();
  const hide: HideSecrets = (text) => asking.secrets.hide(text);
  const session = openSession({ server, key, store, say: (sentence) => report.say(sentence), ...asking });
  try {
    const command = new SentJobCommand(options, sent, session, store, report, hide, signal);
    return await (options.command === 'cancel' ? command.cancel() : command.save());
  } finally {
    await session.dispose();
  }
}

class SentJobCommand {
  constructor(
    private readonly options: Arguments<'fetch' | 'wait' | 'cancel'>,
    private readonly sent: SentJob,
    private readonly session: RunSession,
    private readonly store: JobStore,
    private readonly report: RunReport,
    private readonly hide: HideSecrets,
    private readonly signal: AbortSignal,
  ) {}

  async cancel(): Promise<Result> {
    const { options, sent, session, report, signal } = this;
    const id = sent.jobId ?? (await this.#find(undefined));
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
      const run = await openRecord(sent, this.hide).catch(() => undefined);
      await run?.change((record) => settledRecord(savingRecord(record, job, []), job, undefined));
      await run?.close();
    }
    return { outcome: result === 'cancelled' || result === 'alreadyEnded' ? 'done' : 'failed' };
  }

  /** Saves the job's outputs; `wait` waits for its end first. */
  async save(): Promise<Result> {
    const run = await openRecord(this.sent, this.hide);
    try {
      return await this.#save(run);
    } finally {
      if (run && isOwed(run.record)) this.#tellOwed(run);
      await run?.close();
    }
  }

  async #save(run: RecordFile | undefined): Promise<Result> {
    const { options, report } = this;
    const id = this.sent.jobId ?? (await this.#find(run));
    report.taken(id);
    const job = await this.#ended(id, run);
    if (!job) {
      report.trouble({
        message: t`The job hasn't finished yet.`,
        nextAction: t`To wait for it, run comfy-deck wait ${id} --out ${options.out}.`,
      });
      return { outcome: 'notEnded' };
    }
    report.job(job);
    report.texts(job);
    const { saved, problem } = await saveJob(
      {
        job,
        client: this.session.client,
        folder: this.sent.folder,
        run,
        record: { hide: this.hide },
        temporaryToo: options.saveTemporary,
        signal: this.signal,
      },
      report,
    );
    if (problem) {
      report.trouble(problem);
      return { outcome: 'failed', saved };
    }
    if (job.state !== 'completed') {
      report.trouble(troubleOfJob(job));
      return { outcome: 'failed', saved };
    }
    if (runEnd(job, run?.record) === 'outputsUnknown') {
      report.trouble(unknownOutputsWords());
      return { outcome: 'outputsUnknown', saved };
    }
    if (unheardOutputs(job) === 'cached') report.say(cachedOutputsWords());
    else if (saved === 0) report.say(t`The server lists no files for this job.`);
    return { outcome: 'done', saved };
  }

  /** The job once it has ended, with all its outputs; undefined if it has not ended and the command does not wait. */
  async #ended(id: string, run: RecordFile | undefined): Promise<Job | undefined> {
    const { session, options, report, signal } = this;
    const known = await session.tracker.details(id, signal);
    if (!known) {
      const remembered = run && jobOfRecord(run.record);
      if (remembered) return remembered;
      throw new SentJobProblem(
        t`The server has no job ${id}.`,
        t`Check --server and --key-env. The server may also have removed the job from its history.`,
      );
    }
    if (run) session.tracker.resumed(id, originOf(run.record));
    if (!isTerminal(known.state) && options.command === 'fetch') return undefined;
    return waitForEnd({ tracker: session.tracker, jobId: id, isGuest: true, report, signal });
  }

  /** Finds the job of a prompt whose answer was lost. */
  async #find(run: RecordFile | undefined): Promise<string> {
    const record = run?.record ?? this.sent.record?.record;
    const sentAt = record?.sentAt === undefined ? undefined : Date.parse(record.sentAt);
    const looked: OwedJob = record
      ? await findOwedJob(this.session, { ...record, sentAt }, this.signal)
      : { kind: 'notSeen', mayArriveFor: 0 };
    if (looked.kind === 'found') {
      await run?.change((known) => submittedRecord(known, looked.id, Date.now()));
      return looked.id;
    }
    const problem = missingJob(looked, sentAt);
    if (looked.kind === 'gone') await run?.change((known) => lostRecord(known, problem.message));
    throw problem;
  }

  #tellOwed(run: RecordFile): void {
    const { record, location } = run;
    const { out, keyEnv, server = record.server } = this.options;
    this.report.owed(owedBy(record, location, { job: record.job ?? location, out, server, keyEnv }));
  }
}

/** Never invites the user to pay twice: a prompt may arrive long after it was sent. */
function missingJob(looked: Exclude<OwedJob, { kind: 'found' }>, time: number | undefined): SentJobProblem {
  const sentAt = time === undefined ? undefined : exactTime(time);
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
