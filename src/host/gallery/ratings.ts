import type * as vscode from 'vscode';
import { uriInRun } from '../runs/runFolders';
import type { GalleryRow, Rating } from '../../core/gallery/galleryFilter';

const key = 'gallery.ratings';
const most = 10_000;
const hash = /^[0-9a-f]{64}$/;

/** An output by its address, and by the SHA-256 that its record names. */
export interface RatedOutput {
  readonly file: vscode.Uri;
  readonly sha256: string;
}

export interface PlacedOutput extends RatedOutput {
  readonly row: GalleryRow;
  readonly record: vscode.Uri;
}

export function placedOutput(row: GalleryRow): PlacedOutput {
  const { run, file } = row;
  const record = uriInRun(run, run.place.record);
  return { row, file: uriInRun(run, file.name), record, sha256: file.sha256 };
}

/** Stars are kept by the content of an output, so that they follow it, or else by its address. */
export class Ratings {
  readonly #memory: vscode.Memento;
  readonly #stars = new Map<string, Rating>();

  constructor(workspaceState: vscode.Memento) {
    this.#memory = workspaceState;
    const stored = workspaceState.get<unknown>(key);
    if (!Array.isArray(stored)) return;
    for (const [name, stars] of stored.filter(Array.isArray))
      if (isStars(stars) && typeof name === 'string') this.#stars.set(name, stars);
  }

  of(output: RatedOutput): Rating {
    return this.#stars.get(output.sha256) ?? this.#stars.get(output.file.toString()) ?? 0;
  }

  get isEmpty(): boolean {
    return this.#stars.size === 0;
  }

  async rate(outputs: readonly RatedOutput[], stars: Rating): Promise<void> {
    for (const { file, sha256 } of outputs) {
      this.#stars.delete(file.toString());
      this.#stars.delete(sha256);
      if (stars > 0) this.#stars.set(hash.test(sha256) ? sha256 : file.toString(), stars);
    }
    const names = [...this.#stars.keys()];
    for (const name of names.slice(0, Math.max(0, names.length - most))) this.#stars.delete(name);
    await this.#memory.update(key, [...this.#stars]);
  }
}

function isStars(value: unknown): value is Rating {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 5;
}
