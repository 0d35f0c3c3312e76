import * as vscode from 'vscode';

/** Where a batch is, and how it was started: what a later window needs to continue it. */
export interface BatchPlace {
  readonly id: string;
  /** Output folder, which holds the kept batch and the run records. */
  readonly folder: vscode.Uri;
  /** Name of the kept batch in it. */
  readonly name: string;
  readonly workflow: vscode.Uri;
  /** Names of the servers, as in the settings. */
  readonly servers: readonly string[];
  /** How many jobs each server has at a time. */
  readonly window: number;
  readonly stopAfterErrors: number;
}

/** The list of batches that have not ended, wherever it is kept. */
export interface BatchPlaces {
  all(): BatchPlace[];
  put(place: BatchPlace): Promise<void>;
  remove(id: string): Promise<void>;
}

/** The oldest are forgotten: their kept files can still be continued. */
const most = 20;

/** The batches of this workspace that have not ended, for the next window. How far they are is in their run records. */
export class UnfinishedBatches implements BatchPlaces {
  readonly #memory: vscode.Memento;
  readonly #key: string;

  constructor(workspaceState: vscode.Memento, key: string) {
    this.#key = key;
    this.#memory = workspaceState;
  }

  all(): BatchPlace[] {
    return this.#stored().flatMap((stored) => readPlace(stored) ?? []);
  }

  async put(place: BatchPlace): Promise<void> {
    const { folder, workflow, ...rest } = place;
    const stored = { ...rest, folder: folder.toString(), workflow: workflow.toString() };
    await this.#memory.update(this.#key, [...this.#without(place.id), stored].slice(-most));
  }

  async remove(id: string): Promise<void> {
    await this.#memory.update(this.#key, this.#without(id));
  }

  #without(id: string): unknown[] {
    return this.#stored().filter((each) => readPlace(each)?.id !== id);
  }

  #stored(): readonly unknown[] {
    const stored = this.#memory.get<unknown>(this.#key);
    return Array.isArray(stored) ? stored : [];
  }
}

/** Our own entry, but another version may have written it. */
function readPlace(stored: unknown): BatchPlace | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { id, folder, name, workflow, servers, window, stopAfterErrors } = stored as Record<string, unknown>;
  if (typeof id !== 'string' || typeof name !== 'string' || /[/\\]/.test(name)) return undefined;
  if (typeof folder !== 'string' || typeof workflow !== 'string') return undefined;
  if (typeof window !== 'number' || typeof stopAfterErrors !== 'number' || !Array.isArray(servers))
    return undefined;
  return {
    id,
    name,
    folder: vscode.Uri.parse(folder),
    workflow: vscode.Uri.parse(workflow),
    servers: servers.filter((each) => typeof each === 'string'),
    window,
    stopAfterErrors,
  };
}

const hiddenKey = 'batches.hidden';
/** The oldest are forgotten, and listed again. */
const mostHidden = 500;

/** The batches that the person took off the list: their files stay, and they would be found again. */
export class HiddenBatches {
  readonly #memory: vscode.Memento;

  constructor(workspaceState: vscode.Memento) {
    this.#memory = workspaceState;
  }

  has(id: string): boolean {
    return this.#stored().includes(id);
  }

  async add(id: string): Promise<void> {
    await this.#memory.update(hiddenKey, [...this.#without(id), id].slice(-mostHidden));
  }

  async remove(id: string): Promise<void> {
    if (this.has(id)) await this.#memory.update(hiddenKey, this.#without(id));
  }

  #without(id: string): unknown[] {
    return this.#stored().filter((each) => each !== id);
  }

  #stored(): readonly unknown[] {
    const stored = this.#memory.get<unknown>(hiddenKey);
    return Array.isArray(stored) ? stored : [];
  }
}
