/** Bundled as bytes: the `binary` loader of esbuild, and its twin in vitest.config.ts. */
declare module '*.m4a' {
  const bytes: Uint8Array<ArrayBuffer>;
  export = bytes;
}
declare module '*.flac' {
  const bytes: Uint8Array<ArrayBuffer>;
  export = bytes;
}
declare module '*.mp4' {
  const bytes: Uint8Array<ArrayBuffer>;
  export = bytes;
}
declare module '*.webp' {
  const bytes: Uint8Array<ArrayBuffer>;
  export = bytes;
}
