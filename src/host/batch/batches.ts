import * as vscode from 'vscode';
import type { RunSession } from '../../core/runLife/runSession';
import type { Batch } from './batch';
import type { BatchController } from './batchController';
import type { BatchParts } from './batchPreparation';
import type { BatchList } from './batchRows';
import { UnfinishedBatches, type BatchPlaces } from './unfinishedBatches';

/** The batches of this window: what is shown of them. All that runs them is loaded with the first one. */
export class Batches implements BatchList, vscode.Disposable {
  readonly unfinished: BatchPlaces;
  readonly #parts: BatchParts;
  readonly #changed = new vscode.EventEmitter<Batch>();
  /** Coalesced, at most 10 per second and batch. */
  readonly onDidChange = this.#changed.event;
  readonly #listed = new vscode.EventEmitter<void>();
  readonly onDidChangeList = this.#listed.event;
  #loading: Promise<BatchController> | undefined;
  #controller: BatchController | undefined;

  constructor(parts: BatchParts, workspaceState: vscode.Memento) {
    this.#parts = parts;
    this.unfinished = new UnfinishedBatches(workspaceState);
  }

  /** A session of the selected server, after asking for what is missing; undefined when cancelled. */
  readySession: () => Promise<RunSession | undefined> = () => this.#parts.servers.session();

  get shown(): readonly Batch[] {
    return this.#controller?.shown ?? [];
  }

  find(id: string): Batch | undefined {
    return this.#controller?.find(id);
  }

  /** Loads nothing if earlier windows left no batch unfinished. */
  async ready(): Promise<void> {
    if (this.#controller || !this.unfinished.isEmpty) await this.loaded();
  }

  /** What starts and continues batches, once those of earlier windows are listed. */
  loaded(): Promise<BatchController> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Leaves running batches: their jobs go on, and a later window continues them. */
  async close(): Promise<void> {
    await this.#controller?.close();
  }

  dispose(): void {
    this.#changed.dispose();
    this.#listed.dispose();
  }

  async #load(): Promise<BatchController> {
    const { BatchController: Controller } = await import('./batchController');
    const controller = new Controller({
      ...this.#parts,
      unfinished: this.unfinished,
      readySession: () => this.readySession(),
      changed: (batch) => this.#changed.fire(batch),
      listed: () => this.#listed.fire(),
    });
    await controller.findUnfinished();
    this.#controller = controller;
    this.#listed.fire();
    return controller;
  }
}
