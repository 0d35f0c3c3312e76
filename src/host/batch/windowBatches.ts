import * as vscode from 'vscode';
import type { RunSession } from '../../core/runs/runSession';
import type { BatchParts } from './batchParts';
import type { BatchController } from './batchController';
import type { Batches, ShownBatch } from './batches';
import type { BatchList } from './batchRows';
import { UnfinishedBatches, type BatchPlaces } from './unfinishedBatches';

/** The batches of this window. All that runs them is loaded with the first one. */
export class WindowBatches implements Batches, BatchList, vscode.Disposable {
  readonly unfinished: BatchPlaces;
  readonly #parts: BatchParts;
  readonly #changed = new vscode.EventEmitter<ShownBatch>();
  readonly onDidChange = this.#changed.event;
  readonly #listed = new vscode.EventEmitter<void>();
  /** A batch was added or removed. */
  readonly onDidChangeList = this.#listed.event;
  #loading: Promise<BatchController> | undefined;
  #controller: BatchController | undefined;

  constructor(parts: BatchParts, workspaceState: vscode.Memento) {
    this.#parts = parts;
    this.unfinished = new UnfinishedBatches(workspaceState);
  }

  /** A session of the selected server, after asking for what is missing; undefined when cancelled. */
  readySession: () => Promise<RunSession | undefined> = () => this.#parts.servers.session();

  get shown(): readonly ShownBatch[] {
    return this.#controller?.shown ?? [];
  }

  /** Whether a batch has a row in the Jobs view. */
  has(id: string): boolean {
    return this.#controller?.find(id) !== undefined;
  }

  /** Looks for the batches that earlier windows left unfinished; loads nothing if there are none. */
  async ready(): Promise<void> {
    if (this.#controller || !this.unfinished.isEmpty) await this.#load();
  }

  async start(...args: Parameters<Batches['start']>): Promise<string | undefined> {
    return (await this.#load()).start(...args);
  }

  /** Shows a batch that any window or command has started, by its kept file, and continues it. */
  async continueKept(file: vscode.Uri): Promise<void> {
    await (await this.#load()).continueKept(file);
  }

  /** Lists a batch that any window or command has started, by its kept file. @returns its id */
  async showKept(file: vscode.Uri): Promise<string> {
    return (await this.#load()).showKept(file);
  }

  pause(id: string): void {
    this.#controller?.find(id)?.pause();
  }

  async resume(id: string): Promise<void> {
    await (await this.#load()).resume(id);
  }

  cancel(id: string): void {
    this.#controller?.find(id)?.cancel();
  }

  async retryFailed(id: string): Promise<void> {
    await (await this.#load()).retryFailed(id);
  }

  /** Takes an ended batch off the list; its files stay. */
  async remove(id: string): Promise<void> {
    await this.#controller?.remove(id);
  }

  /** Resolves when a batch neither runs nor is paused. */
  async ended(id: string): Promise<ShownBatch | undefined> {
    const batch = this.#controller?.find(id);
    await batch?.ended();
    return batch;
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
    this.#loading ??= this.#start();
    return this.#loading;
  }

  async #start(): Promise<BatchController> {
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
