import * as vscode from 'vscode';

/**
 * Small JSON files in a folder that VS Code gives the extension. Writes of one file follow each other and replace it
 * whole: a window that is closed half way leaves the old one.
 */
export class Storage {
  readonly #folder: vscode.Uri;
  readonly #writing = new Map<string, Promise<void>>();

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  /** The text of a file; undefined when there is none or it cannot be read. */
  async read(name: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#uri(name)));
    } catch {
      return undefined;
    }
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
    return Promise.all(
      names.map(async (name) => {
        const { mtime } = await vscode.workspace.fs.stat(this.#uri(name));
        return { name, writtenAt: mtime };
      }),
    );
  }

  async #replace(name: string, text: string): Promise<void> {
    await vscode.workspace.fs.createDirectory(this.#folder);
    const draft = this.#uri(`${name}.${process.pid}.new`);
    await vscode.workspace.fs.writeFile(draft, new TextEncoder().encode(text));
    await vscode.workspace.fs.rename(draft, this.#uri(name), { overwrite: true });
  }

  #uri(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, name);
  }
}
