import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { PartReporter } from './test/support/partReporter';

export default defineConfig({
  plugins: [
    {
      // What esbuild's "binary" loader does for the bundles: the bytes of the file are its default export.
      name: 'wasm-bytes',
      enforce: 'pre',
      load(id) {
        if (!id.endsWith('.wasm')) return null;
        const base64 = readFileSync(id).toString('base64');
        return `export default new Uint8Array(Buffer.from('${base64}', 'base64'));`;
      },
    },
  ],
  test: {
    include: ['test/unit/**/*.test.ts', 'test/corpus/**/*.test.ts'],
    reporters: [new PartReporter('unit')],
    testTimeout: 30_000,
    // Sandboxes and sockets live in the tests' own process: forks keep one file's servers from another's.
    pool: 'forks',
    server: { deps: { inline: [/@jsquash/] } },
  },
});
