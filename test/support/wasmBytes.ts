import { readFileSync } from 'node:fs';
import type { Plugin } from 'vitest/config';

/** What esbuild's "binary" loader does for the bundles: the bytes of such a file are its default export. */
export const wasmBytes: Plugin = {
  name: 'wasm-bytes',
  enforce: 'pre',
  load(id) {
    if (!/\.(wasm|m4a)$/.test(id)) return null;
    const base64 = readFileSync(id).toString('base64');
    return `export default new Uint8Array(Buffer.from('${base64}', 'base64'));`;
  },
};

/** Packages that import such files: vite has to read them too. */
export const inlinedForWasm = [/@jsquash/];
