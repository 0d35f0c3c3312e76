import * as vscode from 'vscode';
import { batchDefaults } from '../../core/batch/batchFile';
import { readStartedBatch, type StartedBatch } from '../../core/batch/startedBatch';
import { countRows, creditsOf } from '../../core/batch/batchRow';
import { noneSent } from '../../core/batch/startedBatches';
import type { Job } from '../../core/jobs/job';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { shown, Shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import { requireTrust } from '../runs/requireTrust';
import { nameOf } from '../platform/workflowSource';
import { Batch } from './batch';
import { BatchPreparation, type ControllerParts } from './batchPreparation';
import { FoundBatches } from './foundBatches';
import { HiddenBatches, type BatchPlace } from './unfinishedBatches';
import type { BatchStop } from '../../core/batch/batchRun';
import { creditsText } from '../../core/jobs/runPrice';
import { commands, settings } from '../platform/contributions';
import { readSetting } from '../platform/settings';
import { showError, showInformation, showWarning } from '../platform/show';

/** Starts, continues and lists the batches of this window. */
export class BatchController {
  readonly #parts: ControllerParts;
  readonly #preparation: BatchPreparation;
  readonly #batches = new Map<string, Batch>();
  readonly found: FoundBatches;
  readonly #hidden: HiddenBatches;
  /** Batches whose places are told by their files, which others may have written. */
  readonly #toldByFile = new WeakSet<Batch>();
  /** Job ID -> its server and batch, as run records tell. */
  readonly #jobs = new Map<string, { readonly server: string; readonly batchId: string }>();
  /** Batch files and batches that are being started: a second press does nothing. */
  readonly #underWay = new Set<string>();
  #isClosed = false;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#preparation = new BatchPreparation(parts);
    this.#hidden = new HiddenBatches(parts.workspaceState);
    this.found = new FoundBatches({
      log: parts.log,
      all: () => this.#batches.values(),
      find: (id) => this.#batches.get(id),
      add: (folder, name, kept) =>
        this.#hidden.has(kept.id) ? undefined : this.#addFound(folder, name, kept),
      drop: ({ id }) => {
        this.#batches.delete(id);
        parts.listed();
      },
      rows: (batch, rows) => {
        for (const { job, server } of rows)
          if (job !== undefined && server !== undefined) this.#jobs.set(job, { server, batchId: batch.id });
        parts.listed();
      },
    });
  }

  get shown(): readonly Batch[] {
    return this.#newestFirst();
  }

  find(id: string): Batch | undefined {
    return this.#batches.get(id);
  }

  holds({ id, server, origin }: Job): boolean {
    const known = this.#jobs.get(id);
    const batchId = origin?.batch?.id ?? (known?.server === server ? known.batchId : undefined);
    return batchId !== undefined && this.#batches.has(batchId);
  }

  /**
   * The batches that earlier windows did not end. Their kept files come from disk, where others may have changed them:
   * they are only shown, and run when the person says so.
   */
  async findUnfinished(): Promise<void> {
    const { unfinished, log } = this.#parts;
    for (const place of unfinished.all()) {
      const kept = await readStartedBatch(new NodeFolder(place.folder.fsPath), place.name).catch(
        () => undefined,
      );
      // The disk may not be there yet: the next window looks again.
      if (!kept) continue;
      if (kept.id !== place.id) {
        await unfinished.remove(place.id);
        continue;
      }
      const batch = this.#add(place, kept);
      // Thousands of records take a while, and nobody waits for them.
      batch.readRows().catch((error: unknown) => log.error('Reading how far a batch is', error));
    }
  }

  /** Runs a `*.batch.json` file. @returns the id of the batch once it runs; undefined if the person declined */
  async start(...args: Parameters<BatchPreparation['ofFile']>): Promise<string | undefined> {
    requireTrust();
    return this.#once(args[0].toString(), () => this.#start(...args));
  }

  /** Continues a stopped or paused batch. */
  async resume(id: string): Promise<void> {
    const batch = this.#batches.get(id);
    if (batch && !batch.unpause()) await this.#continue(batch, false);
  }

  /** Runs failed rows again, with those that wait. */
  async retryFailed(id: string): Promise<void> {
    const batch = this.#batches.get(id);
    if (batch && !batch.retryNow()) await this.#continue(batch, true);
  }

  /** Continues a batch by its kept file, on the selected server. */
  async continueKept(file: vscode.Uri): Promise<void> {
    const { id } = await this.#ofKept(file);
    await this.resume(id);
  }

  /**
   * Lists a batch that any window or command has started, as its run records say now, and runs nothing.
   * @returns its id
   */
  async showKept(file: vscode.Uri): Promise<string> {
    const batch = await this.#ofKept(file);
    await this.#hidden.remove(batch.id);
    if (batch.state === 'stopped' || batch.state === 'done') await batch.readRows();
    return batch.id;
  }

  /** Takes a batch that does not run off the list. */
  async remove(id: string): Promise<void> {
    const batch = this.#batches.get(id);
    if (!batch || batch.state === 'running' || batch.state === 'paused' || this.#underWay.has(id)) return;
    this.#batches.delete(id);
    await this.#parts.unfinished.remove(id);
    await this.#hidden.add(id);
    this.#parts.listed();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#batches.values()].map((batch) => batch.leave()));
  }

  #newestFirst(): Batch[] {
    return [...this.#batches.values()].sort((one, other) =>
      one.kept.startedAt < other.kept.startedAt ? 1 : -1,
    );
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

  async #start(...args: Parameters<BatchPreparation['ofFile']>): Promise<string | undefined> {
    const prepared = await this.#preparation.ofFile(...args);
    if (!prepared) return undefined;
    const { place, kept, start } = prepared;
    const batch = this.#add(place, kept);
    await this.#once(kept.id, async () => {
      await this.#parts.unfinished.put(place);
      await batch.go(start, false);
    });
    return kept.id;
  }

  async #ofKept(file: vscode.Uri): Promise<Batch> {
    requireTrust();
    const folder = vscode.Uri.joinPath(file, '..');
    const name = nameOf(file);
    const kept = await readStartedBatch(new NodeFolder(folder.fsPath), name);
    if (!kept) {
      throw new UserProblem(
        shown`${name} is not a started batch.`,
        shown`Run the batch file (.batch.json) instead.`,
      );
    }
    return this.#batches.get(kept.id) ?? this.#addFound(folder, name, kept);
  }

  #addFound(folder: vscode.Uri, name: string, kept: StartedBatch): Batch {
    const place: BatchPlace = {
      id: kept.id,
      folder,
      name,
      workflow: vscode.Uri.joinPath(folder, ...kept.workflow.split('/')),
      servers: [],
      ...batchDefaults,
    };
    const batch = this.#add(place, kept);
    this.#toldByFile.add(batch);
    return batch;
  }

  async #continue(batch: Batch, retry: boolean): Promise<void> {
    requireTrust();
    if (this.#toldByFile.has(batch) && !vscode.workspace.getWorkspaceFolder(batch.place.workflow)) {
      throw new UserProblem(
        shown`The workflow of this batch, ${batch.label}, is not in this workspace.`,
        shown`Open the folder that contains it.`,
      );
    }
    await this.#once(batch.id, async () => {
      const start = await this.#preparation.ofKept(batch.place, batch.kept);
      if (!start) return;
      await this.#parts.unfinished.put(batch.place);
      await batch.go(start, retry);
    });
  }

  #add(place: BatchPlace, kept: StartedBatch): Batch {
    const { store, changed, listed, unfinished, log } = this.#parts;
    const batch = new Batch(place, kept, noneSent(kept), {
      changed,
      ended: (each, stop) => {
        tellEnd(each, stop);
        // A cancelled one is not offered again, unless a server may still have something of it.
        const isOver = stop.why === 'cancelled' && countRows(each.rows).owed === 0;
        if (each.state !== 'done' && !isOver) return;
        unfinished.remove(each.id).catch((error: unknown) => log.error('Forgetting an ended batch', error));
      },
      forgetJob: (jobId) => store.remove(jobId),
      server: (each, name, message) => log.warn(`${each.label}: ${name}: ${message}`),
    });
    this.#batches.set(kept.id, batch);
    listed();
    return batch;
  }
}

