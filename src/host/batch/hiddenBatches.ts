import type * as vscode from 'vscode';

const key = 'batches.hidden';
/** The oldest are forgotten, and listed again. */
const most = 500;

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
    await this.#memory.update(key, [...this.#without(id), id].slice(-most));
  }

  async remove(id: string): Promise<void> {
    if (this.has(id)) await this.#memory.update(key, this.#without(id));
  }

  #without(id: string): unknown[] {
    return this.#stored().filter((each) => each !== id);
  }

  #stored(): readonly unknown[] {
    const stored = this.#memory.get<unknown>(key);
    return Array.isArray(stored) ? stored : [];
  }
}
