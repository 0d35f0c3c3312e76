import { defineConfig } from 'vitest/config';
import { PartReporter } from '../support/partReporter';
import { inlinedForWasm, wasmBytes } from '../support/wasmBytes';

export default defineConfig({
  plugins: [wasmBytes],
  test: {
    server: { deps: { inline: inlinedForWasm } },
    include: [
      process.env.COMFY_DECK_PICTURES === undefined ? 'test/ui/*.uitest.ts' : 'test/ui/*.pictures.ts',
    ],
    reporters: [new PartReporter('ui', { tells: false })],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    // One VS Code at a time: each is fourteen processes, and what is seen must not depend on the neighbours.
    fileParallelism: false,
  },
});
