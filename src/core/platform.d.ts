// All that the folders of tsconfig.plain.json use of the platform beyond ECMAScript: no DOM, no process, no files.

declare class TextDecoder {
  constructor(encoding?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

declare class URL {
  static canParse(address: string): boolean;
  constructor(address: string);
  readonly href: string;
  readonly hostname: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly pathname: string;
  readonly search: string;
  readonly searchParams: Iterable<readonly [name: string, value: string]>;
}

interface AbortSignal {
  throwIfAborted(): void;
}

declare class Buffer extends Uint8Array<ArrayBuffer> {
  static alloc(length: number): Buffer;
  static concat(pieces: readonly Uint8Array[]): Buffer;
  static from(text: string, encoding?: 'base64' | 'utf16le' | 'utf8'): Buffer;
  static from(bytes: ArrayBufferLike, start: number, length: number): Buffer;
  subarray(start?: number, end?: number): Buffer;
  toString(encoding?: 'base64' | 'base64url' | 'hex' | 'latin1', start?: number, end?: number): string;
}

declare module 'node:zlib' {
  export function inflateSync(
    bytes: Uint8Array,
    options?: { readonly finishFlush?: number; readonly maxOutputLength?: number },
  ): Uint8Array<ArrayBuffer>;
}
