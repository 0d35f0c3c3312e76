import * as vscode from 'vscode';
import type { KeptThumbnails } from '../platform/keptThumbnails';
import type { SavedFile } from './savedOutputs';

/** Wide enough for a tooltip, and scaled down for an icon; the best one first. */
const widths = [256, 512, 128] as const;
/** ms; a thumbnail may be made, or removed, at any time. */
const looksAgainAfter = 10_000;

/** The stored thumbnails of saved pictures, looked for when a row asks. */
export class SmallPictures {
  readonly #folder: string;
  readonly #onKnown: (jobId: string) => void;
  /** SHA-256 of a file -> its thumbnail, and when it was looked for. */
  readonly #known = new Map<string, { readonly at: number; readonly picture: vscode.Uri | undefined }>();
  #kept: Promise<KeptThumbnails> | undefined;

  /** @param onKnown now there is one for an output of this job, or no longer */
  constructor(folder: string, onKnown: (jobId: string) => void) {
    this.#folder = folder;
    this.#onKnown = onKnown;
  }

  of(jobId: string, { sha256, location }: SavedFile): vscode.Uri | undefined {
    if (sha256 === undefined) return undefined;
    const known = this.#known.get(sha256);
    const now = Date.now();
    if (!known || now - known.at > looksAgainAfter) {
      this.#known.set(sha256, { at: now, picture: known?.picture });
      void this.#look(jobId, sha256, location);
    }
    return known?.picture;
  }

  async #look(jobId: string, sha256: string, location: string): Promise<void> {
    this.#kept ??= this.#load();
    const kept = await this.#kept;
    let file: string | undefined;
    for (const width of widths) file ??= await kept.fileOf(sha256, width, location);
    const before = this.#known.get(sha256);
    if (before?.picture?.fsPath === file) return;
    this.#known.set(sha256, {
      at: Date.now(),
      picture: file === undefined ? undefined : vscode.Uri.file(file),
    });
    this.#onKnown(jobId);
  }

  async #load(): Promise<KeptThumbnails> {
    const { KeptThumbnails: Kept } = await import('../platform/keptThumbnails');
    return new Kept(this.#folder);
  }
}
