import { randomUUID } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { flushFile, removeFile, renameFile } from '../../core/outputs/changeFile';
import type { Secrets } from '../../core/safety/secrets';

/** Small JSON files. Writes are sequential and replace the file, so a window that closes midway leaves the old one. */
export class Storage {
  readonly #writing = new Map<string, Promise<void>>();

  constructor(
    private readonly folder: vscode.Uri,
    private readonly secrets: Secrets,
  ) {}

  /** The text of a file; undefined if it doesn't exist or can't be read. */
  async read(name: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#uri(name)));
    } catch {
      return undefined;
    }
  }

  path(name: string): string {
    return this.#uri(name).fsPath;
  }

  write(name: string, text: string): Promise<void> {
    const before = this.#writing.get(name) ?? Promise.resolve();
    const written = before.catch(() => undefined).then(() => this.#replace(name, text));
    this.#writing.set(name, written);
    return written;
  }

  async remove(name: string): Promise<void> {
    await this.#writing.get(name)?.catch(() => undefined);
    await removeFile(this.#uri(name).fsPath);
  }

  /** The files whose names start with this, each with its modification time (ms). */
  async list(prefix: string): Promise<{ readonly name: string; readonly writtenAt: number }[]> {
    // The folder does not exist before the first write.
    await vscode.workspace.fs.createDirectory(this.folder);
    const entries = await vscode.workspace.fs.readDirectory(this.folder);
    const names = entries.map(([name]) => name).filter((name) => name.startsWith(prefix));
    const files = await Promise.all(names.map((name) => this.#writtenAt(name)));
    return files.filter((file) => file !== undefined);
  }

  /** Undefined for a file that another window just removed or replaced. */
  async #writtenAt(name: string): Promise<{ readonly name: string; readonly writtenAt: number } | undefined> {
    try {
      const { mtime } = await vscode.workspace.fs.stat(this.#uri(name));
      return { name, writtenAt: mtime };
    } catch {
      return undefined;
    }
  }

  async #replace(name: string, text: string): Promise<void> {
    await mkdir(this.folder.fsPath, { recursive: true });
    const draft = this.#uri(`${name}.${randomUUID()}.new`).fsPath;
    const file = await open(draft, 'w');
    try {
      await file.writeFile(this.secrets.hide(text));
      await flushFile(file);
    } finally {
      await file.close();
    }
    // Not VS Code's rename, which removes the old file first: a crash in between would leave neither.
    await renameFile(draft, this.#uri(name).fsPath);
  }

  #uri(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, name);
  }
}
