import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { JobPreview } from '../../core/jobs/eventJob';
import type { KeptThumbnails } from '../platform/keptThumbnails';
import type { Log } from '../platform/log';
import type { Sessions } from '../servers/sessions';
import type { SavedFile, SavedOutputs } from './savedOutputs';

/** Wide enough for a tooltip, and scaled down for an icon; the best one first. */
const widths = [256, 512, 128] as const;
/** ms; a thumbnail may be made, or removed, at any time. */
const looksAgainAfter = 10_000;

/** Of a live preview that is kept until its run is saved, in bytes, and how many: those of runs that are not saved go. */
const largestFrame = 256 * 2 ** 10;
const mostFrames = 16;
/** A PNG up to this many bytes is decoded for its thumbnail. */
const smallPng = 30_000;

/** The stored thumbnails of saved pictures, looked for when a row asks, and the stand-ins until the gallery makes one. */
export class SmallPictures {
  readonly #folder: string;
  readonly #onKnown: (jobId: string) => void;
  /** SHA-256 of a file -> its thumbnail, and when it was looked for. */
  readonly #known = new Map<string, { readonly at: number; readonly picture: vscode.Uri | undefined }>();
  /** By job, the last one of each. */
  readonly #frames = new Map<string, Uint8Array>();
  /** SHA-256 of the files that were decoded. */
  readonly #decoded = new Set<string>();
  /** One is decoded after the other, so that a long list doesn't hold everything up. */
  #decoding: Promise<string | undefined> = Promise.resolve(undefined);
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

  /** Keeps the live previews of runs that are saved. */
  watch(
    { onPreview }: Pick<Sessions, 'onPreview'>,
    saved: Pick<SavedOutputs, 'onDidChange' | 'isSaving' | 'of'>,
    log: Log,
  ): vscode.Disposable {
    const failed = (error: unknown): void => log.error('Keeping a thumbnail', error);
    return vscode.Disposable.from(
      onPreview((preview) => this.see(preview)),
      saved.onDidChange((id) => {
        if (!saved.isSaving(id)) void this.keepPreview(id, saved.of(id)).catch(failed);
      }),
    );
  }

  see({ jobId, image }: Pick<JobPreview, 'jobId' | 'image'>): void {
    this.#frames.delete(jobId);
    if (image.length > largestFrame) return;
    // A copy: the socket's buffer may be a slice of a larger one.
    this.#frames.set(jobId, new Uint8Array(image));
    const [oldest] = this.#frames.keys();
    if (this.#frames.size > mostFrames && oldest !== undefined) this.#frames.delete(oldest);
  }

  /** The last live preview of a run stands for the picture that was saved of it, or for the first one of a node. */
  async keepPreview(jobId: string, saved: readonly SavedFile[]): Promise<void> {
    const frame = this.#frames.get(jobId);
    const [first, ...others] = saved.filter(({ location }) => isPicture(location));
    if (!frame || first?.sha256 === undefined) return;
    this.#frames.delete(jobId);
    // Of which node the preview was, it doesn't say.
    if (others.some(({ file }) => file.nodeId !== first.file.nodeId)) return;
    const kept = await (this.#kept ??= this.#load());
    await kept.keepStandIn(first.sha256, frame);
    await this.#look(jobId, first.sha256, first.location);
  }

  async #look(jobId: string, sha256: string, location: string): Promise<void> {
    const kept = await (this.#kept ??= this.#load());
    let file: string | undefined;
    for (const width of widths) file ??= await kept.fileOf(sha256, width, location);
    file ??= await kept.standInOf(sha256, location);
    if (file === undefined && /\.png$/i.test(location) && !this.#decoded.has(sha256)) {
      this.#decoded.add(sha256);
      this.#decoding = this.#decoding.then(() => madeOf(kept, sha256, location));
      file = await this.#decoding;
    }
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

/** A stand-in made of a small PNG of which no preview was seen. */
async function madeOf(kept: KeptThumbnails, sha256: string, location: string): Promise<string | undefined> {
  try {
    if ((await stat(location)).size > smallPng) return undefined;
    const bytes = await readFile(location);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) return undefined;
    const { pngThumbnail } = await import('../../core/comparison/pngThumbnail');
    const picture = pngThumbnail(bytes);
    if (picture) await kept.keepStandIn(sha256, picture);
    return await kept.standInOf(sha256, location);
  } catch {
    // The row keeps the icon of its state.
    return undefined;
  }
}

function isPicture(location: string): boolean {
  return /\.(?:png|jpe?g|webp|gif|avif)$/i.test(location);
}
