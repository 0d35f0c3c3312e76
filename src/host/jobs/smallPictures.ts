import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { JobPreview } from '../../core/jobs/eventJob';
import type { Log } from '../platform/log';
import type { Sessions } from '../servers/sessions';
import type { SavedFile, SavedOutputs } from '../outputs/savedOutputs';
import type { StoredPictures } from './storedPictures';

/** Names the stand-in of a run among those of files. */
function hashOfRun(jobId: string): string {
  return createHash('sha256').update(`run ${jobId}`).digest('hex');
}

/** ms; a thumbnail may be made, or removed, at any time. */
const looksAgainAfter = 10_000;

/** Of a live preview that is kept until its run is saved, in bytes, and how many: those of runs that are not saved go. */
const largestFrame = 256 * 2 ** 10;
const mostFrames = 16;

/** The stored thumbnails of saved pictures, looked for when a row asks. */
export class SmallPictures {
  readonly #folder: string;
  readonly #onKnown: (jobId: string) => void;
  /** SHA-256 of a file -> its thumbnail, and when it was looked for. */
  readonly #known = new Map<string, { readonly at: number; readonly picture: vscode.Uri | undefined }>();
  /** By job, the last one of each. */
  readonly #frames = new Map<string, Uint8Array>();
  #pictures: Promise<StoredPictures> | undefined;

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

  /** What a run looked like last, if that may be a picture of any of its nodes. @param saved one of its files */
  ofRun(jobId: string, saved: SavedFile): vscode.Uri | undefined {
    return this.of(jobId, { ...saved, sha256: hashOfRun(jobId) });
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

  /** Once a run is saved, its last live preview may stand for its picture. */
  async keepPreview(jobId: string, saved: readonly SavedFile[]): Promise<void> {
    const frame = this.#frames.get(jobId);
    if (!frame || saved.length === 0) return;
    this.#frames.delete(jobId);
    await (await this.#stored()).keepPreview(saved, frame, hashOfRun(jobId));
    for (const { sha256 = '' } of saved) this.#known.delete(sha256);
    this.#known.delete(hashOfRun(jobId));
    this.#onKnown(jobId);
  }

  async #look(jobId: string, sha256: string, location: string): Promise<void> {
    const file = await (await this.#stored()).find(sha256, location);
    if (this.#known.get(sha256)?.picture?.fsPath === file) return;
    this.#known.set(sha256, {
      at: Date.now(),
      picture: file === undefined ? undefined : vscode.Uri.file(file),
    });
    this.#onKnown(jobId);
  }

  #stored(): Promise<StoredPictures> {
    return (this.#pictures ??= import('./storedPictures').then(
      ({ StoredPictures: Stored }) => new Stored(this.#folder),
    ));
  }
}
