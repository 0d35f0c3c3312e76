import path from 'node:path';
import * as vscode from 'vscode';
import { orAborted } from '../../core/client/timing';
import { isTerminal, type Job, type JobOrigin } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { LostWhy, RunRecord } from '../../core/records/runRecord';
import type { RunEvent, RunPointers } from '../../core/runLife/ownedRun';
import { type EndPhase, phaseOfRun, type RunActivity, RunLeft } from '../../core/runLife/run';
import type { RunSession } from '../../core/runLife/runSession';
import type { RunStore } from '../../core/runLife/runStore';
import type { OutputFile } from '../../core/protocol/outputFile';
import type { OwnRun, RunWork, WorkPorts } from '../../core/runLife/runWork';
import { budgets } from '../../core/safety/budgets';
import { shown } from '../../core/safety/shownText';
import {
  checkDisk,
  forgetDeleted,
  savingProblem,
  fetchViewed,
  showSaving,
  savesTemporary,
  jobSourceUri,
  tellNeutralised,
} from '../outputs/savingShown';
import { largestKeptInput, OutputPlaces, workspaceSourcePath } from '../outputs/outputPlace';
import { TemporaryOutputs } from '../outputs/temporaryOutputs';
import type { Log } from '../platform/log';
import type { Platform } from '../platform/platform';
import { withoutSecrets } from '../platform/shownSecrets';
import { WriterFiles } from '../platform/storage';
import { isCancellation, tellProblem } from '../platform/problems';
import { showWarning } from '../platform/show';
import { pointerId, PointerStore } from '../ledger/pointerStore';
import type { RunPointer } from '../ledger/runPointer';
import type { Servers } from '../servers/servers';
import { RunEnds } from './endNotice';
import { tellNotRecorded } from './notRecordedWords';
import { RunDiagnostics } from './runDiagnostics';
import { putRun, RunFolders, type SentRun } from './runFolders';

type PartialPointer = Pick<RunPointer, 'server' | 'serverName' | 'isSandbox' | 'folder'> &
  Partial<RunPointer>;
type PointedRun = Parameters<RunPointers['put']>[0];

interface Attempt {
  readonly pointer: RunPointer | undefined;
  jobId: string | undefined;
  readonly done: Promise<void>;
}

/**
 * The runs of this window: where they are, what a person reads of them, and what this user's pointers say. What happens
 * to a run is decided by `RunWork`. However an attempt ends, its record is unlocked, or its pointer says why it is still
 * owed, so that it is tried again.
 */
