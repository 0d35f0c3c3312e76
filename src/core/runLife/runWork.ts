import { isTerminal, type Job, type JobOrigin } from '../jobs/job';
import type { NodeErrorMap, PromptError } from '../protocol/nodeErrors';
import { ServerError } from '../protocol/serverError';
import { isOwed, type LostWhy, type RunRecord } from '../records/runRecord';
import { budgets } from '../safety/budgets';
import { jobOfRecord } from '../records/jobOfRecord';
import { findRecord } from '../records/recordFile';
import { OwnedRun, type OwningSession, type RunPorts } from './ownedRun';
import { mayHaveArrived } from './recoverSubmission';
import { type EndPhase, phaseOfRecord, type Run, RunLeft } from './run';
import type { RunPointer } from './runPointers';
import type { RunSession } from './runSession';
import type { RunToSend } from './runToSend';
import { submitOnce, type SubmittingSession } from './submitOnce';
import { finishRun, followRun, type FollowingSession, resumeRun, saveRun } from './takeUpRun';

/** A run as the work on it left it, with its whole record. */
export interface OwnRun extends Pick<Run, 'place'> {
  readonly facts: RunRecord;
  readonly phase: EndPhase;
  /** Path or URI of the record. */
  readonly location: string;
  /** The record on disk may lack the latest change. */
  readonly isWriting: boolean;
}

/** How a program sends runs and resumes them. */
export interface WorkPorts extends RunPorts {
  readonly runs: RunWork;
}

export type SendResult =
  /** Even if the send was aborted meanwhile: `finish` cancels the job. */
  | {
      readonly kind: 'submitted';
      readonly owned: OwnRun;
      readonly jobId: string;
      /** Errors that the server reported although it accepted the prompt. */
      readonly nodeErrors: NodeErrorMap;
    }
  | { readonly kind: 'refused'; readonly error: PromptError; readonly nodeErrors: NodeErrorMap }
  /** The server may have accepted it: the run stays owed, and is looked for later. */
  | { readonly kind: 'unknown'; readonly owned: OwnRun; readonly error: unknown };

interface Resuming {
  readonly session: Parameters<typeof resumeRun>[1];
  /** False: a job that has not ended is `notFollowed`. */
  readonly wait: boolean;
  /** How long a prompt without a job may still arrive, ms. */
  readonly arrivesWithin?: number | undefined;
}

/** What is known of a run besides its record: with it, a record that is gone is written again. */
type KnownRun = Parameters<typeof OwnedRun.open>[2];

/** Decides about a run whose record was locked: how it is resumed, how it is without that, or that it stays as it is. */
type BeginResuming = (record: RunRecord, origin: JobOrigin) => Promise<Resuming | EndPhase | undefined>;

/** Begins with what a pointer names. @param sessionOf of a server in the settings */
export function beginPointed(
  { server, isSandbox }: Pick<RunPointer, 'server' | 'isSandbox'>,
  sessionOf: (server: string) => Promise<RunSession | undefined>,
  signal: AbortSignal,
): BeginResuming {
  return async (record, origin) => {
    // The window that completed the run was killed before it could say so.
    if (!isOwed(record) && record.why !== 'forgotten') return undefined;
    const session = await sessionOf(server);
    if (!session && isSandbox) return { kind: 'lost', why: 'sandboxEnded', files: [] };
    if (!session) return { kind: 'owed', why: 'serverRemoved', files: [] };
    const { tracker } = session;
    // It is listed before its server has answered, which may take long.
    if (record.job !== undefined && record.state === 'submitted')
      tracker.resumed(record.job, origin, jobOfRecord(record));
    // This also resumes after 401 or 403, and throws if access is still denied.
    if (tracker.state.trouble) await tracker.refresh(signal);
    return { session, wait: true };
  };
}

/**
 * Saves a row that has ended. Any other is left to its batch, which decides whether it runs again.
 * @param over called when nothing of it can be saved later either, so that its server isn't asked again
 */
export function beginPointedRow(
  { promptId, sentAt }: Pick<RunPointer, 'promptId' | 'sentAt'>,
  session: RunSession,
  over: () => Promise<void>,
  signal: AbortSignal,
): BeginResuming {
  return async (record) => {
    const isOwn = record.promptId === promptId && isOwed(record);
    const job =
      isOwn && record.job !== undefined ? await session.tracker.details(record.job, signal) : undefined;
    if (job?.state === 'completed' || job?.state === 'failed') return { session, wait: false };
    if (job ? isTerminal(job.state) : Date.now() - sentAt > budgets.latestArrival) await over();
    return undefined;
  };
}

/**
 * The runs that this program works on, and the only holder of their locks: from the record that is written before a
 * prompt is sent until all that its job made is on disk. There is one attempt at a run at a time. What is still owed
 * after it is unlocked, unless `keepsLock` reserves the next attempt for this program.
 */
