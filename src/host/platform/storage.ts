import { randomUUID } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { flushFile, removeFile, renameFile } from '../../core/outputs/changeFile';
import type { Secrets } from '../../core/safety/secrets';
import { errorCode } from '../../core/safety/errorWords';

const mostParts = 50;

export interface WrittenPart {
  readonly text: string;
  /** `left`: the writer is gone, and the next write takes the part over. */
  readonly writer: 'self' | 'other' | 'left';
}

/** Each window writes its own file and reads all. The next write takes over what a closed window left. */
export class WriterFiles {
  readonly #base: string;
  readonly #ownName: string;
  #left: readonly string[] = [];

  /** `fileName`: as for a single writer; such a file is read too. */
  constructor(
    private readonly storage: Pick<Storage, 'read' | 'write' | 'remove' | 'list'>,
    fileName: string,
    writer = `${process.pid}-${randomUUID().slice(0, 8)}`,
  ) {
    this.#base = fileName.replace(/\.json$/, '');
    this.#ownName = `${this.#base}.${writer}.json`;
  }

  async read(): Promise<readonly string[]> {
    return (await this.readParts()).map(({ text }) => text);
  }

  async readParts(): Promise<readonly WrittenPart[]> {
    const files = await this.storage.list(`${this.#base}.`);
    const parts = files
      .filter(({ name }) => name.endsWith('.json'))
      .sort((a, b) => b.writtenAt - a.writtenAt)
      .slice(0, mostParts);
    const read = await Promise.all(parts.map(({ name }) => this.#readPart(name)));
    const found = read.filter((part) => part !== undefined);
    // A file that couldn't be read now must not be replaced by our next write.
    this.#left = found.flatMap(({ name, writer }) => (writer === 'left' ? [name] : []));
    return found;
  }

  async #readPart(name: string): Promise<(WrittenPart & { readonly name: string }) | undefined> {
    const text = await this.storage.read(name);
    if (text === undefined) return undefined;
    if (name === this.#ownName) return { name, text, writer: 'self' };
    return { name, text, writer: isWritten(name) ? 'other' : 'left' };
  }

  /** Writes our own part, which must include everything read, and then removes what it replaces. */
  async write(text: string): Promise<void> {
    await this.storage.write(this.#ownName, text);
    const left = this.#left;
    this.#left = [];
    await Promise.all(left.map((name) => this.storage.remove(name)));
  }
}

/** The writer of a part is still running, as far as this machine knows. */
export function isWritten(name: string): boolean {
  const pid = Number(/\.(\d+)-[^.]*\.json$/.exec(name)?.[1]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is still alive.
    return errorCode(error) === 'EPERM';
  }
}

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
