import * as vscode from 'vscode';
import { orAborted } from '../../core/client/timing';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { LostWhy } from '../../core/records/runRecord';
import type { OwnedRun, RunPorts } from '../../core/runLife/ownedRun';
import { RunLeft, type RunEnd } from '../../core/runLife/runEnd';
import type { RunSession } from '../../core/runLife/runSession';
import type { RunStore } from '../../core/runLife/runStore';
import type { OutputFile } from '../../core/protocol/outputFile';
import { budgets } from '../../core/safety/budgets';
import { shown } from '../../core/safety/shownText';
import {
  checkDisk,
  forgetDeleted,
  savingProblem,
  SavingShown,
  savesTemporary,
  jobSourceUri,
  tellNeutralised,
} from '../outputs/savingShown';
import { OutputPlaces } from '../outputs/outputPlace';
import { TemporaryOutputs } from '../outputs/temporaryOutputs';
import type { Log } from '../platform/log';
import type { Platform } from '../platform/platform';
import { WriterFiles } from '../platform/storage';
import { isCancellation, tellProblem } from '../platform/problems';
import { showWarning } from '../platform/show';
import { pointerId, PointerStore } from '../ledger/pointerStore';
import type { RunPointer } from '../ledger/runPointer';
import type { Servers } from '../servers/servers';
import { HeldRuns, type PartialPointer, runPointer } from './heldRuns';
import { RunEnds } from './endNotice';
import { RunDiagnostics } from './runDiagnostics';
import { RunFolders, type SentRun } from './runFolders';

interface Attempt {
  /** Missing before a run is found or made for a job. */
  readonly pointer: RunPointer | undefined;
  jobId: string | undefined;
  readonly done: Promise<void>;
}

/**
 * The runs of this window, from before their prompts are sent until their outputs are on disk. However an attempt ends,
 * its record is released, or its pointer says why it is still owed, so that it is tried again.
 */
export class WindowRuns implements vscode.Disposable {
  readonly #window = new AbortController();
  readonly places = new OutputPlaces();
  readonly diagnostics = new RunDiagnostics();
  readonly temporary: TemporaryOutputs;
  readonly pointers: PointerStore;
  readonly folders: RunFolders;
  readonly ends: RunEnds;
  readonly held: HeldRuns;
  private readonly log: Log;
  readonly #attempts = new Set<Attempt>();
  /** Batches that run in this window, or did. */
  readonly #batches = new Set<string | undefined>();

  constructor(
    platform: Platform,
    readonly servers: Servers,
    readonly store: JobStore,
    readonly runs: RunStore,
  ) {
    const { log, storage, storageTrouble, context } = platform;
    this.log = log;
    this.temporary = platform.own(new TemporaryOutputs(context.globalStorageUri));
    this.pointers = platform.own(new PointerStore(storage, storageTrouble));
    this.ends = new RunEnds(platform, this.diagnostics);
    this.held = new HeldRuns(this.pointers, log, runs);
    const { places, pointers } = this;
    const list = storedList(platform);
    const parts = { list, trouble: storageTrouble, tracked: store, runs, places, pointers, log };
    this.folders = platform.own(new RunFolders(parts));
  }

  /** Resolves when the jobs and outputs of earlier windows are known. */
  ready(): Promise<void> {
    return this.folders.whenListed();
  }

  follow(run: OwnedRun, session: RunSession): void {
    const pointer = this.#pointerOf(run);
    if (!pointer) return;
    const { signal } = this.#window;
    const following = import('../../core/runLife/finishRun').then(({ finishRun }) =>
      this.#attempt(pointer, run, session, (ports) => finishRun(run, session, ports, signal)),
    );
    void this.#note(pointer, run.jobId, following);
  }

  /** Nobody knows whether the server has a run, so it is looked for later. */
  async unclear(run: OwnedRun): Promise<void> {
    const pointer = this.#pointerOf(run);
    if (pointer) this.pointers.setTrouble(pointer, (await import('./owedWords')).notAnswered());
  }

  isFollowed(jobId: string): boolean {
    return this.#attemptWith({ jobId }) !== undefined;
  }

  /** Resolves when the outputs of a job are saved, or why not was reported. */
  async settled(jobId: string): Promise<void> {
    await this.#attemptWith({ jobId })?.done;
  }

