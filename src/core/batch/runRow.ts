import { ServerError } from '../protocol/serverError';
import { isOwed, type RunRecord } from '../records/runRecord';
import type { RunEvent } from '../runLife/ownedRun';
import type { OwnRun, WorkPorts } from '../runLife/runWork';
import { costsNothing, usesPartners } from '../runs/costsNothing';
import { runWorkflow, type RunCallbacks, type RunOutcome } from '../runs/runWorkflow';
import { budgets } from '../safety/budgets';
import { errorWords } from '../safety/errorWords';
import { t } from '../safety/localize';
import { WorkflowDocument } from '../workflow/workflowDocument';
import { rowText } from './batchTable';
import type { BatchServer, BatchWork, BatchAsks } from './batchWork';
import { owedRow, rowOfRun, type BatchRow, type RowEnd } from './rowsToRun';

/** What wasn't sent, or not accepted: it costs nothing. */
export type Unsent = Exclude<RunOutcome, { readonly kind: 'submitted' | 'unknown' }>;

/** One row on one server. Node warns of more than ten listeners on a signal, so each attempt has its own. */
export interface RowAttempt {
  readonly work: BatchWork;
  readonly server: BatchServer;
  readonly on: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * The run record is written before the prompt is sent, and locked until this returns. An abort cancels the job.
 * @throws ServerError when nothing can have been accepted; FolderNotUsableError, and any error that isn't a disk's
 */
export async function runRow(
  attempt: RowAttempt,
  { index: row }: BatchRow,
  asks: RowAsks,
): Promise<RowEnd | Unsent> {
  const { work, server, signal } = attempt;
  const { batch, workflowText, uri, choices } = work;
  const ports = { ...portsOf(attempt), suffix: `-${String(row + 1).padStart(4, '0')}` };
  try {
    const outcome = await runWorkflow(
      {
        workflow: WorkflowDocument.of(rowText(workflowText, batch.axes, row)),
        label: batch.label,
        uri,
        batch: { id: batch.id, row },
      },
      { ...choices, seeds: 'keep', neverWait: true },
      server.session,
      { ...asks, partnerKey: () => work.partnerKey(server) },
      ports,
      signal,
    );
    if (outcome.kind !== 'submitted' && outcome.kind !== 'unknown') return outcome;
    const { owned } = outcome;
    if (outcome.kind === 'unknown') return owedRow(owned.place.record, errorWords(outcome.error).message);
    const ended = await work.runs.finish(owned, server.session, ports, signal);
    return await endOf(ended, batch.isPaid || outcome.run.partnerNodes.length > 0, attempt);
  } catch (error) {
    if (!signal.aborted) throw error;
    return { state: 'cancelled' };
  }
}

/** Resumes a row that was sent, or was about to be, when its program ended. Never sends anything. */
export async function recoverRow(attempt: RowAttempt, name: string): Promise<RowEnd> {
  const { work, server, signal } = attempt;
  let job: string | undefined;
  let [isOver, wasCancelled] = [false, false];
  const ports = portsOf(attempt, (event) => {
    if (event.kind === 'accepted') job = event.jobId;
    if (event.kind === 'resumed') wasCancelled = event.job?.state === 'cancelled';
  });
  const begin = async (record: RunRecord) => {
    job = record.job;
    isOver = !isOwed(record);
    if (isOver) return undefined;
    const mayComeSoon = job === undefined && (await isFree(record, attempt));
    const arrivesWithin = mayComeSoon ? budgets.latestFreeArrival : undefined;
    return { session: server.session, wait: true, arrivesWithin };
  };
  try {
    const run = await work.runs.resume(name, ports, begin, signal);
    if (run === undefined && !(await work.folder.exists(name))) return { state: 'waiting' };
    if (run === undefined) return owedRow(name, t`${name} can't be read.`);
    if (run === 'locked')
      return owedRow(name, t`Another window or command is tracking this run and will save its outputs.`);
    const { phase, facts } = run;
    if (isOver) return rowOfRun(undefined, { name, record: facts }, work.batch.isPaid);
    // Cancelled when the batch was stopped: like all others of that time, it can be run again.
    if (phase.kind === 'cancelled' && wasCancelled) return { state: 'waiting' };
    // The batch was judged by another server's definitions, perhaps.
    const isPaid =
      work.batch.isPaid ||
      (phase.kind === 'lost' && (await usesPartners(facts.promptText, server.session, signal)));
    return await endOf(run, isPaid, attempt);
  } catch (error) {
    if (!signal.aborted && !ServerError.is(error)) throw error;
    return { ...owedRow(name, errorWords(error).message), job };
  }
}

async function endOf({ place, facts, phase }: OwnRun, isPaid: boolean, attempt: RowAttempt): Promise<RowEnd> {
  const row = rowOfRun(phase, { name: place.record, record: facts }, isPaid);
  const isForgotten = row.state === 'failed' && phase.kind === 'lost' && phase.why === 'forgotten';
  return isForgotten && (await isFree(facts, attempt)) ? { ...row, again: true } : row;
}

async function isFree(record: RunRecord, { work, server, signal }: RowAttempt): Promise<boolean> {
  if (work.batch.isPaid) return false;
  // Nobody can tell what it costs on a server that doesn't say.
  return costsNothing(record.promptText, server.session, signal).catch(() => false);
}

/** Marks a row as given to another server, before it is sent there. */
export async function giveUpRow(attempt: RowAttempt, name: string): Promise<boolean> {
  const { runs, folder } = attempt.work;
  const given = await runs.giveUp(name, portsOf(attempt), 'moved');
  return given === undefined ? !(await folder.exists(name)) : given === 'givenUp';
}

function portsOf({ work, server, on }: RowAttempt, heard?: (event: RunEvent) => void): WorkPorts {
  const { isSandbox = false } = server;
  return {
    ...work,
    source: { uri: work.sourceUri, hash: work.batch.workflowHash },
    isSandbox,
    endsWithOwner: isSandbox && work.sandboxEnds,
    pointers: work.pointers?.(server),
    on: (event) => {
      heard?.(event);
      on(event);
    },
  };
}

type RowAsks = Pick<RunCallbacks, 'localMedia' | 'mayUpload' | 'maySpend' | 'mayRunUnheard'>;

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
