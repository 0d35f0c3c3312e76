import { ServerError } from '../protocol/serverError';
import { finishRun } from '../runLife/finishRun';
import { OwnedRun, type RunEvent, type RunPorts } from '../runLife/ownedRun';
import { resumeRun } from '../runLife/resumeRun';
import type { RunEnd } from '../runLife/runEnd';
import { costsNothing, usesPartners } from '../runs/costsNothing';
import { runWorkflow, type RunCallbacks } from '../runs/runWorkflow';
import { budgets } from '../safety/budgets';
import { errorWords } from '../safety/errorWords';
import { t } from '../safety/localize';
import { WorkflowDocument } from '../workflow/workflowDocument';
import { rowText } from './batchTable';
import type { BatchServer, BatchWork, BatchAsks } from './batchWork';
import {
  owedRow,
  rowEndFromRun,
  rowEndOfError,
  rowEndOfSettled,
  rowEndOfUnsent,
  type RowEnd,
} from './rowEnd';

/**
 * The run record is written before the prompt is sent, and locked until this returns. An abort cancels the job.
 * @throws FolderNotUsableError, and any error that isn't a server's or a disk's
 */
export async function runRow(
  work: BatchWork,
  asks: RowAsks,
  row: number,
  server: BatchServer,
  signal: AbortSignal,
): Promise<RowEnd> {
  const { batch, workflowText, uri, choices } = work;
  const ports = portsOf(work, server, (event) => tellRow(work, row, event), {
    suffix: `-${String(row + 1).padStart(4, '0')}`,
  });
  const workflow = WorkflowDocument.of(rowText(workflowText, batch.axes, row));
  try {
    const outcome = await runWorkflow(
      { workflow, label: batch.label, uri, batch: { id: batch.id, row } },
      { ...choices, seeds: 'keep', neverWait: true },
      server.session,
      { ...asks, partnerKey: () => work.partnerKey(server) },
      ports,
      signal,
    );
    if (outcome.kind === 'unknown') {
      const { owned, error } = outcome;
      await owned.close();
      return owedRow(owned.name, undefined, errorWords(error).message);
    }
    if (outcome.kind !== 'submitted') return rowEndOfUnsent(outcome);
    const { owned, run } = outcome;
    try {
      const end = await finishRun(owned, server.session, ports, signal);
      const row = rowEndFromRun(end, owned, { isPaid: batch.isPaid || run.partnerNodes.length > 0 });
      return await withAgain(row, end, owned, work, server, signal);
    } finally {
      await owned.close();
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' };
    if (ServerError.is(error)) return rowEndOfError(error);
    throw error;
  }
}

/** Resumes a row that was sent, or was about to be, when its program ended. Never sends anything. */
export async function recoverRow(
  work: BatchWork,
  name: string,
  server: BatchServer,
  signal: AbortSignal,
): Promise<RowEnd> {
  const before: { row?: number; wasCancelled?: boolean } = {};
  const ports = portsOf(work, server, (event) => {
    if (event.kind === 'resumed') before.wasCancelled = event.job?.state === 'cancelled';
    if (before.row !== undefined) tellRow(work, before.row, event);
  });
  const run = await OwnedRun.open(name, ports);
  if (run === undefined) {
    if (!(await work.folder.exists(name))) return { kind: 'notSent' };
    return owedRow(name, undefined, t`${name} can't be read.`);
  }
  if (run === 'locked') {
    const why = t`Another window or command is tracking this run and will save its outputs.`;
    return owedRow(name, undefined, why);
  }
  try {
    if (!run.isOwed) return rowEndOfSettled(run, work.batch);
    if (run.record.batch) before.row = run.record.batch.row;
    const arrivesWithin =
      run.jobId === undefined && (await isFree(run, work, server, signal))
        ? budgets.latestFreeArrival
        : undefined;
    const end = await resumeRun(run, server.session, ports, { wait: true, arrivesWithin }, signal);
    // Cancelled when the batch was stopped: like all others of that time, it can be run again.
    if (before.wasCancelled && end.kind === 'cancelled') return { kind: 'notSent' };
    // The batch was judged by another server's definitions, perhaps.
    const isPaid =
      work.batch.isPaid ||
      (end.kind === 'lost' && (await usesPartners(run.record.promptText, server.session, signal)));
    return await withAgain(rowEndFromRun(end, run, { isPaid }), end, run, work, server, signal);
  } catch (error) {
    if (!signal.aborted && !ServerError.is(error)) throw error;
    return owedRow(name, run.jobId, errorWords(error).message);
  } finally {
    await run.close();
  }
}

async function withAgain(
  row: RowEnd,
  end: RunEnd,
  run: OwnedRun,
  work: BatchWork,
  server: BatchServer,
  signal: AbortSignal,
): Promise<RowEnd> {
  const isForgotten = row.kind === 'failed' && end.kind === 'lost' && end.why === 'forgotten';
  return isForgotten && (await isFree(run, work, server, signal)) ? { ...row, again: true } : row;
}

function isFree(
  { record }: OwnedRun,
  { batch }: BatchWork,
  { session }: BatchServer,
  signal: AbortSignal,
): Promise<boolean> {
  return batch.isPaid ? Promise.resolve(false) : costsNothing(record.promptText, session, signal);
}

/** Marks a row as given to another server, before it is sent there. */
export async function giveUpRow(work: BatchWork, name: string, server: BatchServer): Promise<boolean> {
  const run = await OwnedRun.open(
    name,
    portsOf(work, server, () => undefined),
  );
  if (run === undefined) return !(await work.folder.exists(name));
  if (run === 'locked') return false;
  try {
    await run.giveUp('moved');
    return true;
  } finally {
    await run.close();
  }
}

function tellRow(work: BatchWork, row: number, event: RunEvent): void {
  if (event.kind === 'notRecorded') work.onNotRecorded?.(row, event.error);
  if (event.kind === 'accepted' || event.kind === 'resumed') work.onSent?.(row, event.jobId);
  if (event.kind === 'running') work.onRunning?.(row, event.jobId);
  if (event.kind === 'saved' && event.files.length > 0) work.onSaved?.(event.job, event.files);
}

function portsOf(
  work: BatchWork,
  server: BatchServer,
  on: (event: RunEvent) => void,
  more: Pick<RunPorts, 'suffix'> = {},
): RunPorts {
  const { folder, hide, largestCopy, sourceUri: uri, batch, temporaryToo, giveUpAfter, requireOwn } = work;
  const { isSandbox = false } = server;
  const source = { uri, hash: batch.workflowHash };
  const endsWithOwner = isSandbox && work.sandboxEnds;
  return {
    ...more,
    folder,
    hide,
    largestCopy,
    source,
    isSandbox,
    endsWithOwner,
    giveUpAfter,
    temporaryToo,
    pointers: work.pointers?.(server),
    requireOwn,
    on,
  };
}

export type RowAsks = Pick<RunCallbacks, 'localMedia' | 'mayUpload' | 'maySpend' | 'mayRunUnheard'>;

/** Asks each question once, and gives the other rows the same answer until `forget`. */
export function askedOnce(asks: BatchAsks, rows: () => number) {
  const answers = new Map<string, Promise<boolean>>();
  const once = (key: string, ask: () => Promise<boolean>): Promise<boolean> => {
    const answer = answers.get(key) ?? ask();
    answers.set(key, answer);
    return answer;
  };
  const { mayRunUnheard } = asks;
  const rowAsks: RowAsks = {
    localMedia: (name) => asks.localMedia(name),
    mayUpload: (files) => once(JSON.stringify(files.map(({ place }) => place)), () => asks.mayUpload(files)),
    maySpend: (nodes) => once('spend', () => asks.maySpend(nodes, rows())),
    mayRunUnheard:
      mayRunUnheard && ((reason, session) => once('unheard', () => mayRunUnheard(reason, session))),
  };
  return {
    ...rowAsks,
    mayMovePaid: (server: string) => once(`move ${server}`, () => asks.mayMovePaid(server)),
    forget: () => answers.clear(),
  };
}
