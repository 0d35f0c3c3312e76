import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { progressEnding } from '../../core/batch/batchEndings';
import type { Job } from '../../core/jobs/job';
import type { Batch } from './batch';
import type { BatchController } from './batchController';
import type { BatchFolders } from './batchFolders';
import type { BatchParts } from './batchPreparation';
import type { BatchList } from './batchRows';
import { requireTrust } from '../runs/requireTrust';

/** Where this workspace's state has those that earlier windows did not end. */
const unfinishedKey = 'batches.unfinished';
/** Nobody waits longer than this for what is on disk (ms): it is listed when it has been read. */
const patience = 1_000;

/**
 * The batches of the workspace, whoever started them: what is shown of them. All that reads and runs them is loaded with
 * the first one.
 */
export class Batches implements BatchList, vscode.Disposable {
  readonly #parts: BatchParts;
  readonly #workspaceState: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<Batch>();
  /** Coalesced, at most 10 per second and batch. */
  readonly onDidChange = this.#changed.event;
  readonly #listed = new vscode.EventEmitter<void>();
  readonly onDidChangeList = this.#listed.event;
  #folders: Promise<BatchFolders> | undefined;
  readonly #trust: vscode.Disposable;
  #loading: Promise<BatchController> | undefined;
  #controller: BatchController | undefined;

  constructor(parts: BatchParts, workspaceState: vscode.Memento) {
    this.#parts = parts;
    this.#workspaceState = workspaceState;
    this.#trust = vscode.workspace.onDidGrantWorkspaceTrust(() => this.#listed.fire());
  }

  get shown(): readonly Batch[] {
    return this.#controller?.shown ?? [];
  }

  find(id: string): Batch | undefined {
    return this.#controller?.find(id);
  }

  get hasUnfinished(): boolean {
    const stored = this.#workspaceState.get<unknown>(unfinishedKey);
    return Array.isArray(stored) && stored.length > 0;
  }

  /** Whether a job is a row of a batch that is listed, as itself or the batch's run record says. */
  holds(job: Job): boolean {
    return this.#controller?.holds(job) === true;
  }

  /** Reads nothing in an untrusted workspace, and loads nothing if there is no batch. */
  async ready(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const isEmpty = !this.#controller && !this.hasUnfinished;
    if (!isEmpty || (await (await this.#watched()).haveBatches())) await this.loaded();
  }

  /** What starts and continues batches, once those of earlier windows are listed. */
  async loaded(): Promise<BatchController> {
    requireTrust();
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Leaves running batches: their jobs go on, and a later window continues them. */
  async close(): Promise<void> {
    await this.#controller?.close();
  }

  dispose(): void {
    void this.#folders?.then((folders) => folders.dispose());
    this.#trust.dispose();
    this.#changed.dispose();
    this.#listed.dispose();
  }

  /** From when the list is asked for. */
  #watched(): Promise<BatchFolders> {
    const { places, ready } = this.#parts;
    this.#folders ??= import('./batchFolders').then(
      ({ BatchFolders: Folders }) => new Folders(places, ready, (files) => this.#follow(files)),
    );
    return this.#folders;
  }

  #follow(files: readonly vscode.Uri[]): void {
    if (this.#controller) void this.#controller.found.follow(files);
    else if (files.some(({ path }) => path.endsWith(progressEnding))) this.#listed.fire();
  }

  async #load(): Promise<BatchController> {
    const [{ BatchController: Controller }, { UnfinishedBatches }] = await Promise.all([
      import('./batchController'),
      import('./unfinishedBatches'),
    ]);
    const controller = new Controller({
      ...this.#parts,
      unfinished: new UnfinishedBatches(this.#workspaceState, unfinishedKey),
      workspaceState: this.#workspaceState,
      changed: (batch) => this.#changed.fire(batch),
      listed: () => this.#listed.fire(),
    });
    await controller.findUnfinished();
    const looking = controller.found.look(await (await this.#watched()).all());
    await Promise.race([looking, setTimeout(patience)]);
    this.#controller = controller;
    this.#listed.fire();
    return controller;
  }
}