interface Offer {
  readonly label: Shown;
  readonly command: string;
}

/** One notification when a batch ends; none for one that the person cancelled. */
function tellEnd(batch: Batch, { why, message }: BatchStop): void {
  if (why === 'cancelled' || why === 'declined') return;
  const { label, rows, state } = batch;
  const { saved, failed, refused } = countRows(rows);
  const resume: Offer = { label: shown`Resume`, command: commands.resumeBatch };
  const retry: Offer = { label: shown`Retry Failed Runs`, command: commands.retryBatch };
  const open: Offer = { label: shown`Show Batch`, command: commands.showBatch };
  const all = rows.length;
  if (why !== 'done' || state === 'stopped') {
    const words = shown`${label}: the batch stopped, ${saved} of ${all} saved. ${message === '' ? (batch.message ?? '') : message}`;
    offer(batch, showError, words, failed + refused > 0 ? [retry, resume] : [resume]);
  } else if (failed + refused > 0) {
    const words = shown`${label}: ${saved} of ${all} saved, ${failed + refused} failed.`;
    offer(batch, showWarning, words, [retry, open]);
  } else if (isWanted()) {
    offer(batch, showInformation, shown`${label}: all ${all} runs saved.`, [open]);
  }
}

function isWanted(): boolean {
  const when = readSetting(settings.notifyWhenDone);
  return when === 'always' || (when === 'whenAway' && !vscode.window.state.focused);
}

function offer({ id, rows }: Batch, show: typeof showError, words: Shown, offers: readonly Offer[]): void {
  const credits = creditsOf(rows);
  const cost = credits === undefined ? undefined : shown`Cost: ${creditsText(credits)}.`;
  void show(Shown.join([words, cost]), ...offers).then((chosen) => {
    if (chosen) void vscode.commands.executeCommand(chosen.command, id);
  });
}
