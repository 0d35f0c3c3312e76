/** Bundled as bytes: the `binary` loader of esbuild, and its twin in vitest.config.ts. */
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export = bytes;
}

/** Node has it, and its types do not say so. */
declare namespace WebAssembly {
  type Module = object;
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
}

/** What the encoder takes: the picture of a page, of which there is none here. */
interface ImageData {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly colorSpace: 'srgb';
}