  /**
   * Resumes an owed run unless this window works on it. Resolves when it is followed. Never sends anything. @throws the
   * reason why it can't be resumed, which its pointer says from then on
   */
  async resume(pointer: RunPointer): Promise<void> {
    // One that is being sent has neither an attempt nor a trouble.
    const isSending = this.held.has(pointer) && !this.pointers.troubleOf(pointer);
    const isLeft = pointer.outputsUnknown ?? this.#batches.has(pointer.batch);
    if (isSending || isLeft || this.#attemptWith({ id: pointerId(pointer) })) return;
    await new Promise<void>((resolve, reject) => {
      const taking = this.#takeUp(pointer, resolve);
      taking.then(resolve, reject);
      void this.#note(pointer, pointer.jobId, taking);
    });
  }

  /** A batch takes care of its rows from now on. Resolves when none of them is being saved. */
  async leaveRows(batch: string): Promise<void> {
    this.#batches.add(batch);
    const saving = [...this.#attempts].filter(({ pointer }) => pointer?.batch === batch);
    await Promise.all(saving.map(({ done }) => done));
  }

  /** A server reports the end of a job that counted as lost. */
  async found(job: Job): Promise<void> {
    const pointer = await this.pointers.ofJob(job.id);
    if (!pointer) return;
    await this.pointers.put(pointer);
    await this.resume(pointer);
  }

  /**
   * Saves what is missing of a job that has ended. The user asked for it, so it is owed from now on. Asks for a
   * folder only if none is known. A second caller waits for the first. @throws why it can't be saved
   */
  async save(job: Job, session: RunSession, signal: AbortSignal, sent?: SentRun): Promise<void> {
    for (let other; (other = this.#attemptWith({ jobId: job.id }));) await orAborted(other.done, signal);
    const saving = this.#save(job, session, signal, sent);
    await this.#note(undefined, job.id, saving);
    await saving;
  }

  /** The user no longer wants the outputs of a job that was not owed before. */
  async leave(jobId: string): Promise<void> {
    const pointer = this.pointers.owedOfJob(jobId);
    if (pointer?.askedAt !== undefined && !this.isFollowed(jobId)) await this.giveUp(pointer, 'givenUp');
  }

  savedUri(jobId: string, file: OutputFile): vscode.Uri | undefined {
    const found = this.runs.fileOf(jobId, file);
    return found && vscode.Uri.file(found.location);
  }

  /** An output on disk, if only for this window. */
  outputUri(jobId: string, file: OutputFile): vscode.Uri | undefined {
    return this.savedUri(jobId, file) ?? this.temporary.find(jobId, file);
  }

  /** Fetches outputs that are shown but not saved. What can't be fetched stays on the server and isn't owed. */
  async fetchTemporary(job: Job, session: RunSession, signal: AbortSignal): Promise<void> {
    const { filesNotSaved } = await import('../../core/outputs/outputNames');
    const files = filesNotSaved(job, savesTemporary(jobSourceUri(job))).filter(
      (file) => !this.savedUri(job.id, file),
    );
    await this.temporary.fetch(job.id, files, session.client, signal);
  }

  async giveUp(pointer: RunPointer, why: LostWhy): Promise<void> {
    try {
      const run = await this.held.own(pointer);
      if (run !== 'locked' && run.isOwed) await run.giveUp(why);
    } catch (error) {
      this.log.error('Completing a run record', error);
    }
    await this.dismiss(pointer);
  }

  async dismiss(pointer: RunPointer): Promise<void> {
    await this.held.release(pointer);
    await this.pointers.settle({ ...pointer, outputsUnknown: undefined });
  }

  async close(): Promise<void> {
    this.#window.abort(new RunLeft());
    await Promise.allSettled([this.held.close(), this.folders.close(), this.temporary.close()]);
  }

  dispose(): void {
    this.#window.abort(new RunLeft());
    this.diagnostics.dispose();
  }

  #pointerOf({ record, jobId }: OwnedRun): RunPointer | undefined {
    return this.pointers.owedOf(pointerId({ promptId: record.promptId, jobId }));
  }

  #attemptWith(known: { readonly id: string } | { readonly jobId: string }): Attempt | undefined {
    return [...this.#attempts].find(({ pointer, jobId }) =>
      'id' in known ? pointer && pointerId(pointer) === known.id : jobId === known.jobId,
    );
  }

  #note(pointer: RunPointer | undefined, jobId: string | undefined, work: Promise<unknown>): Promise<void> {
    const over = (): void => void this.#attempts.delete(attempt);
    const attempt: Attempt = { pointer, jobId, done: work.then(over, over) };
    this.#attempts.add(attempt);
    return attempt.done;
  }

  async #takeUp(pointer: RunPointer, begun: () => void): Promise<void> {
    const { pointers, log } = this;
    const { signal } = this.#window;
    try {
      await this.#takeUpNow(pointer, begun);
    } catch (error) {
      if (signal.aborted) return;
      // The rows of a batch are told by the batch.
      if (pointer.batch !== undefined) throw error;
      pointers.setTrouble(pointer, (await import('./owedWords')).runTrouble(error));
      // A run that was given up has no row to show it.
      if (pointer.askedAt !== undefined && !pointers.owedOf(pointerId(pointer))) tellProblem(error, log);
      else throw error;
    }
  }

