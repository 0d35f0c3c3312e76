import { thumbnailWidths } from '../contract/constants';
import type { GalleryOutput, ThumbnailWidth } from '../contract/gallery';
import type { ThumbnailStore } from './thumbnailStore';

/** Pixels of all thumbnails that are kept, about 64 MB. */
const mostPixels = 16_000_000;
/** Pictures that are read at the same time. */
const together = 4;

/** Thumbnails that wait to be stored while others are made: each holds its file. */
const mostToStore = 16;

/** A tile that waits for a thumbnail. */
export interface ThumbnailTile {
  readonly isClosed: boolean;
  readonly isSeen: boolean;
}

interface Request {
  readonly output: GalleryOutput;
  readonly width: ThumbnailWidth;
  readonly tile: ThumbnailTile;
  readonly done: (picture: ImageBitmap | undefined) => void;
}

/** Small versions of pictures, made once and kept while there is room: the last used stay. */
export class Thumbnails {
  /** By width and address, the last used at the end; undefined for a file that isn't an image. */
  readonly #made = new Map<string, ImageBitmap | undefined>();
  #pixels = 0;
  #waiting: Request[] = [];
  readonly #toStore: (() => Promise<void>)[] = [];
  #reading = 0;

  constructor(private readonly store: ThumbnailStore) {}

  /** The thumbnail if it has been made. */
  get(source: string, width: number): ImageBitmap | undefined {
    const key = keyOf(source, width);
    const made = this.#made.get(key);
    if (made === undefined) return undefined;
    this.#made.delete(key);
    this.#made.set(key, made);
    return made;
  }

  /**
   * Makes a thumbnail; tiles in sight come first, and those that are closed when their turn comes get none.
   * @param done gets undefined for a file that is no picture
   */
  request(
    output: GalleryOutput,
    width: number,
    tile: ThumbnailTile,
    done: (picture: ImageBitmap | undefined) => void,
  ): void {
    this.#waiting.push({ output, width: stepOf(width), tile, done });
    this.#next();
  }

  #next(): void {
    this.#waiting = this.#waiting.filter(({ tile }) => !tile.isClosed);
    while (this.#reading < together) {
      const work = this.#takeWork();
      if (!work) return;
      this.#reading++;
      void work().finally(() => {
        this.#reading--;
        this.#next();
      });
    }
  }

  /** Thumbnails in sight come first, then those to be stored, and then the others. */
  #takeWork(): (() => Promise<void>) | undefined {
    const seen = this.#waiting.findIndex(({ tile }) => tile.isSeen);
    const store = seen < 0 || this.#toStore.length > mostToStore ? this.#toStore.shift() : undefined;
    if (store) return store;
    const [request] = this.#waiting.splice(Math.max(0, seen), 1);
    return request && (() => this.#make(request));
  }

  async #make({ output, width, done }: Request): Promise<void> {
    const key = keyOf(output.source, width);
    let file: Blob | undefined;
    if (!this.#made.has(key)) {
      const kept = await this.store.find(output, width);
      let picture = kept && (await createImageBitmap(kept).catch(() => undefined));
      if (!picture) {
        file = await load(output.source).catch(() => undefined);
        picture = file && (await smaller(file, width).catch(() => undefined));
      }
      this.#keep(key, picture);
    }
    const made = this.#made.get(key);
    done(made);
    if (file && made)
      this.#toStore.push(() => this.store.keep(output, width, file, made).catch(() => undefined));
  }

  #keep(key: string, picture: ImageBitmap | undefined): void {
    this.#made.set(key, picture);
    this.#pixels += pixelsOf(picture);
    for (const [oldest, dropped] of this.#made) {
      if (this.#pixels <= mostPixels || oldest === key) return;
      this.#made.delete(oldest);
      this.#pixels -= pixelsOf(dropped);
      dropped?.close();
    }
  }
}

async function load(source: string): Promise<Blob> {
  return (await fetch(source)).blob();
}

async function smaller(file: Blob, width: number): Promise<ImageBitmap> {
  const full = await createImageBitmap(file);
  try {
    // A tile that is filled shows the shorter side as a whole.
    const [short, long] = [Math.min(full.width, full.height), Math.max(full.width, full.height)];
    const scale = Math.min(1, width / short, (2 * width) / long);
    return await createImageBitmap(full, {
      resizeWidth: Math.max(1, Math.round(full.width * scale)),
      resizeHeight: Math.max(1, Math.round(full.height * scale)),
      resizeQuality: 'medium',
    });
  } finally {
    full.close();
  }
}

function pixelsOf(picture: ImageBitmap | undefined): number {
  return picture ? picture.width * picture.height : 0;
}

function keyOf(source: string, width: number): string {
  return `${stepOf(width)} ${source}`;
}

function stepOf(width: number): ThumbnailWidth {
  return thumbnailWidths.find((step) => step >= width) ?? 512;
}
