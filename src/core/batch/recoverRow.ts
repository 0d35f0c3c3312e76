import { RecordFile } from '../records/recordFile';
import { lostRecord, movedRecord, originOf, submittedRecord } from '../records/recordSteps';
import { isOwed } from '../records/runRecord';
import { ServerError } from '../protocol/serverError';
import { findOwedJob } from '../runLife/findOwedJob';
import { t } from '../safety/localize';
import type { BatchServer, BatchWork } from './batchWork';
import { owedRow, type RowEnd } from './rowEnd';
import { wasLost } from './rowsToRun';
import { finishRow } from './runRow';

/**
 * Takes a row up again that was sent, or was about to be sent, when its program ended: looks for its job, follows it and
 * saves its outputs. Never sends anything.
 * @param name of the row's run record
 */
export async function recoverRow(
  work: BatchWork,
  name: string,
  server: BatchServer,
  signal: AbortSignal,
): Promise<RowEnd> {
  const record = await RecordFile.open(work.folder, name, work.hide);
  if (record === undefined) {
    if (!(await work.folder.exists(name))) return { kind: 'notSent' };
    return owedRow({ name }, undefined, t`This run's record can't be read.`);
  }
  if (record === 'busy') {
    const why = t`Another window or command is tracking this run and will save its outputs.`;
    return owedRow({ name }, undefined, why);
  }
  try {
    return await recover(work, record, server, signal);
  } catch (error) {
    if (!signal.aborted && !ServerError.is(error)) throw error;
    return owedRow(record, record.record.job, error);
  } finally {
    await record.close();
  }
}

async function recover(
  work: BatchWork,
  record: RecordFile,
  server: BatchServer,
  signal: AbortSignal,
): Promise<RowEnd> {
  if (!isOwed(record.record)) return endOfSettled(record, work.batch);
  const jobId = record.record.job ?? (await lookFor(work, record, server, signal));
  if (typeof jobId !== 'string') return jobId;
  const { tracker } = server.session;
  const job = await tracker.details(jobId, signal);
  if (!job) {
    const message = t`The server no longer has the job.`;
    // Its files may still be there.
    if (record.record.expected.length > 0) return owedRow(record, jobId, message);
    await record.change((known) => lostRecord(known, 'The server no longer knows the job.'));
    return { kind: 'failed', record: record.name, job: jobId, message };
  }
  const wasCancelled = job.state === 'cancelled';
  tracker.resumed(jobId, originOf(record.record));
  if (record.record.batch) work.onSent?.(record.record.batch.row, jobId);
  const end = await finishRow(work, server, record, jobId, { isPaid: work.batch.isPaid, signal });
  // Cancelled when the batch was stopped: like all others of that time, it can be run again.
  return wasCancelled && end.kind === 'cancelled' ? { kind: 'notSent' } : end;
}

/** Somebody else has seen to it. */
function endOfSettled({ name, record }: RecordFile, batch: BatchWork['batch']): RowEnd {
  const { state, job = '', trouble } = record;
  const known = { record: name, job, price: record.price?.credits };
  if (state === 'saved') return { kind: 'saved', ...known };
  if (state !== 'failed' && state !== 'outputsUnknown' && !wasLost(record, batch)) return { kind: 'notSent' };
  return { kind: 'failed', ...known, message: trouble ?? t`The run failed.` };
}

/** The job of a prompt whose answer is unknown. */
async function lookFor(
  { batch }: BatchWork,
  record: RecordFile,
  { session }: BatchServer,
  signal: AbortSignal,
): Promise<string | RowEnd> {
  const { sentAt } = record.record;
  const looked = await findOwedJob(
    session,
    { ...record.record, sentAt: sentAt === undefined ? undefined : Date.parse(sentAt) },
    signal,
  );
  switch (looked.kind) {
    case 'found':
      await record.change((known) => submittedRecord(known, looked.id, Date.now()));
      return looked.id;
    case 'gone': {
      const trouble = 'The server has no job for this run: it never accepted it, or no longer knows it.';
      await record.change((known) => lostRecord(known, trouble));
      if (!wasLost(record.record, batch)) return { kind: 'notSent' };
      const message = t`The server has no job for this run. It either never accepted it or has since removed it.`;
      return { kind: 'failed', record: record.name, job: '', message };
    }
    case 'notSeen': {
      const minutes = Math.ceil(looked.mayArriveFor / 60_000);
      const message =
        minutes > 0
          ? t`The server doesn't list a job for this run yet, but it may still appear. Resume in ${minutes} min.`
          : t`Comfy Deck can't tell whether any job on the server is this run.`;
      return owedRow(record, undefined, message);
    }
  }
}

/** Marks a row as given to another server, before it is sent there. */
export async function giveUpRow(
  { folder, hide }: Pick<BatchWork, 'folder' | 'hide'>,
  name: string,
  server: string,
): Promise<boolean> {
  const record = await RecordFile.open(folder, name, hide);
  if (record === undefined) return !(await folder.exists(name));
  if (record === 'busy') return false;
  try {
    await record.change((known) =>
      movedRecord(known, `The server ${server} stopped answering, so the row went to another one.`),
    );
    return true;
  } finally {
    await record.close();
  }
}
