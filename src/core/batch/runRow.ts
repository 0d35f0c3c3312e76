import { MayStillRun } from '../jobs/cancelJobs';
import { followJob, ServerGone } from '../jobs/followJob';
import type { Job } from '../jobs/job';
import { tellFailure } from '../jobs/failureText';
import { lostWords } from '../jobs/stateWords';
import { unknownOutputsWords } from '../jobs/unheardOutputs';
import { FolderNotUsableError } from '../outputs/checkFolder';
import { keepInputs } from '../records/keepInputs';
import { runPrefix } from '../outputs/outputNames';
import { firstRecord, type RecordFile } from '../records/recordFile';
import { pricedRecord, endState, sendingRecord, submittedRecord } from '../records/recordSteps';
import { isOwed } from '../records/runRecord';
import { saveOutputs } from '../runLife/saveOutputs';
import { ServerError } from '../protocol/serverError';
import type { OwedRun, RunToOwe } from '../runs/owedRun';
import { runWorkflow, type RunOutcome } from '../runs/runWorkflow';
import { sentencesText, t } from '../safety/localize';
import { WorkflowDocument } from '../workflow/workflowDocument';
import { rowText } from './batchTable';
import { BatchLeft, placeOf, type BatchServer, type BatchWork } from './batchWork';
import type { RowAsks } from './rowAsks';
import { owedRow, type RowEnd } from './rowEnd';

/** How long a row waits for what its cancelled job left behind, ms. */
const graceAfterAbort = 15_000;

/**
 * Takes one row from its text to its outputs on one server. Its run record is written before the prompt is sent, and
 * locked until this returns. An abort cancels the job on the server.
 * @throws FolderNotUsableError, and whatever is no error of a server or a disk
 */
export async function runRow(
  work: BatchWork,
  asks: RowAsks,
  row: number,
  server: BatchServer,
  signal: AbortSignal,
): Promise<RowEnd> {
  return new RowRun(work, asks, row, server, signal).go();
}

class RowRun {
  #record: RecordFile | undefined;

  constructor(
    private readonly work: BatchWork,
    private readonly asks: RowAsks,
    private readonly row: number,
    private readonly server: BatchServer,
    private readonly signal: AbortSignal,
  ) {}

  async go(): Promise<RowEnd> {
    try {
      const outcome = await this.#untilSent((signal) => this.#submit(signal));
      if (outcome.kind !== 'submitted') return endOfUnsent(outcome);
      if (!this.#record) throw new Error('A row was sent without a record.');
      const isPaid = this.work.batch.isPaid || outcome.run.partnerNodes.length > 0;
      return await finishRow(this.work, this.server, this.#record, outcome.jobId, {
        isPaid,
        signal: this.signal,
      });
    } catch (error) {
      return await this.#endOf(error);
    } finally {
      await this.#record?.close();
    }
  }

  #submit(signal: AbortSignal): Promise<RunOutcome> {
    const { work, asks, row, server } = this;
    const { batch, workflowText, uri, choices } = work;
    const workflow = WorkflowDocument.of(rowText(workflowText, batch.axes, row));
    return runWorkflow(
      { workflow, label: batch.label, uri, batch: placeOf(work, row) },
      { ...choices, seeds: 'keep', neverWait: true },
      server.session,
      {
        localMedia: (name) => asks.localMedia(name),
        mayUpload: (files) => asks.mayUpload(files),
        maySpend: (nodes) => asks.maySpend(nodes),
        partnerKey: () => work.partnerKey(server),
        mayRunUnheard: asks.mayRunUnheard,
        stage: () => undefined,
        owe: this.#owe,
      },
      signal,
    );
  }

  /** A batch that is left cancels nothing: what is on its way by then arrives, and is owed. */
  async #untilSent(send: (signal: AbortSignal) => Promise<RunOutcome>): Promise<RunOutcome> {
    const { signal } = this;
    signal.throwIfAborted();
    const stop = new AbortController();
    const abort = (): void => {
      if (!this.#record || !(signal.reason instanceof BatchLeft)) stop.abort(signal.reason);
    };
    signal.addEventListener('abort', abort);
    try {
      return await send(stop.signal);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  readonly #owe = async (run: RunToOwe): Promise<OwedRun> => {
    const { work, row, server } = this;
    const { label, seeds } = run.origin;
    const record = sendingRecord({
      ...run,
      inputs: await keepInputs(work.folder, run.inputs, work.mostKept),
      serverKind: server.isSandbox ? 'sandbox' : run.serverKind,
      label,
      seeds,
      sourceUri: work.sourceUri,
      sourceHash: work.batch.workflowHash,
      batch: placeOf(work, row),
    });
    const number = String(row + 1).padStart(4, '0');
    const kept = await firstRecord(
      work.folder,
      `${runPrefix(label, run.sentAt)}-${number}`,
      record,
      work.hide,
    );
    this.#record = kept;
    return {
      // The job continues whatever the disk does; the next step writes the record again.
      taken: (jobId) => {
        work.onSent?.(row, jobId);
        return kept.change((known) => submittedRecord(known, jobId, Date.now())).catch(() => undefined);
      },
      notTaken: async () => {
        await kept.remove().catch(() => undefined);
        await kept.close();
        this.#record = undefined;
      },
      unclear: () => Promise.resolve(),
    };
  };

  async #endOf(error: unknown): Promise<RowEnd> {
    if (error instanceof FolderNotUsableError) throw error;
    const record = this.#record;
    // Aborted before the job was known to have been accepted, or after it was cancelled.
    if (record && isOwed(record.record)) {
      const { job } = record.record;
      if (job !== undefined && wasCancelled(this.signal) && !(error instanceof MayStillRun))
        return cancelRow(this.work, this.server, record, job);
      return owedRow(record, job, error);
    }
    if (this.signal.aborted) return { kind: 'cancelled' };
    if (!ServerError.is(error)) throw error;
    const { reason, message, nextAction, retryAfter = 0 } = error;
    if (reason === 'badRequest' || reason === 'tooLarge')
      return { kind: 'refused', message: sentencesText(message, nextAction), findings: [] };
    const mayComeBack = ['network', 'timeout', 'server', 'rateLimited', 'queueFull'].includes(reason);
    const wait = retryAfter * 1000;
    return { kind: 'unreachable', message: sentencesText(message, nextAction), mayComeBack, wait };
  }
}

