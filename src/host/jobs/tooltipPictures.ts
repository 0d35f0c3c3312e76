import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { JobPreview } from '../../core/jobs/eventJob';
import type { SavedFile } from '../../core/runLife/run';
import type { RunStore } from '../../core/runLife/runStore';
import type { KeptThumbnails } from '../platform/keptThumbnails';
import type { Log } from '../platform/log';
import type { Sessions } from '../servers/sessions';

/** Wide enough for a tooltip; the best one first. */
const widths = [256, 512, 128] as const;
/** A PNG up to this many bytes is decoded for its thumbnail. */
const smallPng = 30_000;

/** The largest live preview (bytes) that is kept until its run is saved, and their number. */
const largestFrame = 256 * 2 ** 10;
const mostFrames = 16;

/** Small pictures of saved outputs: the gallery's thumbnails, and what stands in for one until it makes them. */
export class TooltipPictures {
  /** The last live preview of each job. */
  readonly #frames = new Map<string, Uint8Array>();
  #thumbnails: Promise<KeptThumbnails> | undefined;

  constructor(private readonly folder: string) {}

  /** Thumbnails of files; without any, the last live preview if it could be of any of them. */
  async find(jobId: string, files: readonly SavedFile[]): Promise<readonly vscode.Uri[]> {
    const thumbnails = await this.#kept();
    const found: string[] = [];
    for (const file of files) {
      const picture = await pictureOf(file, thumbnails);
      if (picture !== undefined) found.push(picture);
    }
    const [first, ...others] = files;
    if (first && others.length > 0 && found.length === 0) {
      const ofRun = await thumbnails.standInOf(hashOfRun(jobId), first.location);
      if (ofRun !== undefined) found.push(ofRun);
    }
    return found.map((file) => vscode.Uri.file(file));
  }

  watch(
    { onPreview }: Pick<Sessions, 'onPreview'>,
    runs: Pick<RunStore, 'onDidChange' | 'isSaving' | 'filesOfJob'>,
    log: Log,
  ): vscode.Disposable {
    const failed = (error: unknown): void => log.error('Keeping a thumbnail', error);
    return vscode.Disposable.from(
      onPreview((preview) => this.see(preview)),
      new vscode.Disposable(
        runs.onDidChange((_, run) => {
          const id = run?.facts.job;
          if (id === undefined || !this.#frames.has(id) || runs.isSaving(id)) return;
          void this.keepPreview(id, runs.filesOfJob(id)).catch(failed);
        }),
      ),
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

  /** The preview doesn't say of which node it was, so of several pictures it stands for the run. */
  async keepPreview(jobId: string, saved: readonly SavedFile[]): Promise<void> {
    const frame = this.#frames.get(jobId);
    if (!frame || saved.length === 0) return;
    this.#frames.delete(jobId);
    const isPicture = /\.(?:png|jpe?g|webp|gif|avif)$/i;
    const [first, ...others] = saved.filter(({ location }) => isPicture.test(location));
    if (!first) return;
    const isOfRun = others.some(({ node }) => node !== first.node);
    await (await this.#kept()).keepStandIn(isOfRun ? hashOfRun(jobId) : first.sha256, frame);
  }

  #kept(): Promise<KeptThumbnails> {
    return (this.#thumbnails ??= import('../platform/keptThumbnails').then(
      ({ KeptThumbnails: Kept }) => new Kept(this.folder),
    ));
  }
}

/** A run and a file never share a name. */
function hashOfRun(jobId: string): string {
  return createHash('sha256').update(`run ${jobId}`).digest('hex');
}

async function pictureOf(
  { sha256, location }: SavedFile,
  thumbnails: KeptThumbnails,
): Promise<string | undefined> {
  for (const width of widths) {
    const file = await thumbnails.fileOf(sha256, width, location);
    if (file !== undefined) return file;
  }
  const standIn = await thumbnails.standInOf(sha256, location);
  if (standIn !== undefined || !/\.png$/i.test(location)) return standIn;
  try {
    if ((await stat(location)).size > smallPng) return undefined;
    const bytes = await readFile(location);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) return undefined;
    const { pngThumbnail } = await import('../../core/comparison/differencePicture');
    const picture = pngThumbnail(bytes);
    if (picture) await thumbnails.keepStandIn(sha256, picture);
    return await thumbnails.standInOf(sha256, location);
  } catch {
    // The tooltip has its words.
    return undefined;
  }
}
