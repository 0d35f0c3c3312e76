import type { PreparedPartnerNode } from '../runs/prepareRun';
import type { RunChoices } from '../runs/runChoices';
import { isOwed, type RunRecord } from '../records/runRecord';
import type { PointerPort, RunEvent } from '../runLife/ownedRun';
import type { RunSession } from '../runLife/runSession';
import type { OwnRun, WorkPorts } from '../runLife/runWork';
import { costsNothing, usesPartners } from '../runs/costsNothing';
import { runWorkflow, type RunCallbacks, type RunOutcome } from '../runs/runWorkflow';
import { budgets } from '../safety/budgets';
import { lockedWords } from '../safety/errorWords';
import { t } from '../safety/localize';
import { WorkflowDocument } from '../workflow/workflowDocument';
import { BatchProblem } from './batchProblem';
import type { BatchRow } from './batchRow';
import { rowText } from './batchTable';
import type { StartedBatch } from './startedBatch';

/** The questions of a batch to the person, each asked once, whatever the number of rows. */
export interface BatchAsks extends Pick<RunCallbacks, 'localMedia' | 'mayUpload' | 'mayRunUnheard'> {
  maySpend(nodes: readonly PreparedPartnerNode[], rows: number): Promise<boolean>;
  /** Whether rows of a server that stopped answering may be paid for again on another one. */
  mayMovePaid(server: string): Promise<boolean>;
}

/** `giveUpAfter`: how long a server may be unreachable before its rows go to others, ms. */
export interface BatchWork extends Pick<
  WorkPorts,
  'runs' | 'folder' | 'hide' | 'largestCopy' | 'giveUpAfter' | 'temporaryToo' | 'requireOwn' | 'recorded'
> {
  readonly batch: Pick<StartedBatch, 'id' | 'label' | 'workflowHash' | 'isPaid' | 'axes'>;
  /** The workflow file's text, as when the batch was planned. */
  readonly workflowText: string;
  readonly uri?: { toString(): string } | undefined;
  /** The same for run records: relative to the workspace or the working directory. */
  readonly sourceUri?: string | undefined;
  readonly choices: Pick<RunChoices, 'targets' | 'force' | 'allowLoss' | 'lookOut' | 'refuseUnheard'>;
  readonly asks: BatchAsks;
  readonly partnerKey: (server: BatchServer) => Promise<string | undefined>;
  /** A sandbox among the servers ends with the batch: nothing can be fetched from it later. */
  readonly sandboxEnds?: boolean | undefined;
  /** What the owner keeps of each row that this server may have. */
  readonly pointers?: ((server: BatchServer) => PointerPort | undefined) | undefined;
  readonly onRun?: ((row: number, event: RunEvent) => void) | undefined;
}

/** The caller owns the session. */
export interface BatchServer {
  /** For people, and unique among the servers of a batch. */
  readonly name: string;
  readonly session: RunSession;
  readonly isSandbox?: boolean | undefined;
  readonly window: number;
}

/** What wasn't sent, or not accepted: it costs nothing. */
export type Unsent = Exclude<RunOutcome, { readonly kind: 'submitted' | 'unknown' }>;

/** One row on one server. Node warns of more than ten listeners on a signal, so each attempt has its own. */
interface RowAttempt {
  readonly work: BatchWork;
  readonly server: BatchServer;
  readonly on: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

/** The run of a row as an attempt left it. */
export interface Attempted {
  readonly run: OwnRun;
  readonly isPaid: boolean;
  /** The server showed that it no longer has the job, and to run it again costs nothing. */
  readonly again?: boolean;
}

/**
 * The run record is written before the prompt is sent, and locked until this returns. An abort cancels the job.
 * @throws ServerError when nothing can have been accepted; FolderNotUsableError, and any error that isn't a disk's
 */
export async function runRow(
  attempt: RowAttempt,
  { index: row }: BatchRow,
  asks: RowAsks,
): Promise<Attempted | Unsent> {
  const { work, server, signal } = attempt;
  const { batch, workflowText, uri, choices } = work;
  const ports = { ...portsOf(attempt), suffix: `-${String(row + 1).padStart(4, '0')}` };
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
  if (outcome.kind === 'unknown') {
    const phase = { kind: 'owed', why: 'notSeen', error: outcome.error, files: [] } as const;
    return { run: { ...outcome.owned, phase }, isPaid: batch.isPaid };
  }
  if (outcome.kind !== 'submitted') return outcome;
  const run = await work.runs.finish(outcome.owned, server.session, ports, signal);
  return attempted(run, batch.isPaid || outcome.run.partnerNodes.length > 0, attempt);
}

/**
 * Resumes a row that was sent, or was about to be, when its program ended. Never sends anything. Undefined: nothing of it
 * is on a server, so it can be run again.
 * @throws BatchProblem when another has it, or its record can't be read; ServerError
 */
export async function recoverRow(attempt: RowAttempt, name: string): Promise<Attempted | undefined> {
  const { work, server, signal } = attempt;
  let [isOver, wasCancelled] = [false, false];
  const ports = portsOf(attempt, (event) => {
    if (event.kind === 'resumed') wasCancelled = event.job?.state === 'cancelled';
  });
  const begin = async (record: RunRecord) => {
    isOver = !isOwed(record);
    wasCancelled = record.state === 'cancelled';
    if (isOver) return undefined;
    const mayComeSoon = record.job === undefined && (await isFree(record, attempt));
    const arrivesWithin = mayComeSoon ? budgets.latestFreeArrival : undefined;
    return { session: server.session, wait: true, arrivesWithin };
  };
  const run = await work.runs.resume(name, ports, begin, signal);
  if (run === 'locked') throw new BatchProblem(lockedWords(), '');
  if (run === undefined) {
    if (await work.folder.exists(name)) throw new BatchProblem(t`${name} can't be read.`, '');
    return undefined;
  }
  const { phase, facts } = run;
  // Cancelled when the batch was stopped: like all others of that time, it can be run again.
  if (phase.kind === 'cancelled' && wasCancelled) return undefined;
  if (isOver) return { run, isPaid: work.batch.isPaid };
  // The batch was judged by another server's definitions, perhaps.
  const isPaid =
    work.batch.isPaid ||
    (phase.kind === 'lost' && (await usesPartners(facts.promptText, server.session, signal)));
  return attempted(run, isPaid, attempt);
}

async function attempted(run: OwnRun, isPaid: boolean, attempt: RowAttempt): Promise<Attempted> {
  const { phase, facts } = run;
  const isForgotten = phase.kind === 'lost' && phase.why === 'forgotten';
  return { run, isPaid, again: isForgotten && (await isFree(facts, attempt)) };
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