/** The person ended the batch; a window that closes leaves its jobs alone. */
function wasCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof BatchLeft);
}

function endOfUnsent(outcome: Exclude<RunOutcome, { kind: 'submitted' }>): RowEnd {
  switch (outcome.kind) {
    case 'refused': {
      const { message, nextAction, findings } = outcome.refusal;
      return { kind: 'refused', message: sentencesText(message, nextAction), findings };
    }
    case 'refusedByServer':
      return {
        kind: 'refused',
        message: t`The server rejected the workflow: ${outcome.error.message}`,
        findings: outcome.findings,
      };
    case 'declined':
      return { kind: 'declined', what: outcome.what };
  }
}

/** Follows a row's job to its end and saves its outputs; the caller keeps the record locked. */
export async function finishRow(
  work: BatchWork,
  { session }: BatchServer,
  record: RecordFile,
  jobId: string,
  { isPaid, signal }: { readonly isPaid: boolean; readonly signal: AbortSignal },
): Promise<RowEnd> {
  const { batch: place } = record.record;
  const began = (): void => {
    if (place) work.onRunning?.(place.row, jobId);
  };
  const ends = session.tracker.whenRunning(jobId, began);
  let job: Job;
  try {
    job = await followJob(session.tracker, jobId, work.patience, signal);
    // It may have been too fast to be seen.
    began();
  } catch (error) {
    const sofar = session.tracker.known(jobId);
    await record.change((known) => pricedRecord(known, sofar)).catch(() => undefined);
    if (wasCancelled(signal)) return await cancelRow(work, { session }, record, jobId);
    const owed = owedRow(record, jobId, error);
    return error instanceof ServerGone ? { ...owed, kind: 'lostServer', job: jobId, isPaid } : owed;
  } finally {
    ends();
  }
  return saveRow(work, { session }, record, job, signal);
}

/** Saves what a job that has ended made; also what it made before it failed, since it was paid for. */
async function saveRow(
  work: BatchWork,
  { session }: Pick<BatchServer, 'session'>,
  record: RecordFile,
  job: Job,
  signal: AbortSignal,
): Promise<RowEnd> {
  try {
    const saved = await saveOutputs({
      job,
      client: session.client,
      folder: work.folder,
      run: record,
      record: { hide: work.hide },
      temporaryToo: work.temporaryToo,
      signal,
    });
    if (saved.length > 0) work.onSaved?.(job, saved);
  } catch (error) {
    return owedRow(record, job.id, error);
  }
  const known = { record: record.name, job: job.id, price: record.record.price?.credits };
  switch (endState(job)) {
    case 'cancelled':
      return { kind: 'cancelled', job: job.id, price: known.price };
    case 'outputsUnknown': {
      const { message, nextAction } = unknownOutputsWords();
      return { kind: 'failed', ...known, message: sentencesText(message, nextAction) };
    }
    case 'failed':
    case 'lost':
      return { kind: 'failed', ...known, message: failureOf(job), failure: job.failure };
    default:
      return { kind: 'saved', ...known };
  }
}

function failureOf(job: Job): string {
  if (job.state === 'lost') return t`The server no longer has the job (${lostWords(job)}).`;
  return job.failure ? tellFailure(job.failure).message : t`The run failed.`;
}

/** Cancels the job of an aborted row and saves what it made before; what the server does not confirm stays owed. */
async function cancelRow(
  work: BatchWork,
  { session }: Pick<BatchServer, 'session'>,
  record: RecordFile,
  jobId: string,
): Promise<RowEnd> {
  try {
    if ((await session.tracker.cancel(jobId)) === 'stillRunning') throw new MayStillRun(jobId);
    const until = AbortSignal.timeout(graceAfterAbort);
    const job = await session.tracker.finished(jobId, until);
    // It was faster, or made something before: that was paid for.
    return await saveRow(work, { session }, record, job, until);
  } catch (error) {
    return owedRow(record, jobId, error);
  }
}