  async #takeUpNow(pointer: RunPointer, begun: () => void): Promise<void> {
    const { pointers, servers } = this;
    const { signal } = this.#window;
    const { askedAt, jobId } = pointer;
    if (pointer.batch !== undefined) return this.#saveRow(pointer);
    const isAsked = askedAt !== undefined && jobId !== undefined;
    const run = isAsked ? undefined : await this.held.own(pointer);
    if (run === 'locked') return;
    if (pointers.troubleOf(pointer)?.kind === 'disk') await checkDisk(pointer.folder);
    // The window that completed the run was killed before it could say so.
    if (run && !run.isOwed && run.record.why !== 'forgotten') return this.dismiss(pointer);
    const session = await servers.sessionOf(pointer.server);
    if (!session && pointer.isSandbox) return this.giveUp(pointer, 'sandboxEnded');
    if (!session) {
      pointers.setTrouble(pointer, (await import('./owedWords')).removedServer(pointer));
      return;
    }
    const { resumeRun, heardBefore } = await import('../../core/runLife/resumeRun');
    // It is listed before its server has answered, which may take long.
    if (run?.jobId !== undefined && run.record.state === 'submitted')
      session.tracker.resumed(run.jobId, run.origin, heardBefore(run));
    // This also resumes after 401 or 403, and throws if access is still denied.
    if (session.tracker.state.trouble) await session.tracker.refresh(signal);
    if (isAsked) return this.#saveAsked(pointer, jobId, askedAt, session);
    if (!run) return;
    const work = (ports: RunPorts) => resumeRun(run, session, ports, { wait: true }, signal);
    await this.#attempt(pointer, run, session, work, { begun });
  }

  /** Saves a row that has ended. Any other is left to its batch, which decides whether it runs again. */
  async #saveRow(pointer: RunPointer): Promise<void> {
    const { signal } = this.#window;
    const session = await this.servers.sessionOf(pointer.server);
    const run = session && (await this.held.own(pointer));
    if (!run || run === 'locked') return;
    try {
      const isOwn = run.record.promptId === pointer.promptId && run.isOwed;
      const job = isOwn && run.jobId !== undefined && (await session.tracker.details(run.jobId, signal));
      if (job && (job.state === 'completed' || job.state === 'failed')) {
        const { saveRun } = await import('../../core/runLife/finishRun');
        const end = await saveRun(run, session.client, await this.held.ports(pointer), job, signal);
        if (end.kind !== 'lost') await this.#keep(end);
      } else if (job ? isTerminal(job.state) : Date.now() - pointer.sentAt > budgets.latestArrival) {
        // Nothing of it can be saved later either, so its server isn't asked again.
        await this.pointers.settle(pointer);
      }
    } finally {
      await this.held.release(pointer);
    }
  }

  /** An ended job of someone else doesn't become ours, and its end is no news. */
  async #saveAsked(pointer: RunPointer, jobId: string, askedAt: number, session: RunSession): Promise<void> {
    const { signal } = this.#window;
    const job = await session.tracker.details(jobId, signal);
    if (job && job.outputs.length > 0) {
      await this.#save(job, session, signal);
      return;
    }
    this.pointers.setTrouble(pointer, (await import('./owedWords')).noOutputsListed(pointer));
    if (Date.now() - askedAt < budgets.latestArrival) return;
    await this.giveUp(pointer, 'forgotten');
    void showWarning(
      shown`${pointer.serverName} no longer lists the outputs of ${pointer.label}. Check the server for any that aren't saved yet.`,
    );
  }

  async #save(job: Job, session: RunSession, signal: AbortSignal, sent?: SentRun): Promise<void> {
    const { pointers, servers, places, runs } = this;
    const earlier = runs.ofJob(job);
    if (earlier) await forgetDeleted(runs, earlier);
    const known = await pointers.ofJob(job.id);
    const { filesWorthSaving } = await import('../../core/outputs/outputNames');
    const files = filesWorthSaving(job, savesTemporary(jobSourceUri(job)));
    const owed = pointers.owedOfJob(job.id);
    if (!owed && files.every((file) => this.savedUri(job.id, file))) return;
    const folder = known?.folder ?? sent?.folder ?? (await places.ask(jobSourceUri(job)))?.fsPath;
    if (folder === undefined) return;
    const place: PartialPointer = {
      ...known,
      ...{ folder, jobId: job.id, server: job.server, serverName: servers.nameOf(job.server) },
      isSandbox: servers.isOfSandbox(job),
      askedAt: owed ? owed.askedAt : Date.now(),
      outputsUnknown: undefined,
    };
    const run = await this.held.ask(place, job, sent?.promptText).catch(async (error: unknown) => {
      throw await savingProblem(error, job.id);
    });
    if (run === 'locked') return;
    const pointer = runPointer(run, place);
    await pointers.put(pointer);
    const { saveRun } = await import('../../core/runLife/finishRun');
    const work = (ports: RunPorts) => saveRun(run, session.client, ports, job, signal);
    const problem = await this.#attempt(pointer, run, session, work, { asked: signal });
    if (problem) throw problem;
  }

  /** Returns why outputs are missing on disk. The user is notified, unless `asked` says that the caller does. */
  async #attempt(
    pointer: RunPointer,
    run: OwnedRun,
    session: RunSession,
    work: (ports: RunPorts) => Promise<RunEnd>,
    { begun, asked }: { readonly begun?: () => void; readonly asked?: AbortSignal } = {},
  ): Promise<Error | undefined> {
    const { pointers, temporary, ends, runs } = this;
    const place = { folder: pointer.folder, record: run.name };
    const saving = new SavingShown((isSaving) => {
      runs.setActivity(place, isSaving ? { kind: 'saving' } : undefined);
    }, temporary);
    const base = await this.held.ports(pointer, (event) => {
      if (event.kind === 'saving') saving.progress(event.progress);
      if (event.kind !== 'resumed') return;
      const attempt = this.#attemptWith({ id: pointerId(pointer) });
      if (attempt) attempt.jobId = event.jobId;
      void pointers.put(runPointer(run, pointer));
      begun?.();
    });
    const ports: RunPorts = {
      ...base,
      shown: () => (run.jobId === undefined ? undefined : temporary.shownOf(run.jobId)),
      ended: async (job) => {
        if (!asked) await ends.ended(job);
        await saving.begin(job, session, asked ?? this.#window.signal);
      },
    };
    runs.setActivity(place, { kind: 'following' });
    try {
      const end = await work(ports);
      if (end.kind === 'owed') await this.#keep(end);
      else await this.#settle(pointer, end);
      saving.end();
      if (end.kind === 'owed') return await this.#stillOwed(pointer, end, asked);
      if (end.job && !asked) await this.#withDetails(end.job, session);
      return undefined;
    } finally {
      saving.end();
      runs.setActivity(place, undefined);
    }
  }

  async #settle(pointer: RunPointer, end: Exclude<RunEnd, { readonly kind: 'owed' }>): Promise<void> {
    await this.held.release(pointer);
    if (end.kind !== 'lost') await this.#keep(end);
    else if (end.why === 'neverAccepted') (await import('./owedWords')).neverAccepted(pointer);
  }

  async #keep({
    job,
    files,
  }: Pick<Extract<RunEnd, { readonly kind: 'owed' }>, 'job' | 'files'>): Promise<void> {
    if (!job || files.length === 0) return;
    await tellNeutralised(files);
  }

  async #withDetails(job: Job, session: RunSession): Promise<void> {
    const { ends, runs, log } = this;
    ends.saved(job, runs.filesOfJob(job.id));
    try {
      await this.fetchTemporary(job, session, this.#window.signal);
    } catch (error) {
      // The preview says that they are on the server, and offers to show them.
      if (!isCancellation(error)) log.error('Fetching temporary outputs', error);
    }
  }

  async #stillOwed(
    pointer: RunPointer,
    { why, job, error, mayArriveFor = 0 }: Extract<RunEnd, { readonly kind: 'owed' }>,
    asked: AbortSignal | undefined,
  ): Promise<Error | undefined> {
    const { pointers, ends } = this;
    const problem = await savingProblem(error, job?.id);
    if (this.#window.signal.aborted) return problem;
    if (asked?.aborted) {
      await this.held.release(pointer);
      return problem;
    }
    const { notSeen, runTrouble } = await import('./owedWords');
    if (why === 'notSeen') {
      pointers.setTrouble(pointer, notSeen(mayArriveFor));
      return undefined;
    }
    const { mayBeSavedLater } = await import('../../core/runLife/outputsNotSaved');
    if (pointer.askedAt !== undefined && !mayBeSavedLater(error)) await this.giveUp(pointer, 'forgotten');
    const trouble = runTrouble(problem);
    pointers.setTrouble(pointer, trouble);
    // While the connection is closed for a new key, there is nothing to say.
    if (!asked && !isCancellation(error)) ends.failed(pointerId(pointer), problem, trouble.words);
    return problem;
  }
}

/** What is too old is removed from the storage when this is first read. */
function storedList({ storage, workspaceName }: Platform): Pick<WriterFiles, 'read' | 'write'> {
  const list = new WriterFiles(storage, `list-${workspaceName}.json`);
  return {
    write: (text) => list.write(text),
    read: () => {
      // If this fails, what was stored is still used.
      void import('../platform/pruneStorage')
        .then(({ pruneStorage }) => pruneStorage(storage, Date.now()))
        .catch(() => undefined);
      return list.read();
    },
  };
}
