import { withoutSecrets } from '../platform/shownSecrets';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { pathBelow } from '../../core/safety/paths';
import type { RecordFile } from '../../core/records/recordFile';
import type { LostWhy } from '../../core/records/runRecord';
import type { OwnedRun } from '../../core/runLife/ownedRun';
import type { RunPointers } from '../../core/runLife/ownedRun';
import { t } from '../../core/safety/localize';
import { settings } from '../platform/contributions';
import type { Log } from '../platform/log';
import { readSetting } from '../platform/settings';
import type { PointerStore } from './pointerStore';
import { idOf } from './pointerFiles';
import type { RunPointer, RunTrouble } from './runPointer';

/** What is known about a job when the user asks for its outputs. */
export interface AskedRun {
  readonly serverName: string;
  readonly isSandbox: boolean;
  readonly folder: string;
  /** As posted; missing for a job that was not sent from here. */
  readonly promptText: string | undefined;
}

/** Where a run that is about to be sent is recorded, and by whom it is run. */
export type OwedPlace = Pick<RunPointer, 'server' | 'serverName' | 'isSandbox' | 'folder'>;

/** A run record that another window or the command line has locked. */
export type Held = RecordFile | 'busy' | undefined;

/**
 * The runs whose outputs are not all on disk, with the run records that this window has locked: written before the
 * prompt is sent, completed by whoever saves, and released when everything is on disk.
 */
export class OwedRuns implements vscode.Disposable {
  readonly list: PointerStore;
  readonly #log: Log;
  /** Entry ID -> its record. */
  readonly #held = new Map<string, RecordFile>();
  /** Entry ID -> the last reported failure. */
  readonly #told = new Map<string, string>();

  constructor(list: PointerStore, log: Log) {
    this.list = list;
    this.#log = log;
  }

  /** The entries of a run that is about to be sent, written before it is. */
  pointers({ server, serverName, isSandbox, folder }: OwedPlace): RunPointers {
    let entry: RunPointer | undefined;
    return {
      put: async (run) => {
        const { promptId, sentAt, job } = run.record;
        const { label, sourceUri, sourceHash, promptHash } = run.origin;
        entry = {
          ...{ promptId, jobId: job, server, serverName, isSandbox, folder, record: run.name },
          ...{ label, sourceUri, sourceHash, promptHash },
          sentAt: sentAt === undefined ? Date.now() : Date.parse(sentAt),
          isOwed: true,
        };
        this.#held.set(idOf(entry), run.file);
        await this.list.put(entry);
      },
      remove: async () => {
        if (entry) await this.done(entry);
      },
    };
  }

  /** Whether the server has a run is unknown: it is looked for later. */
  async unclear(run: OwnedRun): Promise<void> {
    const entry = this.list.owed().find(({ record }) => record === run.name);
    if (!entry) return;
    await this.tell(entry, {
      kind: 'notSeen',
      words: t`The server didn't respond, so it may or may not have accepted the workflow.`,
    });
  }

  /**
   * Writes record and entry for an ended job that was not owed: one of another client, or one whose files were deleted.
   * Returns the folder's record of it, or else a new one.
   * @throws OutputError when the folder is not writable
   */
  async oweAsked(
    job: Job,
    { serverName, isSandbox, folder, promptText }: AskedRun,
  ): Promise<RecordFile | 'busy'> {
    const { foreignRecord, NodeFolder, outputPrefix } = await outputs();
    const { findRecord, RecordFile: Records } = await import('../../core/records/recordFile');
    const files = new NodeFolder(folder);
    const now = Date.now();
    const found = await findRecord(files, (known) => known.job === job.id);
    const record =
      (found && (await Records.open(files, found.name, withoutSecrets))) ??
      (await Records.create(files, outputPrefix(job, now), foreignRecord(job, promptText), withoutSecrets));
    if (record === 'busy') return record;
    const entry: RunPointer = {
      label: job.origin?.label ?? job.id,
      sentAt: now,
      ...(await this.list.ofJob(job.id)),
      ...{ server: job.server, serverName, isSandbox, jobId: job.id, folder, record: record.name },
      askedAt: now,
      isOwed: true,
    };
    this.#held.set(idOf(entry), record);
    await this.list.put(entry);
    return record;
  }

  /** The record of an entry, locked by this window. Created again if it is gone and the job is known. */
  async take(entry: RunPointer): Promise<Held> {
    const held = this.#held.get(idOf(entry));
    if (held) return held;
    const { NodeFolder, RecordFile: Records, runPrefix, sendingRecord, submittedRecord } = await outputs();
    const folder = new NodeFolder(entry.folder);
    const opened = await Records.open(folder, entry.record, withoutSecrets);
    if (opened === 'busy') return opened;
    let record = opened;
    const { jobId, label, sentAt } = entry;
    if (!record && jobId !== undefined) {
      const first = sendingRecord({ ...entry, seeds: {}, sourceUri: undefined });
      const sent = submittedRecord(first, jobId, sentAt);
      // For a job that was not sent from here, the time is unknown.
      const known =
        entry.promptId === undefined ? { ...sent, sentAt: undefined, submittedAt: undefined } : sent;
      record = await Records.create(folder, runPrefix(label, sentAt), known, withoutSecrets);
      await this.list.put({ ...entry, record: record.name });
    }
    if (record) this.#held.set(idOf(entry), record);
    return record;
  }

