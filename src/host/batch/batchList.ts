import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { progressEnding } from '../../core/batch/batchEndings';
import type { Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { OutputPlaces } from '../outputs/outputPlace';
import type { InSight } from '../platform/inSight';
import type { Log } from '../platform/log';
import { requireTrust } from '../runs/requireTrust';
import type { Batch } from './batch';
import type { Batches, BatchesChanged } from './batches';
import type { BatchFolders } from './batchFolders';
import type { BatchWindow } from './batchPreparation';

/** Where this workspace's state has those that earlier windows did not end. */
const unfinishedKey = 'batches.unfinished';
/** Nobody waits longer than this for what is on disk (ms): it is listed when it has been read. */
const longestWait = 300;

/** What is shown of the workspace's batches. All that reads and runs them is loaded with the first one. */
export class BatchList implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Batch>();
  /** Coalesced, at most 10 per second and batch. */
  readonly onDidChange = this.#changed.event;
  readonly #listed = new vscode.EventEmitter<void>();
  readonly onDidChangeList = this.#listed.event;
  readonly #trust = vscode.workspace.onDidGrantWorkspaceTrust(() => this.#listed.fire());
  #folders: Promise<BatchFolders> | undefined;
  #loading: Promise<Batches> | undefined;
  #batches: Batches | undefined;

  /**
   * @param earlierRuns resolves when it is known where earlier runs wrote to, and they are followed again
   * @param open loads what reads and runs them
   */
  constructor(
    private readonly places: Pick<OutputPlaces, 'all'>,
    private readonly earlierRuns: () => Promise<void>,
    private readonly workspaceState: vscode.Memento,
    private readonly open: (changed: BatchesChanged) => Promise<Batches>,
  ) {}

  /** Newest first. */
  get shown(): readonly Batch[] {
    return this.#batches?.shown ?? [];
  }

  find(id: string): Batch | undefined {
    return this.#batches?.find(id);
  }

  /** The record of a cell of a contact sheet, by what the cell's menu tells. */
  recordOf(context: unknown): vscode.Uri | undefined {
    if (typeof context !== 'object' || context === null || !('batch' in context && 'batchRow' in context))
      return undefined;
    const batch = this.find(String(context.batch));
    const record = batch?.rows[Number(context.batchRow)]?.record;
    return batch && record !== undefined ? vscode.Uri.joinPath(batch.folder, record) : undefined;
  }

  get hasUnfinished(): boolean {
    const stored = this.workspaceState.get<unknown>(unfinishedKey);
    return Array.isArray(stored) && stored.length > 0;
  }

  /** Whether a job is a row of a batch that is listed, as itself or the batch's run record says. */
  holds(job: Job): boolean {
    return this.#batches?.holds(job) === true;
  }

  /** Reads nothing in an untrusted workspace, and loads nothing if there is no batch. */
  async ready(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const isEmpty = !this.#batches && !this.hasUnfinished;
    if (!isEmpty || (await (await this.#watched()).haveBatches())) await this.loaded();
  }

  async followUnfinished(): Promise<void> {
    if (this.hasUnfinished) await this.earlierRuns();
  }

  /** What starts and continues batches, once those of earlier windows are listed. */
  async loaded(): Promise<Batches> {
    requireTrust();
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Leaves running batches: their jobs go on, and a later window continues them. */
  async close(): Promise<void> {
    await this.#batches?.close();
  }

  dispose(): void {
    void this.#folders?.then((folders) => folders.dispose());
    this.#trust.dispose();
    this.#changed.dispose();
    this.#listed.dispose();
  }

  #watched(): Promise<BatchFolders> {
    this.#folders ??= import('./batchFolders').then(
      ({ BatchFolders: Folders }) =>
        new Folders(this.places, this.earlierRuns, (files) => this.#follow(files)),
    );
    return this.#folders;
  }

  #follow(files: readonly vscode.Uri[]): void {
    if (this.#batches) void this.#batches.follow(files);
    else if (files.some(({ path }) => path.endsWith(progressEnding))) this.#listed.fire();
  }

  async #load(): Promise<Batches> {
    const batches = await this.open({
      batch: (batch) => this.#changed.fire(batch),
      list: () => this.#listed.fire(),
    });
    await batches.findUnfinished();
    const looking = batches.look(await (await this.#watched()).all());
    await Promise.race([looking, setTimeout(longestWait)]);
    this.#batches = batches;
    this.#listed.fire();
    return batches;
  }
}

export function batchesOf(
  window: BatchWindow & {
    readonly store: JobStore;
    readonly log: Log;
    readonly ready: () => Promise<void>;
    readonly sight: InSight;
  },
  workspaceState: vscode.Memento,
): BatchList {
  const { places, store, log, ready, sight } = window;
  return new BatchList(places, ready, workspaceState, async (changed) => {
    const [{ Batches }, { BatchPreparation }, { BatchMemory }] = await Promise.all([
      import('./batches'),
      import('./batchPreparation'),
      import('./batchMemory'),
    ]);
    const memory = new BatchMemory(workspaceState, unfinishedKey);
    return new Batches(new BatchPreparation(window), memory, store, log, changed, sight);
  });
}
