import { readdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { progressEnding } from '../../core/batch/batchEndings';
import { coalesceCalls } from '../../core/jobs/coalesce';
import type { Job } from '../../core/jobs/job';
import type { InSight } from '../platform/inSight';
import type { Log } from '../platform/log';
import { requireTrust } from '../platform/requireTrust';
import { Owner } from '../platform/feature';
import type { RunFolders } from '../runs/runFolders';
import type { Batch } from './batch';
import type { Batches, BatchesChanged } from './batches';
import type { BatchWindow } from './batchPreparation';

/** The key of the batches, in this workspace's state, that earlier windows did not end. */
const unfinishedKey = 'batches.unfinished';
/** Nobody waits longer than this for what is on disk (ms): it is listed when it has been read. */
const longestWait = 300;
/** Changes on disk are reported at most this often (ms), because a run writes its record several times. */
const tellEvery = 1_000;
const isOfBatch = /(?:\.run\.json|\.lock)$/;

/** Lists the workspace's batches. The code that reads and runs them is loaded with the first one. */
export class BatchList extends Owner {
  readonly #changed = new vscode.EventEmitter<Batch>();
  readonly onDidChange = this.#changed.event;
  readonly #listed = new vscode.EventEmitter<void>();
  readonly onDidChangeList = this.#listed.event;
  readonly #touched = new Map<string, vscode.Uri>();
  readonly #follow = coalesceCalls(() => {
    const files = [...this.#touched.values()];
    this.#touched.clear();
    if (this.#batches) void this.#batches.follow(files);
    else if (files.some(({ path }) => path.endsWith(progressEnding))) this.#listed.fire();
  }, tellEvery);
  #loading: Promise<Batches> | undefined;
  #batches: Batches | undefined;

  /** @param open loads what reads and runs them */
  constructor(
    private readonly outputs: Pick<RunFolders, 'whenListed' | 'folders' | 'onDidTouch'>,
    private readonly workspaceState: vscode.Memento,
    private readonly open: (changed: BatchesChanged) => Promise<Batches>,
  ) {
    super();
    this.own(
      this.#changed,
      this.#listed,
      { dispose: () => this.#follow.cancel() },
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#listed.fire()),
      // Others start and run batches, too.
      outputs.onDidTouch((file) => {
        if (!file.path.endsWith(progressEnding) && !isOfBatch.test(file.path)) return;
        this.#touched.set(file.toString(), file);
        this.#follow();
      }),
    );
  }

  /** Newest first. */
  get shown(): readonly Batch[] {
    return this.#batches?.shown ?? [];
  }

  find(id: string): Batch | undefined {
    return this.#batches?.find(id);
  }

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

  holds(job: Job): boolean {
    return this.#batches?.holds(job) === true;
  }

  /** Reads nothing in an untrusted workspace, and loads nothing if there is no batch. */
  async ready(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const isEmpty = !this.#batches && !this.hasUnfinished;
    if (!isEmpty || (await this.#haveBatches())) await this.loaded();
  }

  async followUnfinished(): Promise<void> {
    if (this.hasUnfinished) await this.outputs.whenListed();
  }

  /** Starts and resumes batches, once those of earlier windows are listed. */
  async loaded(): Promise<Batches> {
    requireTrust();
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Leaves running batches: their jobs go on, and a later window continues them. */
  async close(): Promise<void> {
    await this.#batches?.close();
  }

  async #folders(): Promise<readonly vscode.Uri[]> {
    await this.outputs.whenListed();
    return this.outputs.folders;
  }

  async #haveBatches(): Promise<boolean> {
    for (const { fsPath } of await this.#folders()) {
      const names = await readdir(fsPath).catch(() => []);
      if (names.some((name) => name.endsWith(progressEnding))) return true;
    }
    return false;
  }

  async #load(): Promise<Batches> {
    const batches = await this.open({
      batch: (batch) => this.#changed.fire(batch),
      list: () => this.#listed.fire(),
    });
    await batches.findUnfinished();
    const looking = batches.look(await this.#folders());
    await Promise.race([looking, setTimeout(longestWait)]);
    this.#batches = batches;
    this.#listed.fire();
    return batches;
  }
}

export function windowBatches(
  window: BatchWindow & { readonly log: Log; readonly sight: InSight },
  workspaceState: vscode.Memento,
): BatchList {
  const { windowRuns, log, sight } = window;
  const { folders, store } = windowRuns;
  return new BatchList(folders, workspaceState, async (changed) => {
    const [{ Batches }, { BatchPreparation }, { BatchMemory }] = await Promise.all([
      import('./batches'),
      import('./batchPreparation'),
      import('./batchMemory'),
    ]);
    const memory = new BatchMemory(workspaceState, unfinishedKey);
    return new Batches(new BatchPreparation(window), memory, store, log, changed, sight);
  });
}