export class RunWork {
  readonly #runs = new Map<string, OwnedRun>();
  readonly #attempts = new Map<string, Promise<OwnRun | 'locked' | undefined>>();
  /** Runs that are being sent, or were sent and are to be followed. */
  readonly #sent = new Set<string>();
  #isClosed = false;

  /**
   * Records a run, and only then posts its prompt, once. An abort with `RunLeft` after that stops nothing: what is on its
   * way arrives, and is owed.
   * @throws FolderNotUsableError; and whatever kept the prompt from the server: then nothing is owed
   */
  async send(
    toSend: RunToSend,
    session: SubmittingSession & OwningSession,
    ports: RunPorts,
    signal: AbortSignal,
  ): Promise<SendResult> {
    signal.throwIfAborted();
    const run = await OwnedRun.begin(toSend, session, ports);
    this.#runs.set(run.location, run);
    this.#sent.add(run.location);
    const notAccepted = (): Promise<void> => {
      this.#runs.delete(run.location);
      this.#sent.delete(run.location);
      return run.notAccepted();
    };
    await ports.pointers?.put(run);
    const known = { isSent: false, isAccepted: false };
    const sending = unlessLeft(signal);
    try {
      const answer = await submitOnce(
        toSend,
        session,
        (stage) => {
          // A server that asks to wait has not accepted it.
          known.isSent = stage.kind !== 'waiting';
          ports.on?.({ kind: 'stage', stage });
        },
        async (jobId, leftOut) => {
          known.isAccepted = true;
          await run.accepted(jobId, leftOut);
        },
        sending.signal,
        () => run.requireOwn(),
      );
      if (answer.kind === 'accepted') {
        const { promptId: jobId, nodeErrors } = answer;
        return { kind: 'submitted', owned: ownRun(run), jobId, nodeErrors };
      }
      await notAccepted();
      return { kind: 'refused', error: answer.error, nodeErrors: answer.nodeErrors };
    } catch (error) {
      const mayBeThere = known.isSent && (!(error instanceof ServerError) || mayHaveArrived(error));
      if (known.isAccepted || mayBeThere) {
        // The folder may have been renamed meanwhile, and the run is found by its record.
        await run.change((record) => record);
        this.#sent.delete(run.location);
        return { kind: 'unknown', owned: await this.#unlock(run, ports), error };
      }
      await notAccepted();
      throw error;
    } finally {
      sending.dispose();
    }
  }

  /** Takes a run that was sent here to its end. An abort cancels its job and saves what it made, unless it is `RunLeft`. */
  finish(
    { location }: OwnRun,
    session: FollowingSession,
    ports: RunPorts,
    signal: AbortSignal,
  ): Promise<OwnRun> {
    const run = this.#runs.get(location);
    if (!run) throw new Error('A run is followed that is not locked here.');
    return this.#attempt(location, () =>
      this.#unlockAfter(run, ports, () => finishRun(run, session, ports, signal)),
    );
  }

  /**
   * Resumes a run by the name of its record, and never sends anything. Joins the attempt in progress. Undefined: there is
   * no such record; `locked`: another program is at it, or this one is about to follow it.
   * @throws ServerError when the server can't be reached, OutputError for the folder, and what `begin` throws
   */
  resume(
    name: string,
    ports: RunPorts,
    begin: BeginResuming,
    signal: AbortSignal,
    known?: KnownRun,
  ): Promise<OwnRun | 'locked' | undefined> {
    const location = ports.folder.location(name);
    // It is about to be followed by whoever sends it.
    if (this.#sent.has(location)) return Promise.resolve('locked');
    const joined = this.#attempts.get(location);
    return joined ?? this.#attempt(location, () => this.#resume(name, ports, begin, signal, known));
  }

  /**
   * Saves what a job that has ended made: next to its record if the folder has one, or else to a new one.
   * @param name the record, if it is known
   * @throws OutputError when the folder can't be read or written
   */
  async save(
    job: Job,
    client: FollowingSession['client'],
    ports: RunPorts,
    { name, promptText }: { readonly name?: string | undefined; readonly promptText?: string | undefined },
    signal: AbortSignal,
  ): Promise<OwnRun | 'locked'> {
    const known = name ?? (await findRecord(ports.folder, (record) => record.job === job.id))?.name;
    // An attempt in progress may be saving them.
    if (known !== undefined) await this.#attempts.get(ports.folder.location(known))?.catch(() => undefined);
    const run =
      (known === undefined ? undefined : await this.#lock(known, ports)) ??
      (await this.#keep(await OwnedRun.foreign(job, ports, promptText)));
    if (run === 'locked') return run;
    return this.#attempt(run.location, () =>
      this.#unlockAfter(run, ports, async () => {
        await ports.pointers?.put(run);
        return saveRun(run, client, ports, job, signal);
      }),
    );
  }

