import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeFile, renameFile } from '../../core/outputs/changeFile';
import { thumbnailWidths } from '../../webview/contract/constants';
import type { ThumbnailWidth } from '../../webview/contract/gallery';

/** The bytes of all thumbnails: some thousands. */
const mostBytes = 64 * 2 ** 20;
/** A thumbnail of 512 pixels has a tenth of these bytes. */
const largest = 256 * 2 ** 10;
const hash = /^[0-9a-f]{64}$/;
const standIn = 'preview';
const kinds = ['webp', 'jpg', 'png'] as const;
type Kind = (typeof kinds)[number];
const starts: Readonly<Record<Kind, RegExp>> = {
  webp: /^RIFF.{4}WEBP/s,
  jpg: /^\xff\xd8\xff/,
  png: /^\x89PNG\r\n/,
};

/** Thumbnails on disk, for all windows, by the SHA-256 of their outputs. What fails is made again. */
export class KeptThumbnails {
  /** Bytes written since the total size was last measured. */
  #added = Infinity;

  constructor(
    private readonly folder: string,
    private readonly most = mostBytes,
  ) {}

  async find(
    sha256: string,
    width: ThumbnailWidth,
    output: string,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const file = await this.fileOf(sha256, width, output);
    // A message can't carry a Buffer.
    return file === undefined
      ? undefined
      : readFile(file).then(
          (bytes) => new Uint8Array(bytes),
          () => undefined,
        );
  }

  /** @param output undefined is returned if this file has changed since, whatever its record says */
  async fileOf(sha256: string, width: ThumbnailWidth, output: string): Promise<string | undefined> {
    return hash.test(sha256) ? this.#current(this.#file(sha256, width), output) : undefined;
  }

  async keep(sha256: string, width: ThumbnailWidth, webp: Uint8Array): Promise<void> {
    if (hash.test(sha256) && kindOf(webp) === 'webp') await this.#write(this.#file(sha256, width), webp);
  }

  /** Keeps a stand-in for an output without a thumbnail, such as the last live preview of its run. */
  async keepStandIn(sha256: string, picture: Uint8Array): Promise<void> {
    const kind = hash.test(sha256) ? kindOf(picture) : undefined;
    if (kind) await this.#write(this.#file(sha256, standIn, kind), picture);
  }

  /** The stand-in of an output; undefined if its file has changed since. */
  async standInOf(sha256: string, output: string): Promise<string | undefined> {
    for (const kind of kinds) {
      const file = await this.#current(this.#file(sha256, standIn, kind), output);
      if (hash.test(sha256) && file !== undefined) return file;
    }
    return undefined;
  }

  async remove(hashes: readonly string[]): Promise<void> {
    for (const sha256 of hashes.filter((each) => hash.test(each))) {
      for (const width of thumbnailWidths) await removeFile(this.#file(sha256, width));
      for (const kind of kinds) await removeFile(this.#file(sha256, standIn, kind));
    }
  }

  async #current(file: string, output: string): Promise<string | undefined> {
    try {
      const [kept, original] = await Promise.all([stat(file), stat(output)]);
      return kept.size > largest || original.mtimeMs > kept.mtimeMs ? undefined : file;
    } catch {
      return undefined;
    }
  }

  async #write(file: string, picture: Uint8Array): Promise<void> {
    const draft = `${file}.${randomUUID()}.new`;
    await mkdir(this.folder, { recursive: true });
    await writeFile(draft, picture);
    await renameFile(draft, file);
    this.#added += picture.length;
    if (this.#added > this.most / 16) await this.#makeRoom();
  }

  async #makeRoom(): Promise<void> {
    this.#added = 0;
    const files = await Promise.all((await readdir(this.folder)).map((name) => sized(this.folder, name)));
    files.sort((a, b) => b.mtimeMs - a.mtimeMs);
    let total = 0;
    for (const { file, size } of files) {
      total += size;
      if (total > this.most) await removeFile(file);
    }
  }

  #file(sha256: string, name: ThumbnailWidth | typeof standIn, kind: Kind = 'webp'): string {
    return path.join(this.folder, `${sha256}-${name}.${kind}`);
  }
}

async function sized(folder: string, name: string) {
  const file = path.join(folder, name);
  const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
  return { file, size, mtimeMs };
}

function kindOf(bytes: Uint8Array): Kind | undefined {
  if (bytes.length > largest) return undefined;
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return kinds.find((kind) => starts[kind].test(start));
}
