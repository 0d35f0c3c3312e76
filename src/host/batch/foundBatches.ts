import * as vscode from 'vscode';
import { progressEnding } from '../../core/batch/batchEndings';
import type { StartedBatch } from '../../core/batch/startedBatch';
import type { BatchRow } from '../../core/batch/batchRow';
import {
  mayBeRowOf,
  roomForList,
  rowsAfter,
  startedBatches,
  startedRows,
  type ListRoom,
} from '../../core/batch/startedBatches';
import { claimName, isClaimed } from '../../core/records/claimRecord';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordNamed } from '../../core/records/recordFile';
import type { Log } from '../platform/log';
import { nameOf } from '../platform/workflowSource';
import type { Batch } from './batch';

export interface FoundBatchesParts {
  readonly log: Pick<Log, 'error'>;
  readonly all: () => Iterable<Batch>;
  readonly find: (id: string) => Batch | undefined;
  /** Lists it; undefined for one that the person took off the list. */
  readonly add: (folder: vscode.Uri, name: string, kept: StartedBatch) => Batch | undefined;
  /** Its file is gone. */
  readonly drop: (batch: Batch) => void;
  /** Jobs of a batch are known. */
  readonly rows: (batch: Batch, rows: readonly BatchRow[]) => void;
}

/**
 * Finds the batches of the output folders that this window did not start: those of earlier windows, of other windows
 * and of the command line. What their files say is only shown. Nothing in them makes us ask a server: a cloned
 * repository may hold them as well.
 */
export class FoundBatches {
  readonly #parts: FoundBatchesParts;
  readonly #found = new Set<string>();
  #work: Promise<void> = Promise.resolve();

  constructor(parts: FoundBatchesParts) {
    this.#parts = parts;
  }

  /** All of these folders, as many as there is room for. */
  look(folders: readonly vscode.Uri[]): Promise<void> {
    const room = roomForList();
    return this.#then(async () => {
      for (const folder of folders) await this.#lookIn(folder, () => true, room);
    });
  }

  /** What was written or removed in these folders since. */
  follow(files: readonly vscode.Uri[]): Promise<void> {
    return this.#then(async () => {
      for (const file of files) await this.#followFile(file);
    });
  }

  #then(step: () => Promise<void>): Promise<void> {
    this.#work = this.#work
      .then(step)
      .catch((error: unknown) => this.#parts.log.error('Looking for batches', error));
    return this.#work;
  }

  async #lookIn(folder: vscode.Uri, isWanted: (name: string) => boolean, room: ListRoom): Promise<void> {
    const files = new NodeFolder(folder.fsPath);
    const known = new Set(this.#in(folder).map(({ place }) => place.name));
    const started = await startedBatches(files, (name) => isWanted(name) && !known.has(name), room);
    const found = started.flatMap(({ name, batch }) => {
      const added = this.#parts.find(batch.id) ? undefined : this.#parts.add(folder, name, batch);
      if (added) this.#found.add(batch.id);
      return added ?? [];
    });
    if (found.length === 0) return;
    const rows = await startedRows(
      files,
      found.map(({ kept }) => kept),
    );
    for (const batch of found) {
      batch.isElsewhere = await isClaimed(files, batch.place.name).catch(() => false);
      this.#take(batch, rows.get(batch.id) ?? []);
    }
  }

  async #followFile(file: vscode.Uri): Promise<void> {
    const folder = vscode.Uri.joinPath(file, '..');
    const files = new NodeFolder(folder.fsPath);
    const name = nameOf(file);
    const listed = this.#in(folder);
    if (name.endsWith(progressEnding)) {
      if (!(await files.exists(name))) this.#drop(listed.find(({ place }) => place.name === name));
      else await this.#lookIn(folder, (each) => each === name, roomForList());
      return;
    }
    const stopped = listed.filter(({ state }) => state === 'stopped' || state === 'done');
    const locked = stopped.find(({ place }) => claimName(place.name) === name);
    if (locked) locked.isElsewhere = await isClaimed(files, locked.place.name);
    const touched = stopped.filter(({ kept }) => mayBeRowOf(name, kept));
    const written = touched.length > 0 ? await recordNamed(files, name) : undefined;
    for (const batch of written ? touched : []) {
      const rows = written && rowsAfter(batch.rows, batch.kept, name, written.record);
      if (rows) this.#take(batch, rows);
    }
  }

  #take(batch: Batch, rows: readonly BatchRow[]): void {
    batch.take(rows);
    this.#parts.rows(batch, rows);
  }

  /** One that ran here says itself that its file is gone. */
  #drop(batch: Batch | undefined): void {
    if (batch && this.#found.delete(batch.id) && batch.state !== 'running' && batch.state !== 'paused')
      this.#parts.drop(batch);
  }

  #in(folder: vscode.Uri): readonly Batch[] {
    return [...this.#parts.all()].filter((batch) => batch.folder.fsPath === folder.fsPath);
  }
}
