import { mkdir, open, rename } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Secrets } from '../../core/safety/secrets';

/**
 * Small JSON files in a folder that VS Code gives the extension. Writes of one file follow each other and replace it
 * whole: a window that is closed half way leaves the old one. No secret gets into them.
 */
export class Storage {
  readonly #folder: vscode.Uri;
  readonly #secrets: Secrets;
  readonly #writing = new Map<string, Promise<void>>();

  constructor(folder: vscode.Uri, secrets: Secrets) {
    this.#folder = folder;
    this.#secrets = secrets;
  }

  /** The text of a file; undefined when there is none or it cannot be read. */
  async read(name: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#uri(name)));
    } catch {
      return undefined;
    }
  }

  /** Where a file lies that is not written whole. */
  path(name: string): string {
    return this.#uri(name).fsPath;
  }

  write(name: string, text: string): Promise<void> {
    const before = this.#writing.get(name) ?? Promise.resolve();
    const written = before.catch(() => undefined).then(() => this.#replace(name, text));
    this.#writing.set(name, written);
    return written;
  }

  /** One that is not there is no error. */
  async remove(name: string): Promise<void> {
    await this.#writing.get(name)?.catch(() => undefined);
    try {
      await vscode.workspace.fs.delete(this.#uri(name));
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) throw error;
    }
  }

  /** The files whose names begin so, each with the time when it was written last (ms). */
  async list(prefix: string): Promise<{ readonly name: string; readonly writtenAt: number }[]> {
    // Before the first write there is no folder.
    await vscode.workspace.fs.createDirectory(this.#folder);
    const entries = await vscode.workspace.fs.readDirectory(this.#folder);
    const names = entries.map(([name]) => name).filter((name) => name.startsWith(prefix));
    const files = await Promise.all(names.map((name) => this.#writtenAt(name)));
    return files.filter((file) => file !== undefined);
  }

  /** Undefined for a file that another window has just removed or replaced. */
  async #writtenAt(name: string): Promise<{ readonly name: string; readonly writtenAt: number } | undefined> {
    try {
      const { mtime } = await vscode.workspace.fs.stat(this.#uri(name));
      return { name, writtenAt: mtime };
    } catch {
      return undefined;
    }
  }

  async #replace(name: string, text: string): Promise<void> {
    await mkdir(this.#folder.fsPath, { recursive: true });
    const draft = this.#uri(`${name}.${process.pid}.new`).fsPath;
    const file = await open(draft, 'w');
    try {
      await file.writeFile(this.#secrets.hide(text));
      await file.sync();
    } finally {
      await file.close();
    }
    // Not by VS Code, whose rename removes the old file first: a crash in between would leave neither.
    await rename(draft, this.#uri(name).fsPath);
  }

  #uri(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, name);
  }
}
