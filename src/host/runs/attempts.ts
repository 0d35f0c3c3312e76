import path from 'node:path';
import * as vscode from 'vscode';
import { orAborted } from '../../core/client/timing';
import type { Job } from '../../core/jobs/job';
import { checkFolder } from '../../core/outputs/checkFolder';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { OutputError } from '../../core/outputs/outputError';
import { filesWorthSaving } from '../../core/outputs/outputNames';
import type { LostWhy } from '../../core/records/runRecord';
import { mayBeSavedLater } from '../../core/runLife/outputsNotSaved';
import type { RunEvent } from '../../core/runLife/ownedRun';
import { type EndPhase, type RunActivity, RunLeft } from '../../core/runLife/run';
import {
  pointerId,
  type PointerStart,
  type RunPointer,
  type RunPointers,
} from '../../core/runLife/runPointers';
import type { RunSession } from '../../core/runLife/runSession';
import type { RunStore } from '../../core/runLife/runStore';
import {
  beginPointed,
  beginPointedRow,
  type OwnRun,
  RunWork,
  type WorkPorts,
} from '../../core/runLife/runWork';
import { budgets } from '../../core/safety/budgets';
import { lockedWords } from '../../core/safety/errorWords';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { largestKeptInput, type OutputPlaces, workspaceSourcePath } from '../outputs/outputPlace';
import { jobSourceUri, savesTemporary, showSaving } from '../outputs/savingShown';
import type { TemporaryOutputs } from '../outputs/temporaryOutputs';
import { setContext } from '../platform/contextKeys';
import { contextKeys } from '../platform/contributions';
import type { Platform } from '../platform/platform';
import { isCancellation, tellProblem } from '../platform/problems';
import { showWarning } from '../platform/show';
import { withoutSecrets } from '../platform/shownSecrets';
import type { Servers } from '../servers/servers';
import { EndNotice } from './endNotice';
import type { RunDiagnostics } from './runDiagnostics';
import { putRun, type RunFolders } from './runFolders';
import { savingProblem, tellNeutralised, tellNeverAccepted, tellNotRecorded } from './savingWords';

/** The objects of a window that take part in its runs. */
interface WindowParts {
  readonly platform: Platform;
  readonly servers: Servers;
  readonly runs: RunStore;
  readonly pointers: RunPointers;
  readonly places: OutputPlaces;
  readonly folders: RunFolders;
  readonly temporary: TemporaryOutputs;
  readonly diagnostics: RunDiagnostics;
}

interface Attempt {
  readonly batch: string | undefined;
  jobId: string | undefined;
  readonly done: Promise<void>;
}

/**
 * What this window does with its runs; loaded with the first of them. What happens to a run is decided by `RunWork`.
 * However an attempt ends, its record is unlocked, or its run is owed with the reason, so that it is tried again.
 */
export class Attempts {
  readonly work = new RunWork();
  readonly #window = new AbortController();
  readonly #attempts = new Map<string, Attempt>();
  /** Batches that run in this window. */
  readonly #batches = new Set<string | undefined>();
  /** Records that could not be written: each is told once. */
  readonly #notRecorded = new Set<string>();
  readonly ends: EndNotice;

  constructor(private readonly parts: WindowParts) {
    this.ends = parts.platform.own(new EndNotice(parts.platform));
  }