export class WindowRuns implements vscode.Disposable {
  readonly #window = new AbortController();
  readonly places = new OutputPlaces();
  readonly diagnostics = new RunDiagnostics();
  readonly temporary: TemporaryOutputs;
  readonly pointers: PointerStore;
  readonly folders: RunFolders;
  readonly ends: RunEnds;
  private readonly log: Log;
  #opened: Promise<RunWork> | undefined;
  #work: RunWork | undefined;
  readonly #attempts = new Map<string, Attempt>();
  /** Batches that run in this window. */
  readonly #batches = new Set<string | undefined>();
  /** Records that could not be written: each is told once. */
  readonly #notRecorded = new Set<string>();

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
    const { places, pointers } = this;
    const list = storedList(platform);
    const parts = { list, trouble: storageTrouble, tracked: store, runs, places, pointers, log };
    this.folders = platform.own(new RunFolders(parts));
  }

  /** Resolves when the jobs and outputs of earlier windows are known. */
  ready(): Promise<void> {
    return this.folders.whenListed();
  }

  /** Loaded with the first run. */
  work(): Promise<RunWork> {
    this.#opened ??= import('../../core/runLife/runWork').then(
      ({ RunWork: Work }) => (this.#work = new Work()),
    );
    return this.#opened;
  }

  /** How a run of this window is sent or resumed. */
  async ports(place: PartialPointer, on?: (event: RunEvent) => void): Promise<WorkPorts> {
    const [{ NodeFolder }, runs] = await Promise.all([import('../../core/outputs/nodeFolder'), this.work()]);
    const { folder, sourceUri, promptHash, serverName, isSandbox } = place;
    return {
      runs,
      folder: new NodeFolder(folder),
      hide: withoutSecrets,
      largestCopy: largestKeptInput(sourceUri),
      source: { uri: workspaceSourcePath(sourceUri, vscode.Uri.file(folder)) },
      isSandbox,
      // A job that the server has is followed until it ends, or the window closes.
      giveUpAfter: Number.POSITIVE_INFINITY,
      keepsLock: true,
      temporaryToo: savesTemporary(sourceUri === undefined ? undefined : vscode.Uri.parse(sourceUri)),
      origin: { sourceUri, promptHash, serverName },
      pointers: {
        put: (run) => this.pointers.put(runPointer(run, place)),
        remove: async (run) => {
          const pointer = runPointer(run, place);
          // Its batch says it of a row.
          const isUnknown = run.record.state === 'outputsUnknown' && place.batch === undefined;
          await (isUnknown
            ? this.pointers.put({ ...pointer, outputsUnknown: true })
            : this.pointers.settle({ ...pointer, askedAt: undefined }));
        },
      },
      recorded: this.recorded(folder),
      on: (event) => {
        on?.(event);
        if (event.kind !== 'notRecorded') return;
        this.log.error('Writing a run record', event.error);
        if (!this.#notRecorded.has(event.name) && !this.#window.signal.aborted)
          tellNotRecorded(event.name, event.error);
        this.#notRecorded.add(event.name);
      },
    };
  }

  /** What happens to the records of a folder is known before the disk tells it. */
  recorded(folder: string): WorkPorts['recorded'] {
    return (name, record) => {
      const place = { folder, record: name };
      if (record) void putRun(this.runs, place, record);
      else this.runs.remove(place);
    };
  }

  /** What is kept of the rows of a batch, for the next window. A sandbox ends with its window. */
  rowPointers(place: PartialPointer): RunPointers | undefined {
    if (place.isSandbox) return undefined;
    const pointerOf = (run: PointedRun): RunPointer =>
      runPointer(run, { ...place, batch: run.record.batch?.id });
    return {
      // The record says which job it is.
      put: async (run) => {
        if (run.jobId === undefined) await this.pointers.put(pointerOf(run));
      },
      remove: (run) => this.pointers.settle(pointerOf(run)),
    };
  }

  follow(run: OwnRun, session: RunSession): void {
    const pointer = this.#pointerOf(run);
    if (!pointer) return;
    const { signal } = this.#window;
    const following = this.#attempt(pointer, (ports) => ports.runs.finish(run, session, ports, signal));
    void this.#note(pointer, pointer, following);
  }

  /** Nobody knows whether the server has a run, so it is looked for later. */
  async unclear(run: OwnRun): Promise<void> {
    const pointer = this.#pointerOf(run);
    if (pointer) this.pointers.setTrouble(pointer, (await import('./owedWords')).notAnswered());
  }

  isLocked({ folder, record }: RunPointer): boolean {
    return this.#work?.isLocked(path.join(folder, record)) === true;
  }

  isFollowed(jobId: string): boolean {
    return this.#attemptAt(jobId) !== undefined;
  }

  /** Resolves when the outputs of a job are saved, or why not was reported. */
  async settled(jobId: string): Promise<void> {
    await this.#attemptAt(jobId)?.done;
  }

  /**
   * Resumes an owed run unless this window works on it. Resolves when it is followed. Never sends anything. @throws the
   * reason why it can't be resumed, which its pointer says from then on
   */
  async resume(pointer: RunPointer): Promise<void> {
    const isLeft = pointer.outputsUnknown ?? this.#batches.has(pointer.batch);
    if (isLeft || this.#attempts.has(pointerId(pointer))) return;
    await new Promise<void>((resolve, reject) => {
      const taking = this.#takeUp(pointer, resolve);
      taking.then(resolve, reject);
      void this.#note(pointer, pointer, taking);
    });
  }

  /** A batch takes care of its rows until the result is called. Resolves when none of them is being saved. */
  async leaveRows(batch: string): Promise<() => void> {
    this.#batches.add(batch);
    const saving = [...this.#attempts.values()].filter(({ pointer }) => pointer?.batch === batch);
    await Promise.all(saving.map(({ done }) => done));
    return () => this.#batches.delete(batch);
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
    for (let other; (other = this.#attemptAt(job.id));) await orAborted(other.done, signal);
    const saving = this.#save(job, session, signal, sent);
    await this.#note({ jobId: job.id }, undefined, saving);
    await saving;
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
      const ports = await this.ports(pointer);
      await ports.runs.giveUp(pointer.record, ports, why, knownRun(pointer));
    } catch (error) {
      this.log.error('Completing a run record', error);
    }
    await this.dismiss(pointer);
  }

  async dismiss(pointer: RunPointer): Promise<void> {
    await this.#work?.release(path.join(pointer.folder, pointer.record));
    await this.pointers.settle({ ...pointer, outputsUnknown: undefined });
  }

  async close(): Promise<void> {
    this.#window.abort(new RunLeft());
    await Promise.allSettled([this.#work?.close(), this.folders.close(), this.temporary.close()]);
  }

  dispose(): void {
    this.#window.abort(new RunLeft());
    this.diagnostics.dispose();
  }

  #pointerOf({ facts: { promptId, job: jobId } }: OwnRun): RunPointer | undefined {
    return this.pointers.owedOf(pointerId({ promptId, jobId }));
  }

  #attemptAt(job: string): Attempt | undefined {
    return [...this.#attempts.values()].find(({ jobId }) => jobId === job);
  }

  #note(
    { promptId, jobId }: Pick<RunPointer, 'promptId' | 'jobId'>,
    pointer: RunPointer | undefined,
    work: Promise<unknown>,
  ): Promise<void> {
    const id = pointerId({ promptId, jobId });
    const over = (): void => {
      if (this.#attempts.get(id) === attempt) this.#attempts.delete(id);
    };
    const attempt: Attempt = { pointer, jobId, done: work.then(over, over) };
    this.#attempts.set(id, attempt);
    return attempt.done;
  }

  async #takeUp(pointer: RunPointer, begun: () => void): Promise<void> {
    const { pointers, log } = this;
    const { signal } = this.#window;
    const { askedAt, jobId, batch } = pointer;
    try {
      if (batch !== undefined) await this.#saveRow(pointer);
      else if (askedAt !== undefined && jobId !== undefined) await this.#saveAsked(pointer, jobId, askedAt);
      else await this.#resume(pointer, begun);
    } catch (error) {
      if (signal.aborted) return;
      // The rows of a batch are told by the batch.
      if (batch !== undefined) throw error;
      pointers.setTrouble(pointer, (await import('./owedWords')).runTrouble(error));
      // A run that was given up has no row to show it.
      if (askedAt !== undefined && !pointers.owedOf(pointerId(pointer))) tellProblem(error, log);
      else throw error;
    }
  }

  async #resume(pointer: RunPointer, begun: () => void): Promise<void> {
    const { signal } = this.#window;
    if (this.pointers.troubleOf(pointer)?.kind === 'disk') await checkDisk(pointer.folder);
    const begin = async (record: RunRecord, origin: JobOrigin) => {
      // The window that completed the run was killed before it could say so.
      if (phaseOfRun(record, undefined, undefined).kind !== 'owed' && record.why !== 'forgotten')
        return undefined;
      const session = await this.#sessionOf(pointer);
      if ('kind' in session) return session;
      // It is listed before its server has answered, which may take long.
      if (record.job !== undefined && record.state === 'submitted') {
        const { heardBefore } = await import('../../core/runLife/takeUpRun');
        session.tracker.resumed(record.job, origin, heardBefore({ record }));
      }
      // This also resumes after 401 or 403, and throws if access is still denied.
      if (session.tracker.state.trouble) await session.tracker.refresh(signal);
      return { session, wait: true };
    };
    const work = async (ports: WorkPorts) => {
      const run = await ports.runs.resume(pointer.record, ports, begin, signal, knownRun(pointer));
      if (typeof run === 'object' && run.phase.kind === 'lost' && run.phase.why === 'neverAccepted')
        (await import('./owedWords')).neverAccepted(pointer);
      return run;
    };
    await this.#attempt(pointer, work, { begun });
  }

  async #sessionOf(pointer: RunPointer): Promise<RunSession | EndPhase> {
    const session = await this.servers.sessionOf(pointer.server);
    if (session) return session;
    return pointer.isSandbox
      ? { kind: 'lost', why: 'sandboxEnded', files: [] }
      : { kind: 'owed', why: 'serverRemoved', files: [] };
  }

  /** Saves a row that has ended. Any other is left to its batch, which decides whether it runs again. */
  async #saveRow(pointer: RunPointer): Promise<void> {
    const { pointers, servers } = this;
    const { signal } = this.#window;
    const session = await servers.sessionOf(pointer.server);
    if (!session) return;
    const begin = async ({ job: jobId, promptId, state }: RunRecord) => {
      const isOwn =
        promptId === pointer.promptId && phaseOfRun({ state }, undefined, undefined).kind === 'owed';
      const job = isOwn && jobId !== undefined ? await session.tracker.details(jobId, signal) : undefined;
      if (job?.state === 'completed' || job?.state === 'failed') return { session, wait: false };
      // Nothing of it can be saved later either, so its server isn't asked again.
      if (job ? isTerminal(job.state) : Date.now() - pointer.sentAt > budgets.latestArrival)
        await pointers.settle(pointer);
      return undefined;
    };
    const ports = { ...(await this.ports(pointer)), keepsLock: false };
    const run = await ports.runs.resume(pointer.record, ports, begin, signal);
    // A row without a record waits again.
    if (run === undefined) await pointers.settle(pointer);
    else if (run !== 'locked') await this.#keep(run.phase);
  }

  /** An ended job of someone else doesn't become ours, and its end is no news. */
  async #saveAsked(pointer: RunPointer, jobId: string, askedAt: number): Promise<void> {
    const { signal } = this.#window;
    if (this.pointers.troubleOf(pointer)?.kind === 'disk') await checkDisk(pointer.folder);
    const session = await this.#sessionOf(pointer);
    if ('kind' in session) {
      if (session.kind === 'lost') await this.giveUp(pointer, session.why);
      else this.pointers.setTrouble(pointer, (await import('./owedWords')).removedServer(pointer));
      return;
    }
    if (session.tracker.state.trouble) await session.tracker.refresh(signal);
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
    const record = { name: known?.record, promptText: sent?.promptText };
    const work = (ports: WorkPorts) => ports.runs.save(job, session.client, ports, record, signal);
    const problem = await this.#attempt(place, work, { asked: signal }).catch(async (error: unknown) => {
      throw await savingProblem(error, job.id);
    });
    if (problem) throw problem;
  }

  /** Returns why outputs are missing on disk. The user is notified, unless `asked` says that the caller does. */
  async #attempt(
    place: PartialPointer,
    work: (ports: WorkPorts) => Promise<OwnRun | 'locked' | undefined>,
    { begun, asked }: { readonly begun?: () => void; readonly asked?: AbortSignal } = {},
  ): Promise<Error | undefined> {
    const { temporary, ends, runs, servers } = this;
    const { folder, record } = place;
    let at = record === undefined ? undefined : { folder, record };
    const setActivity = (activity?: RunActivity): void => at && runs.setActivity(at, activity);
    const setSaving = (isSaving: boolean): void => setActivity(isSaving ? { kind: 'saving' } : undefined);
    let saving: ReturnType<typeof showSaving> | undefined;
    let jobId = place.jobId;
    const base = await this.ports(place, (event) => {
      if (event.kind === 'saving') saving?.report(event.progress);
      if (event.kind !== 'resumed') return;
      jobId = event.jobId;
      const attempt = this.#attempts.get(pointerId({ ...place, jobId }));
      if (attempt) attempt.jobId = jobId;
      begun?.();
    });
    const ports: WorkPorts = {
      ...base,
      shown: () => (jobId === undefined ? undefined : temporary.shownOf(jobId)),
      ended: async (job) => {
        if (!asked) await ends.ended(job);
        at = runs.ofJob(job)?.place ?? at;
        const session = await servers.sessionOf(job.server);
        saving = showSaving(job, setSaving);
        if (session) await fetchViewed(job, temporary, session, asked ?? this.#window.signal);
      },
    };
    setActivity({ kind: 'following' });
    try {
      const run = await work(ports);
      if (run === undefined || run === 'locked') return undefined;
      const { phase } = run;
      await this.#keep(phase);
      saving?.end();
      if (phase.kind === 'owed') return await this.#stillOwed(run, phase, asked);
      if (phase.job && !asked) await this.#withDetails(phase.job);
      return undefined;
    } finally {
      saving?.end();
      setActivity();
    }
  }

  async #keep({ kind, job, files }: EndPhase): Promise<void> {
    if (kind === 'lost' || !job || files.length === 0) return;
    await tellNeutralised(files);
  }

  async #withDetails(job: Job): Promise<void> {
    const { ends, runs, log, servers } = this;
    ends.saved(job, runs.filesOfJob(job.id));
    try {
      const session = await servers.sessionOf(job.server);
      if (session) await this.fetchTemporary(job, session, this.#window.signal);
    } catch (error) {
      // The preview says that they are on the server, and offers to show them.
      if (!isCancellation(error)) log.error('Fetching temporary outputs', error);
    }
  }

  async #stillOwed(
    run: OwnRun,
    { why, job, error, mayArriveFor = 0 }: EndPhase & { readonly kind: 'owed' },
    asked: AbortSignal | undefined,
  ): Promise<Error | undefined> {
    const { pointers, ends } = this;
    const problem = await savingProblem(error, job?.id);
    if (this.#window.signal.aborted) return problem;
    const pointer = this.#pointerOf(run);
    if (!pointer) return problem;
    if (asked?.aborted) {
      // The user no longer wants outputs that were not owed before.
      if (pointer.askedAt !== undefined) await this.giveUp(pointer, 'givenUp');
      else await this.#work?.release(run.location);
      return problem;
    }
    const { notSeen, removedServer, runTrouble } = await import('./owedWords');
    if (why === 'notSeen' || why === 'serverRemoved') {
      pointers.setTrouble(pointer, why === 'notSeen' ? notSeen(mayArriveFor) : removedServer(pointer));
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

/** Too little is known of a job that was submitted elsewhere without its server. */
function knownRun(pointer: RunPointer): RunPointer | undefined {
  return pointer.promptId === undefined ? undefined : pointer;
}

/** The pointer to a run, by its record as it is now. */
function runPointer(run: PointedRun, place: PartialPointer): RunPointer {
  const { promptId, sentAt } = run.record;
  const { label, sourceHash } = run.origin;
  return {
    ...{ promptId, label, sourceHash },
    sentAt: sentAt === undefined ? Date.now() : Date.parse(sentAt),
    ...place,
    jobId: run.jobId ?? place.jobId,
    record: run.name,
  };
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
