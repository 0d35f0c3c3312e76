import { readFileSync } from 'node:fs';
import type { Plugin } from 'vitest/config';

/** Does the same as esbuild's "binary" loader for the bundles: the bytes of the file are its default export. */
export const fileBytes: Plugin = {
  name: 'file-bytes',
  enforce: 'pre',
  load(id) {
    if (!/\.(?:m4a|flac|mp4|webp)$/.test(id)) return null;
    const base64 = readFileSync(id).toString('base64');
    return `export default new Uint8Array(Buffer.from('${base64}', 'base64'));`;
  },
};