  /** How a run of this window is sent or resumed. */
  ports(start: PointerStart, on?: (event: RunEvent) => void): WorkPorts {
    const { folder, sourceUri, promptHash, serverName, isSandbox } = start;
    const { pointers, temporary, platform } = this.parts;
    return {
      runs: this.work,
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
      pointers: pointers.ofRun(start),
      recorded: this.recorded(folder),
      shown: (jobId) => temporary.shownOf(jobId),
      on: (event) => {
        on?.(event);
        if (event.kind !== 'notRecorded') return;
        platform.log.error('Writing a run record', event.error);
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
      if (record) void putRun(this.parts.runs, place, record);
      else this.parts.runs.remove(place);
    };
  }

  follow(run: OwnRun, session: RunSession): void {
    const pointer = this.#pointerOf(run);
    if (!pointer) return;
    const finish = (ports: WorkPorts) => this.work.finish(run, session, ports, this.#window.signal);
    void this.#note(pointer, this.#attempt(pointer, finish));
  }

  /** Resolves when the outputs of a job are saved, or why not was reported. */
  async settled(jobId: string): Promise<void> {
    await this.#attemptAt(jobId)?.done;
  }

  /**
   * Resumes an owed run unless this window works on it. Resolves when it is followed. Never sends anything. @throws the
   * reason why it can't be resumed, with which it is owed from then on
   */
  async resume(pointer: RunPointer): Promise<void> {
    const isLeft = pointer.outputsUnknown ?? this.#batches.has(pointer.batch);
    if (isLeft || this.#attempts.has(pointerId(pointer))) return;
    await new Promise<void>((resolve, reject) => {
      const taking = this.#takeUp(pointer, resolve);
      taking.then(resolve, reject);
      void this.#note(pointer, taking);
    });
  }

  /** A batch takes care of its rows until the result is called. Resolves when none of them is being saved. */
  async leaveRows(batch: string): Promise<() => void> {
    this.#batches.add(batch);
    const saving = [...this.#attempts.values()].filter((attempt) => attempt.batch === batch);
    await Promise.all(saving.map(({ done }) => done));
    return () => this.#batches.delete(batch);
  }

  /**
   * Saves what is missing of a job that has ended. The user asked for it, so it is owed from now on. Asks for a
   * folder only if none is known. A second caller waits for the first. @throws why it can't be saved
   */
  async save(job: Job, session: RunSession, signal: AbortSignal): Promise<void> {
    for (let other; (other = this.#attemptAt(job.id));) await orAborted(other.done, signal);
    const saving = this.#save(job, session, signal);
    await this.#note({ jobId: job.id }, saving);
    await saving;
  }

  async giveUp(pointer: RunPointer, why: LostWhy): Promise<void> {
    try {
      await this.work.giveUp(pointer.record, this.ports(pointer), why, pointer);
    } catch (error) {
      this.parts.platform.log.error('Completing a run record', error);
    }
    await this.dismiss(pointer);
  }

  async dismiss(pointer: RunPointer): Promise<void> {
    await this.work.release(path.join(pointer.folder, pointer.record));
    await this.parts.pointers.settle({ ...pointer, outputsUnknown: undefined });
  }

  async close(): Promise<void> {
    this.#window.abort(new RunLeft());
    await this.work.close();
  }

  #pointerOf({ facts: { promptId, job: jobId } }: OwnRun): RunPointer | undefined {
    return this.parts.pointers.owedOf(pointerId({ promptId, jobId }));
  }

  #attemptAt(job: string): Attempt | undefined {
    return [...this.#attempts.values()].find(({ jobId }) => jobId === job);
  }

  #note(of: Pick<RunPointer, 'promptId' | 'jobId' | 'batch'>, work: Promise<unknown>): Promise<void> {
    const id = pointerId(of);
    const over = (): void => {
      if (this.#attempts.get(id) === attempt) this.#attempts.delete(id);
    };
    const attempt: Attempt = { batch: of.batch, jobId: of.jobId, done: work.then(over, over) };
    this.#attempts.set(id, attempt);
    return attempt.done;
  }

  async #takeUp(pointer: RunPointer, begun: () => void): Promise<void> {
    const { askedAt, jobId, batch, folder } = pointer;
    const { pointers, platform } = this.parts;
    try {
      if (batch === undefined) await checkDisk(folder, pointers.leftOf(pointer)?.error);
      if (batch !== undefined) await this.#saveRow(pointer);
      else if (askedAt !== undefined && jobId !== undefined) await this.#saveAsked(pointer, jobId, askedAt);
      else await this.#attempt(pointer, (ports) => this.#resume(pointer, ports), { begun });
    } catch (error) {
      if (this.#window.signal.aborted) return;
      // The rows of a batch are told by the batch.
      if (batch !== undefined) throw error;
      const why = OutputError.is(error) ? 'notSaved' : 'serverAway';
      pointers.setLeft(pointer, { kind: 'owed', why, error });
      // A run that was given up has no row to show it.
      if (askedAt !== undefined && !pointers.owedOf(pointerId(pointer))) tellProblem(error, platform.log);
      else throw error;
    }
  }

  async #resume(pointer: RunPointer, ports: WorkPorts): ReturnType<RunWork['resume']> {
    const { signal } = this.#window;
    const begin = beginPointed(pointer, (server) => this.parts.servers.sessionOf(server), signal);
    const run = await this.work.resume(pointer.record, ports, begin, signal, pointer);
    const phase = typeof run === 'object' ? run.phase : undefined;
    if (phase?.kind === 'lost' && phase.why === 'neverAccepted') tellNeverAccepted(pointer);
    return run;
  }

  async #saveRow(pointer: RunPointer): Promise<void> {
    const { servers, pointers } = this.parts;
    const { signal } = this.#window;
    const session = await servers.sessionOf(pointer.server);
    if (!session) return;
    const over = (): Promise<void> => pointers.settle(pointer);
    const ports = { ...this.ports(pointer), keepsLock: false };
    const begin = beginPointedRow(pointer, session, over, signal);
    const run = await this.work.resume(pointer.record, ports, begin, signal);
    // A row without a record waits again.
    if (run === undefined) await over();
    else if (run !== 'locked') tellNeutralised(run.phase.files);
  }

  /** An ended job of someone else doesn't become ours, and its end is no news. */
  async #saveAsked(pointer: RunPointer, jobId: string, askedAt: number): Promise<void> {
    const { server, serverName, label, isSandbox } = pointer;
    const { pointers, servers } = this.parts;
    const { signal } = this.#window;
    const session = await servers.sessionOf(server);
    if (!session && isSandbox) return this.giveUp(pointer, 'sandboxEnded');
    if (!session) {
      pointers.setLeft(pointer, { kind: 'owed', why: 'serverRemoved' });
      return;
    }
    if (session.tracker.state.trouble) await session.tracker.refresh(signal);
    const job = await session.tracker.details(jobId, signal);
    if (job && job.outputs.length > 0) return this.#save(job, session, signal);
    const error = new Error(t`${serverName} currently lists no outputs for this job.`);
    pointers.setLeft(pointer, { kind: 'owed', why: 'notSaved', error });
    if (Date.now() - askedAt < budgets.latestArrival) return;
    await this.giveUp(pointer, 'forgotten');
    void showWarning(
      shown`${serverName} no longer lists the outputs of ${label}. Check the server for any that aren't saved yet.`,
    );
  }

  async #save(job: Job, session: RunSession, asked: AbortSignal): Promise<void> {
    const { pointers, servers, places, runs, folders } = this.parts;
    const earlier = runs.ofJob(job);
    // What can't be checked is there: a drive may be away for a moment.
    const names = earlier && (await new NodeFolder(earlier.place.folder).listFiles().catch(() => undefined));
    if (names)
      runs.setFiles(
        earlier.place,
        earlier.files.filter(({ name }) => names.includes(name)),
      );
    const known = await pointers.ofJob(job.id);
    const files = filesWorthSaving(job, savesTemporary(jobSourceUri(job)));
    const owed = pointers.owedOfJob(job.id);
    if (!owed && files.every((file) => runs.fileOf(job.id, file))) return;
    const sent = await folders.sent(job);
    const folder = known?.folder ?? sent?.folder ?? (await places.ask(jobSourceUri(job)))?.fsPath;
    if (folder === undefined) return;
    const start: PointerStart = {
      ...known,
      ...{ folder, jobId: job.id, server: job.server, serverName: servers.nameOf(job.server) },
      isSandbox: servers.isOfSandbox(job),
      askedAt: owed ? owed.askedAt : Date.now(),
      outputsUnknown: undefined,
    };
    const record = { name: known?.record, promptText: sent?.promptText };
    const save = (ports: WorkPorts) => this.work.save(job, session.client, ports, record, asked);
    const problem = await this.#attempt(start, save, { asked }).catch((error: unknown) => {
      throw savingProblem(error, job.id);
    });
    if (problem) throw problem;
  }

  /** Returns why outputs are missing on disk. The user is notified, unless `asked` says that the caller does. */
  async #attempt(
    start: PointerStart,
    work: (ports: WorkPorts) => Promise<OwnRun | 'locked' | undefined>,
    { begun, asked }: { readonly begun?: () => void; readonly asked?: AbortSignal } = {},
  ): Promise<Error | undefined> {
    const { runs, servers, temporary } = this.parts;
    const { folder, record } = start;
    let at = record === undefined ? undefined : { folder, record };
    const setActivity = (activity?: RunActivity): void => at && runs.setActivity(at, activity);
    let saving: ReturnType<typeof showSaving> | undefined;
    const base = this.ports(start, (event) => {
      if (event.kind === 'saving') saving?.report(event.progress);
      if (event.kind !== 'resumed') return;
      const { jobId } = event;
      const attempt = this.#attempts.get(pointerId({ ...start, jobId }));
      if (attempt) attempt.jobId = jobId;
      begun?.();
    });
    const ended = async (job: Job): Promise<void> => {
      if (!asked) await this.#ended(job);
      at = runs.ofJob(job)?.place ?? at;
      setActivity({ kind: 'saving' });
      saving = showSaving(job);
      const session = await servers.sessionOf(job.server);
      if (session) await temporary.fetchViewed(job, session.client, asked ?? this.#window.signal);
    };
    setActivity({ kind: 'following' });
    try {
      const run = await work({ ...base, ended });
      if (run === 'locked' && asked) return new Error(lockedWords());
      if (run === undefined || run === 'locked') return undefined;
      const { phase } = run;
      tellNeutralised(phase.files);
      saving?.end();
      setActivity();
      if (phase.kind === 'owed') return await this.#stillOwed(run, phase, asked);
      if (phase.job && !asked) await this.#withDetails(phase.job);
      return undefined;
    } finally {
      saving?.end();
      setActivity();
    }
  }

  async #ended(job: Job): Promise<void> {
    const { platform, diagnostics } = this.parts;
    platform.log.info(`${job.origin?.label ?? job.id}: ${job.state}.`);
    if (job.state === 'completed') setContext(contextKeys.ranToTheEnd, true);
    await diagnostics.ended(job).catch((error: unknown) => platform.log.error('Place of a failure', error));
  }

  async #withDetails(job: Job): Promise<void> {
    const { runs, servers, platform, temporary } = this.parts;
    this.ends.ended(job, runs.filesOfJob(job.id));
    try {
      const session = await servers.sessionOf(job.server);
      if (session) await temporary.fetchMissing(job, runs, session.client, this.#window.signal);
    } catch (error) {
      // The preview says that they are on the server, and offers to show them.
      if (!isCancellation(error)) platform.log.error('Fetching temporary outputs', error);
    }
  }

  async #stillOwed(
    run: OwnRun,
    { kind, why, job, error, mayArriveFor }: EndPhase & { readonly kind: 'owed' },
    asked: AbortSignal | undefined,
  ): Promise<Error | undefined> {
    const { pointers } = this.parts;
    const problem = savingProblem(error, job?.id);
    const pointer = this.#pointerOf(run);
    if (this.#window.signal.aborted || !pointer) return problem;
    if (asked?.aborted) {
      // The user no longer wants outputs that were not owed before.
      if (pointer.askedAt !== undefined) await this.giveUp(pointer, 'givenUp');
      else await this.work.release(run.location);
      return problem;
    }
    if (why === 'notSeen' || why === 'serverRemoved') {
      pointers.setLeft(pointer, { kind, why, mayArriveFor });
      return undefined;
    }
    if (pointer.askedAt !== undefined && !mayBeSavedLater(error)) await this.giveUp(pointer, 'forgotten');
    pointers.setLeft(pointer, { kind, why, error: error ?? problem });
    // While the connection is closed for a new key, there is nothing to say.
    if (!asked && !isCancellation(error)) this.ends.failed(pointerId(pointer), problem);
    return problem;
  }
}

/** Before another attempt after one that the disk ended. @throws OutputError while the folder is not writable */
async function checkDisk(folder: string, ended: unknown): Promise<void> {
  if (!OutputError.is(ended, 'diskFull') && !OutputError.is(ended, 'notWritable')) return;
  try {
    await checkFolder(new NodeFolder(folder));
  } catch (error) {
    // The message advises running again, which would cost again for a run that is over.
    throw OutputError.is(error) ? new OutputError(error.message, error.reason, error) : error;
  }
}