  /** The record of an owed job. */
  async takeOf(jobId: string): Promise<Held> {
    const entry = this.list.owedOfJob(jobId);
    return entry && this.take(entry);
  }

  /** @throws FolderNotUsableError while an entry's folder is not writable */
  async checkFolder({ folder }: Pick<RunPointer, 'folder'>): Promise<void> {
    const { checkFolder, NodeFolder, OutputError } = await outputs();
    try {
      await checkFolder(new NodeFolder(folder));
    } catch (error) {
      // Its message is meant for before a run. This one is over, and running it again would cost again.
      throw OutputError.is(error) ? new OutputError(error.message, error.reason, error) : error;
    }
  }

  /** The server turned out to have the prompt as this job. */
  async found(entry: RunPointer, jobId: string): Promise<RunPointer> {
    const { submittedRecord } = await outputs();
    const known = { ...entry, jobId, trouble: undefined };
    await this.list.put(known);
    await this.#quietly('Completing a run record', async () =>
      this.#held.get(idOf(entry))?.change((record) => submittedRecord(record, jobId, Date.now())),
    );
    return known;
  }

  /** Records why an entry can't be completed now, for its row in the Jobs view. */
  async tell(entry: RunPointer, trouble: RunTrouble | undefined): Promise<void> {
    const known = this.list.owedOf(idOf(entry));
    if (!known || known.trouble?.words === trouble?.words) return;
    await this.list.put({ ...known, trouble });
  }

  /** The same for a job; returns whether it is news. For a job that is not owed, it always is. */
  async tellOf(jobId: string, trouble: RunTrouble): Promise<boolean> {
    const entry = this.list.owedOfJob(jobId);
    if (!entry) return true;
    await this.tell(entry, trouble);
    const isNews = this.#told.get(idOf(entry)) !== trouble.words;
    this.#told.set(idOf(entry), trouble.words);
    return isNews;
  }

  /** Removes an entry from the list when its record says that nothing is owed; one with unknown outputs stays shown. */
  async settle(job: Job): Promise<void> {
    const entry = this.list.owedOfJob(job.id);
    const record = entry && this.#held.get(idOf(entry));
    if (!entry || !record) return;
    const { isOwed, troubleWords } = await outputs();
    const { state } = record.record;
    if (isOwed(record.record)) return;
    if (state !== 'outputsUnknown') return this.done(entry);
    await this.tell(entry, { kind: state, words: troubleWords(record.record) ?? '' });
    await this.#letGo(idOf(entry));
  }

  /** Nothing is awaited any more: the record says why. */
  async giveUp(entry: RunPointer, why: LostWhy): Promise<void> {
    const { isOwed, lostRecord } = await outputs();
    await this.#quietly('Completing a run record', async () => {
      const record = await this.take(entry);
      if (record === 'busy' || !record || !isOwed(record.record)) return;
      const { files, sentAt } = record.record;
      // It would have no files and describe no run.
      if (files.length === 0 && sentAt === undefined) await record.remove();
      else await record.change((known) => lostRecord(known, why));
    });
    await this.done(entry);
  }

  async done(entry: RunPointer): Promise<void> {
    await this.list.put({ ...entry, isOwed: false, trouble: undefined });
    this.#told.delete(idOf(entry));
    await this.#letGo(idOf(entry));
  }

  isHeld(entry: RunPointer): boolean {
    return this.#held.has(idOf(entry));
  }

  /** Lets other windows take over what is owed. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#held.keys()].map((id) => this.#letGo(id)));
  }

  dispose(): void {
    this.list.dispose();
  }

  async #letGo(id: string): Promise<void> {
    const record = this.#held.get(id);
    this.#held.delete(id);
    await record?.close();
  }

  /** A run continues whatever the disk does. */
  async #quietly(what: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#log.error(what, error);
    }
  }
}

/** Larger input files are not copied, bytes. */
export function mostKept(sourceUri: string | undefined): number {
  const scope = sourceUri === undefined ? undefined : vscode.Uri.parse(sourceUri);
  return (readSetting(settings.keepInputs, scope) ?? 0) * 1_000_000;
}

/** Loaded when the first run is owed. */
async function outputs() {
  const [check, folder, error, file, names, steps, record] = await Promise.all([
    import('../../core/outputs/checkFolder'),
    import('../../core/outputs/nodeFolder'),
    import('../../core/outputs/outputError'),
    import('../../core/records/recordFile'),
    import('../../core/outputs/outputNames'),
    import('../../core/records/recordSteps'),
    import('../../core/records/runRecord'),
  ]);
  return { ...check, ...folder, ...error, ...file, ...names, ...steps, ...record };
}

/** The workflow's path in its workspace folder, or else only its name: records contain no absolute paths. */
export function relativeSource(sourceUri: string | undefined, outputFolder: vscode.Uri): string | undefined {
  if (sourceUri === undefined) return undefined;
  const source = vscode.Uri.parse(sourceUri);
  const folder = vscode.workspace.getWorkspaceFolder(source)?.uri ?? vscode.Uri.joinPath(outputFolder, '..');
  const below = source.scheme === folder.scheme ? pathBelow(folder.path, source.path, path.posix) : undefined;
  return below ?? path.posix.basename(source.path);
}
