import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { KeptThumbnails } from '../platform/keptThumbnails';
import type { SavedFile } from '../outputs/savedOutputs';

/** Wide enough for a tooltip, and scaled down for an icon; the best one first. */
const widths = [256, 512, 128] as const;
/** A PNG up to this many bytes is decoded for its thumbnail. */
const smallPng = 30_000;

/** The thumbnails on disk as rows need them, and what stands in for one until the gallery makes it. */
export class StoredPictures {
  readonly #thumbnails: KeptThumbnails;
  /** SHA-256 of the files that were decoded. */
  readonly #decoded = new Set<string>();
  /** One is decoded after the other, so that a long list doesn't hold everything up. */
  #decoding: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(folder: string) {
    this.#thumbnails = new KeptThumbnails(folder);
  }

  /** @param sha256 of the file, or what names its run */
  async find(sha256: string, location: string): Promise<string | undefined> {
    let file: string | undefined;
    for (const width of widths) file ??= await this.#thumbnails.fileOf(sha256, width, location);
    file ??= await this.#thumbnails.standInOf(sha256, location);
    if (file !== undefined || !/\.png$/i.test(location) || this.#decoded.has(sha256)) return file;
    this.#decoded.add(sha256);
    this.#decoding = this.#decoding.then(() => this.#make(sha256, location));
    return this.#decoding;
  }

  /**
   * The last live preview of a run stands for the picture that was saved of it, or for the first one if a node made
   * several. Of which node it was, it doesn't say: if several saved pictures, it stands for the run.
   */
  async keepPreview(saved: readonly SavedFile[], frame: Uint8Array, hashOfRun: string): Promise<void> {
    const [first, ...others] = saved.filter(({ location }) =>
      /\.(?:png|jpe?g|webp|gif|avif)$/i.test(location),
    );
    if (first?.sha256 === undefined) return;
    const isOfRun = others.some(({ file }) => file.nodeId !== first.file.nodeId);
    await this.#thumbnails.keepStandIn(isOfRun ? hashOfRun : first.sha256, frame);
  }

  /** A stand-in made of a small PNG. */
  async #make(sha256: string, location: string): Promise<string | undefined> {
    try {
      if ((await stat(location)).size > smallPng) return undefined;
      const bytes = await readFile(location);
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) return undefined;
      const { pngThumbnail } = await import('../../core/comparison/differencePicture');
      const picture = pngThumbnail(bytes);
      if (picture) await this.#thumbnails.keepStandIn(sha256, picture);
      return await this.#thumbnails.standInOf(sha256, location);
    } catch {
      // The row keeps the icon of its state.
      return undefined;
    }
  }
}
