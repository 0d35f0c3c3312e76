import { listAt } from '../../core/safety/lists';
import type { FromGallery, GalleryOutput, ThumbnailWidth, ToGallery } from '../contract/gallery';

type Found = Extract<ToGallery, { readonly type: 'thumbnail' }>;

/** Thumbnails that the host keeps on disk. Only those of outputs with a hash are: the others are made quickly. */
export class ThumbnailStore {
  readonly #asked = new Map<string, ((webp: Blob | undefined) => void)[]>();

  constructor(private readonly send: (message: FromGallery) => void) {}

  find({ id, sha256 }: GalleryOutput, width: ThumbnailWidth): Promise<Blob | undefined> {
    if (sha256 === undefined) return Promise.resolve(undefined);
    const key = `${id} ${width}`;
    return new Promise((resolve) => {
      const asked = this.#asked.get(key);
      asked?.push(resolve);
      if (asked) return;
      this.#asked.set(key, [resolve]);
      this.send({ type: 'thumbnail', id, width });
    });
  }

  receive({ id, width, webp }: Found): void {
    const key = `${id} ${width}`;
    const picture = webp && new Blob([webp], { type: 'image/webp' });
    for (const resolve of listAt(this.#asked, key)) resolve(picture);
    this.#asked.delete(key);
  }

  /** Keeps a thumbnail, unless its file is not the one that was recorded: others may look for that. */
  async keep(
    { id, sha256 }: GalleryOutput,
    width: ThumbnailWidth,
    file: Blob,
    thumbnail: ImageBitmap,
  ): Promise<void> {
    if (sha256 === undefined) return;
    const canvas = new OffscreenCanvas(thumbnail.width, thumbnail.height);
    canvas.getContext('2d')?.drawImage(thumbnail, 0, 0);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    if (Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') !== sha256) return;
    const webp = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 });
    this.send({ type: 'keepThumbnail', id, width, webp: new Uint8Array(await webp.arrayBuffer()) });
  }
}
