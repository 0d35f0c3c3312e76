import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ThumbnailWidth, thumbnailWidths } from '../../webview/contract/gallery';

/** Of all thumbnails together; some thousands. */
const mostBytes = 64 * 2 ** 20;
/** One of 512 pixels has a tenth of this. */
const largest = 256 * 2 ** 10;
const hash = /^[0-9a-f]{64}$/;

/** Thumbnails on disk, for all windows, by the SHA-256 of their outputs. What fails is made again. */
export class KeptThumbnails {
  /** Written since it was last looked at how large all are. */
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
    if (!hash.test(sha256)) return undefined;
    const file = this.#file(sha256, width);
    try {
      const [kept, original] = await Promise.all([stat(file), stat(output)]);
      return kept.size > largest || original.mtimeMs > kept.mtimeMs ? undefined : file;
    } catch {
      return undefined;
    }
  }

  async keep(sha256: string, width: ThumbnailWidth, webp: Uint8Array): Promise<void> {
    if (!hash.test(sha256) || !isWebp(webp)) return;
    const file = this.#file(sha256, width);
    const draft = `${file}.${process.pid}.new`;
    await mkdir(this.folder, { recursive: true });
    await writeFile(draft, webp);
    await rename(draft, file);
    this.#added += webp.length;
    if (this.#added > this.most / 16) await this.#makeRoom();
  }

  /** Those of outputs that were deleted. */
  async remove(hashes: readonly string[]): Promise<void> {
    for (const sha256 of hashes.filter((each) => hash.test(each)))
      for (const width of thumbnailWidths) await rm(this.#file(sha256, width), { force: true });
  }

  async #makeRoom(): Promise<void> {
    this.#added = 0;
    const files = await Promise.all((await readdir(this.folder)).map((name) => sized(this.folder, name)));
    files.sort((a, b) => b.mtimeMs - a.mtimeMs);
    let total = 0;
    for (const { file, size } of files) {
      total += size;
      if (total > this.most) await rm(file, { force: true });
    }
  }

  #file(sha256: string, width: ThumbnailWidth): string {
    return path.join(this.folder, `${sha256}-${width}.webp`);
  }
}

/** Another window may just have removed it. */
async function sized(folder: string, name: string) {
  const file = path.join(folder, name);
  const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
  return { file, size, mtimeMs };
}

function isWebp(bytes: Uint8Array): boolean {
  const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  return bytes.length <= largest && text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP';
}
