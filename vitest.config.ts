import { defineConfig } from 'vitest/config';
import { PartReporter } from './test/support/partReporter';
import { inlinedForWasm, wasmBytes } from './test/support/wasmBytes';

export default defineConfig({
  plugins: [wasmBytes],
  test: {
    include: ['test/unit/**/*.test.ts', 'test/corpus/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
    reporters: [new PartReporter('unit')],
    testTimeout: 60_000,
    // Sandboxes and sockets live in the tests' own process: forks keep one file's servers from another's.
    pool: 'forks',
    server: { deps: { inline: inlinedForWasm } },
  },
});