  /** Saves the outputs of someone else's job next to a new record. Undefined if the server doesn't have it. */
  async saveForeign(
    jobId: string,
    { tracker, client }: FollowingSession,
    ports: RunPorts,
    { wait }: { readonly wait: boolean },
    signal: AbortSignal,
  ): Promise<EndPhase | undefined> {
    const known = await tracker.details(jobId, signal);
    if (!known) return undefined;
    if (!wait && !isTerminal(known.state)) return { kind: 'owed', why: 'notFollowed', job: known, files: [] };
    const job = await followRun(tracker, jobId, ports, signal);
    const saved = await this.save(job, client, ports, {}, signal);
    return saved === 'locked' ? { kind: 'owed', why: 'notFollowed', job, files: [] } : saved.phase;
  }

  async giveUp(
    name: string,
    ports: RunPorts,
    why: LostWhy,
    known?: KnownRun,
  ): Promise<'givenUp' | 'nothingOwed' | 'locked' | undefined> {
    const run = await this.#lock(name, ports, known);
    if (!run || run === 'locked') return run;
    const { isOwed } = run;
    if (isOwed) await run.giveUp(why);
    await this.release(run.location);
    return isOwed ? 'givenUp' : 'nothingOwed';
  }

  owed(): readonly OwnRun[] {
    return [...this.#runs.values()].filter((run) => run.isOwed).map((run) => ownRun(run));
  }

  isLocked(location: string): boolean {
    return this.#runs.has(location);
  }

  /** Unlocks a run that was kept for this program. */
  async release(location: string): Promise<void> {
    const run = this.#runs.get(location);
    this.#runs.delete(location);
    await run?.close();
  }

  /** Unlocks all runs, so that other programs may resume them. Nothing is locked after it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#runs.keys()].map((location) => this.release(location)));
  }

  #attempt<T extends OwnRun | 'locked' | undefined>(location: string, work: () => Promise<T>): Promise<T> {
    this.#sent.delete(location);
    const attempt = work().finally(() => {
      if (this.#attempts.get(location) === attempt) this.#attempts.delete(location);
    });
    this.#attempts.set(location, attempt);
    return attempt;
  }

  async #resume(
    name: string,
    ports: RunPorts,
    begin: BeginResuming,
    signal: AbortSignal,
    known: KnownRun,
  ): Promise<OwnRun | 'locked' | undefined> {
    const run = await this.#lock(name, ports, known);
    if (run === undefined || run === 'locked') return run;
    return this.#unlockAfter(run, ports, async () => {
      const begun = await begin(run.record, run.origin);
      const end =
        begun && 'session' in begun ? await resumeRun(run, begun.session, ports, begun, signal) : begun;
      if (end?.kind === 'lost' && run.isOwed) await run.giveUp(end.why);
      return end;
    });
  }

  async #lock(name: string, ports: RunPorts, known?: KnownRun): Promise<OwnedRun | 'locked' | undefined> {
    const location = ports.folder.location(name);
    if (this.#sent.has(location)) return 'locked';
    const held = this.#runs.get(location);
    if (held) return held;
    const run = await OwnedRun.open(name, ports, known);
    if (!(run instanceof OwnedRun)) return run;
    // Its record was gone, and is written again.
    if (run.name !== name) await ports.pointers?.put(run);
    return this.#keep(run);
  }

  async #keep(run: OwnedRun): Promise<OwnedRun | 'locked'> {
    this.#runs.set(run.location, run);
    if (!this.#isClosed) return run;
    await this.release(run.location);
    return 'locked';
  }

  async #unlockAfter(
    run: OwnedRun,
    ports: RunPorts,
    work: () => Promise<EndPhase | undefined>,
  ): Promise<OwnRun> {
    try {
      return await this.#unlock(run, ports, await work());
    } catch (error) {
      await this.#unlock(run, ports);
      throw error;
    }
  }

  async #unlock(run: OwnedRun, { keepsLock }: RunPorts, end?: EndPhase): Promise<OwnRun> {
    const left = ownRun(run, end);
    if (keepsLock !== true || !run.isOwed) await this.release(run.location);
    return left;
  }
}

function ownRun(
  { record: facts, name, location, file }: OwnedRun,
  phase: EndPhase = { ...phaseOfRecord(facts), files: [] },
): OwnRun {
  const place = { folder: location.slice(0, -name.length - 1), record: name };
  return { place, facts, phase, location, isWriting: file.isWriting };
}

/** Follows a signal, but not to leave. */
function unlessLeft(signal: AbortSignal): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const follow = (): void => {
    if (!RunLeft.is(signal.reason)) controller.abort(signal.reason);
  };
  if (signal.aborted) follow();
  signal.addEventListener('abort', follow);
  return { signal: controller.signal, dispose: () => signal.removeEventListener('abort', follow) };
}
