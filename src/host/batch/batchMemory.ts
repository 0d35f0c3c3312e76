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
    return this.#unfinished().map((stored) => ({
      ...stored,
      folder: vscode.Uri.parse(stored.folder),
      workflow: vscode.Uri.parse(stored.workflow),
    }));
  }

  async addUnfinished(place: BatchPlace): Promise<void> {
    const { folder, workflow } = place;
    const stored = { ...place, folder: folder.toString(), workflow: workflow.toString() };
    await this.removeUnfinished(place.id, stored);
  }

  /** @param newest stored instead */
  async removeUnfinished(id: string, ...newest: readonly StoredPlace[]): Promise<void> {
    const others = this.#unfinished().filter((each) => each.id !== id);
    await this.workspaceState.update(this.unfinishedKey, [...others, ...newest].slice(-mostUnfinished));
  }

  /** Whether the person took it off the list: its files stay, and it would be found again. */
  isHidden(id: string): boolean {
    return this.#hidden().includes(id);
  }

  async hide(id: string): Promise<void> {
    await this.unhide(id, id);
  }

  /** @param newest stored instead */
  async unhide(id: string, ...newest: readonly string[]): Promise<void> {
    const others = this.#hidden().filter((each) => each !== id);
    await this.workspaceState.update(hiddenKey, [...others, ...newest].slice(-mostHidden));
  }

  #unfinished(): readonly StoredPlace[] {
    return this.workspaceState.get<readonly StoredPlace[]>(this.unfinishedKey, []);
  }

  #hidden(): readonly string[] {
    return this.workspaceState.get<readonly string[]>(hiddenKey, []);
  }
}

/** What windows of ours stored: paths are texts. */
type StoredPlace = Omit<BatchPlace, 'folder' | 'workflow'> & {
  readonly folder: string;
  readonly workflow: string;
};
