import * as vscode from 'vscode';
import { progressEnding } from '../../core/batch/batchEndings';
import { batchDefaults } from '../../core/batch/batchFile';
import { rowsOf, countRows, rowsAfter, startedRows, type BatchRow } from '../../core/batch/batchRow';
import {
  batchesIn,
  readStartedBatch,
  roomForList,
  type ListRoom,
  type StartedBatch,
} from '../../core/batch/startedBatch';
import type { Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { runStem } from '../../core/outputs/outputNames';
import { lockFileName, isRecordLocked } from '../../core/records/claimRecord';
import { recordNamed } from '../../core/records/recordFile';
import { shown } from '../../core/safety/shownText';
import type { InSight } from '../platform/inSight';
import type { Log } from '../platform/log';
import { UserProblem } from '../platform/problems';
import { uriName } from '../platform/workflowSource';
import { requireTrust } from '../platform/requireTrust';
import { Batch, notifyBatchEnd } from './batch';
import type { BatchMemory, BatchPlace } from './batchMemory';
import type { BatchPreparation } from './batchPreparation';
import { isSameUri } from '../platform/sameUri';

export interface BatchesChanged {
  /** Called at most 10 times per second and batch. */
  batch(batch: Batch): void;
  list(): void;
}

/** Files of other batches are only shown and never make it ask a server, because a cloned repository may have them. */
export class Batches {
  readonly #batches = new Map<string, Batch>();
  readonly #found = new WeakSet<Batch>();
  /** Batch files and batches that are being started: a second press does nothing. */
  readonly #underWay = new Set<string>();
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    private readonly preparation: BatchPreparation,
    private readonly memory: BatchMemory,
    private readonly store: Pick<JobStore, 'remove'>,
    private readonly log: Log,
    private readonly changed: BatchesChanged,
    private readonly sight: Pick<InSight, 'has'>,
  ) {}

  /** Newest first. */
  get shown(): readonly Batch[] {
    return [...this.#batches.values()].sort((one, other) =>
      one.started.startedAt < other.started.startedAt ? 1 : -1,
    );
  }

  find(id: string): Batch | undefined {
    return this.#batches.get(id);
  }

  holds({ origin }: Job): boolean {
    return origin?.batch !== undefined && this.#batches.has(origin.batch.id);
  }

  /** Files come from disk, where others may have changed them: they run only when the person says so. */
  async findUnfinished(): Promise<void> {
    for (const place of this.memory.unfinished()) {
      const reading = readStartedBatch(new NodeFolder(place.folder.fsPath), place.name);
      const started = await reading.catch(() => undefined);
      // The disk may not be there yet: the next window looks again.
      if (started && started.id !== place.id) await this.memory.removeUnfinished(place.id);
      if (started?.id !== place.id) continue;
      // Thousands of records take a while, and nobody waits for them.
      this.#add(place, started)
        .readRows()
        .catch((error: unknown) => this.log.error('Reading how far a batch is', error));
    }
  }

  look(folders: readonly vscode.Uri[]): Promise<void> {
    const room = roomForList();
    return this.#lookLater(async () => {
      for (const folder of folders) await this.#lookIn(folder, () => true, room);
    });
  }

  follow(files: readonly vscode.Uri[]): Promise<void> {
    return this.#lookLater(async () => {
      for (const file of files) await this.#followFile(file);
    });
  }

  /** Runs a `*.batch.json` file. @returns the id of the batch once it runs; undefined if the person declined */
  async start(...args: Parameters<BatchPreparation['ofFile']>): Promise<string | undefined> {
    requireTrust();
    return this.#once(args[0].toString(), async () => {
      const prepared = await this.preparation.ofFile(...args);
      if (!prepared) return undefined;
      const { place, started, start } = prepared;
      const batch = this.#add(place, started);
      await this.#once(started.id, async () => {
        await this.memory.addUnfinished(place);
        await batch.go(start, false);
      });
      return started.id;
    });
  }

  /** @param retry failed rows too */
  async resume(id: string, retry = false): Promise<void> {
    const batch = this.#batches.get(id);
    if (batch && !batch.goOn(retry)) await this.#continue(batch, retry);
  }

  /** Continues the started batch of a file, on the selected server. */
  async continueFile(file: vscode.Uri): Promise<void> {
    const { id } = await this.#ofFile(file);
    await this.resume(id);
  }

  /** Lists a batch as its run records say now, and runs nothing. @returns its ID */
  async showFile(file: vscode.Uri): Promise<string> {
    const batch = await this.#ofFile(file);
    await this.memory.unhide(batch.id);
    if (!batch.isRunning) await batch.readRows();
    return batch.id;
  }

  async remove(id: string): Promise<void> {
    if (this.#batches.get(id)?.isRunning !== false) return;
    await this.#once(id, async () => {
      // Its file stays on disk, where it may be found at any time.
      await Promise.all([this.memory.hide(id), this.memory.removeUnfinished(id)]);
      this.#batches.delete(id);
      this.changed.list();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#batches.values()].map((batch) => batch.leave()));
  }

  async #once<T>(key: string, act: () => Promise<T>): Promise<T | undefined> {
    if (this.#underWay.has(key) || this.#isClosed) return undefined;
    this.#underWay.add(key);
    try {
      return await act();
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #continue(batch: Batch, retry: boolean): Promise<void> {
    requireTrust();
    if (this.#found.has(batch) && !vscode.workspace.getWorkspaceFolder(batch.place.workflow)) {
      throw new UserProblem(
        shown`The workflow of this batch, ${batch.label}, is not in this workspace.`,
        shown`Open the folder that contains it.`,
      );
    }
    await this.#once(batch.id, async () => {
      const start = await this.preparation.ofStarted(batch.place, batch.started);
      if (!start) return;
      await this.memory.addUnfinished(batch.place);
      await batch.go(start, retry);
    });
  }

  async #ofFile(file: vscode.Uri): Promise<Batch> {
    requireTrust();
    const folder = vscode.Uri.joinPath(file, '..');
    const name = uriName(file);
    const started = await readStartedBatch(new NodeFolder(folder.fsPath), name);
    if (!started) {
      throw new UserProblem(
        shown`${name} is not a started batch.`,
        shown`Run the batch file (.batch.json) instead.`,
      );
    }
    return this.#batches.get(started.id) ?? this.#addFound(folder, name, started);
  }

  #addFound(folder: vscode.Uri, name: string, started: StartedBatch): Batch {
    const place: BatchPlace = {
      id: started.id,
      folder,
      name,
      workflow: workflowOf(folder, started.workflow),
      servers: [],
      ...batchDefaults,
    };
    const batch = this.#add(place, started);
    this.#found.add(batch);
    return batch;
  }

  #add(place: BatchPlace, started: StartedBatch): Batch {
    const { memory, store, log, changed } = this;
    const batch = new Batch(place, started, rowsOf(started), {
      changed: (each) => changed.batch(each),
      ended: (each, stop) => {
        if (!this.sight.has(each.id)) notifyBatchEnd(each, stop);
        // A cancelled one is not offered again, unless a server may still have something of it.
        const isOver = stop.why === 'cancelled' && countRows(each.rows).owed === 0;
        if (each.state !== 'done' && !isOver) return;
        memory
          .removeUnfinished(each.id)
          .catch((error: unknown) => log.error('Forgetting an ended batch', error));
      },
      forgetJob: (jobId) => store.remove(jobId),
      server: (each, name, message) => log.warn(`${each.label}: ${name}: ${message}`),
    });
    this.#batches.set(started.id, batch);
    changed.list();
    return batch;
  }

  #lookLater(step: () => Promise<void>): Promise<void> {
    this.#looking = this.#looking
      .then(step)
      .catch((error: unknown) => this.log.error('Looking for batches', error));
    return this.#looking;
  }

  async #lookIn(folder: vscode.Uri, isWanted: (name: string) => boolean, room: ListRoom): Promise<void> {
    const files = new NodeFolder(folder.fsPath);
    const known = new Set(this.#in(folder).map(({ place }) => place.name));
    const found: Batch[] = [];
    const unknown = (name: string): boolean => isWanted(name) && !known.has(name);
    for await (const { name, batch } of batchesIn(files, undefined, { isWanted: unknown, room })) {
      if (this.#batches.has(batch.id) || this.memory.isHidden(batch.id)) continue;
      found.push(this.#addFound(folder, name, batch));
    }
    if (found.length === 0) return;
    const rows = await startedRows(
      files,
      found.map(({ started }) => started),
    );
    for (const batch of found) {
      batch.isElsewhere = await isRecordLocked(files, batch.place.name).catch(() => false);
      this.#setRows(batch, rows.get(batch.id));
    }
  }

  async #followFile(file: vscode.Uri): Promise<void> {
    const folder = vscode.Uri.joinPath(file, '..');
    const files = new NodeFolder(folder.fsPath);
    const name = uriName(file);
    const listed = this.#in(folder);
    if (name.endsWith(progressEnding)) {
      if (!(await files.exists(name))) this.#drop(listed.find(({ place }) => place.name === name));
      else await this.#lookIn(folder, (each) => each === name, roomForList());
      return;
    }
    const stopped = listed.filter(({ isRunning }) => !isRunning);
    const locked = stopped.find(({ place }) => lockFileName(place.name) === name);
    if (locked) locked.isElsewhere = await isRecordLocked(files, locked.place.name);
    const touched = stopped.filter(({ started }) => name.startsWith(`${runStem(started.label)}-`));
    const written = touched.length > 0 ? await recordNamed(files, name) : undefined;
    for (const batch of touched)
      this.#setRows(batch, written && rowsAfter(batch.rows, batch.started, written));
  }

  #setRows(batch: Batch, rows: readonly BatchRow[] | undefined): void {
    if (!rows) return;
    batch.setRows(rows);
    this.changed.list();
  }

  #drop(batch: Batch | undefined): void {
    if (!batch || batch.isRunning || !this.#found.has(batch)) return;
    this.#batches.delete(batch.id);
    this.changed.list();
  }

  #in(folder: vscode.Uri): readonly Batch[] {
    return [...this.#batches.values()].filter((batch) => isSameUri(batch.folder, folder));
  }
}

/** @param name from the folder, or its whole path on another drive */
function workflowOf(folder: vscode.Uri, name: string): vscode.Uri {
  if (/^(?:[A-Za-z]:\/|\/\/)/.test(name)) return vscode.Uri.file(name);
  return vscode.Uri.joinPath(folder, ...name.split('/'));
}
