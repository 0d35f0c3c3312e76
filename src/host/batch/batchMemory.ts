import * as vscode from 'vscode';

/** The place of a batch, and how it was started, which a later window needs to resume it. */
export interface BatchPlace {
  readonly id: string;
  readonly folder: vscode.Uri;
  readonly name: string;
  readonly workflow: vscode.Uri;
  readonly servers: readonly string[];
  readonly window: number;
  readonly stopAfterErrors: number;
}

/** The oldest are forgotten: their files can still be continued. */
const mostUnfinished = 20;

const hiddenKey = 'batches.hidden';
/** The oldest are forgotten, and listed again. */
const mostHidden = 500;

/** The batches that this workspace remembers from window to window. Their progress is in their run records. */
export class BatchMemory {
  constructor(
    private readonly workspaceState: vscode.Memento,
    private readonly unfinishedKey: string,
  ) {}

  unfinished(): BatchPlace[] {
    return this.#stored(this.unfinishedKey)
      .map(readPlace)
      .filter((place) => place !== undefined);
  }

  async addUnfinished(place: BatchPlace): Promise<void> {
    const { folder, workflow, ...rest } = place;
    const stored = { ...rest, folder: folder.toString(), workflow: workflow.toString() };
    await this.removeUnfinished(place.id, stored);
  }

  /** @param newest stored instead */
  async removeUnfinished(id: string, ...newest: readonly unknown[]): Promise<void> {
    const others = this.#stored(this.unfinishedKey).filter((each) => readPlace(each)?.id !== id);
    await this.workspaceState.update(this.unfinishedKey, [...others, ...newest].slice(-mostUnfinished));
  }

  /** Whether the person took it off the list: its files stay, and it would be found again. */
  isHidden(id: string): boolean {
    return this.#stored(hiddenKey).includes(id);
  }

  async hide(id: string): Promise<void> {
    const others = this.#stored(hiddenKey).filter((each) => each !== id);
    await this.workspaceState.update(hiddenKey, [...others, id].slice(-mostHidden));
  }

  async unhide(id: string): Promise<void> {
    const others = this.#stored(hiddenKey).filter((each) => each !== id);
    if (this.isHidden(id)) await this.workspaceState.update(hiddenKey, others);
  }

  #stored(key: string): readonly unknown[] {
    const stored = this.workspaceState.get<unknown>(key);
    return Array.isArray(stored) ? stored : [];
  }
}

function readPlace(stored: unknown): BatchPlace | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { id, folder, name, workflow, servers, window, stopAfterErrors } = stored as Record<string, unknown>;
  if (typeof id !== 'string' || typeof name !== 'string' || /[/\\]/.test(name)) return undefined;
  if (typeof folder !== 'string' || typeof workflow !== 'string') return undefined;
  if (typeof window !== 'number' || typeof stopAfterErrors !== 'number' || !Array.isArray(servers))
    return undefined;
  const uris = { folder: vscode.Uri.parse(folder), workflow: vscode.Uri.parse(workflow) };
  return {
    id,
    name,
    ...uris,
    window,
    stopAfterErrors,
    servers: servers.filter((each) => typeof each === 'string'),
  };
}
