import { createHash } from 'node:crypto';
import type { FileContent } from '../http/exchange';

/** In the terms of the view endpoint (protocol 1.7). */
export interface StoredFile {
  readonly filename: string;
  /** Empty, or folders joined by `/`. */
  readonly subfolder: string;
  readonly type: 'input' | 'output' | 'temp';
}

export interface StoredContent extends FileContent {
  readonly file: StoredFile;
  readonly bytes: Uint8Array;
}

/** In memory. Above the limit the oldest files go, inputs last: a sandbox may run for weeks. */
export class FileStore {
  readonly #files = new Map<string, StoredContent>();
  #bytes = 0;

  constructor(private readonly limitBytes = 256 * 2 ** 20) {}

  has(file: StoredFile): boolean {
    return this.#files.has(keyOf(file));
  }

  read(file: StoredFile): Uint8Array | undefined {
    return this.#files.get(keyOf(file))?.bytes;
  }

  find(file: StoredFile): StoredContent | undefined {
    return this.#files.get(keyOf(file));
  }

  /** @throws Error when the name leads out of its area. */
  write(file: StoredFile, bytes: Uint8Array): void {
    if (climbs(file))
      throw new Error(`Saving outside the ${file.type} folder is not allowed: ${file.subfolder}`);
    const key = keyOf(file);
    this.#bytes += bytes.byteLength - (this.#files.get(key)?.bytes.byteLength ?? 0);
    this.#files.delete(key);
    this.#files.set(key, {
      file,
      bytes,
      size: bytes.byteLength,
      modified: Date.now(),
      read: (start, end) => [bytes.subarray(start, end)],
    });
    this.#giveUp(key, ['temp', 'output']);
    this.#giveUp(key, ['input']);
  }

  #giveUp(except: string, areas: readonly StoredFile['type'][]): void {
    for (const [key, { file, bytes }] of this.#files) {
      if (this.#bytes <= this.limitBytes) return;
      if (key === except || !areas.includes(file.type)) continue;
      this.#files.delete(key);
      this.#bytes -= bytes.byteLength;
    }
  }

  forget(type: StoredFile['type']): void {
    for (const [key, { file, bytes }] of this.#files) {
      if (file.type !== type) continue;
      this.#files.delete(key);
      this.#bytes -= bytes.byteLength;
    }
  }

  names(type: StoredFile['type'], subfolder: string): readonly string[] {
    return [...this.#files.values()]
      .filter(({ file }) => file.type === type && file.subfolder === subfolder)
      .map(({ file }) => file.filename);
  }
}

/** The hash of the bytes with the extension (protocol 1.3). */
export function contentName(filename: string, bytes: Uint8Array): string {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(filename)?.[0] ?? '';
  return `${createHash('sha256').update(bytes).digest('hex')}${ending.toLowerCase()}`;
}

/** The same file always has the same ID. */
export function assetId({ type, subfolder, filename }: StoredFile): string {
  const hash = createHash('sha256').update(`${type}/${subfolder}/${filename}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

export function isArea(type: string): type is StoredFile['type'] {
  return type === 'input' || type === 'output' || type === 'temp';
}

function keyOf(file: StoredFile): string {
  return JSON.stringify([file.type, file.subfolder, file.filename]);
}

function climbs({ filename, subfolder }: StoredFile): boolean {
  const parts = [...subfolder.split(/[\\/]/), filename];
  return parts.includes('..') || subfolder.startsWith('/') || /[\\/]/.test(filename);
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  wav: 'audio/x-wav',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  txt: 'text/plain',
  json: 'application/json',
  glb: 'model/gltf-binary',
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  xml: 'text/xml',
};

/** Types that a browser would run or render: sent as a plain download (protocol 1.7). */
const dangerous = new Set(['text/html', 'text/javascript', 'text/css', 'image/svg+xml', 'text/xml']);

export function mediaType(filename: string): string {
  const ending = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  const type = mediaTypes[ending] ?? 'application/octet-stream';
  return dangerous.has(type) ? 'application/octet-stream' : type;
}
