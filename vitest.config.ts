import { defineConfig } from 'vitest/config';
import { PartReporter } from './test/support/partReporter';
import { fileBytes } from './test/support/fileBytes';

export default defineConfig({
  plugins: [fileBytes],
  test: {
    include: ['test/unit/**/*.test.ts', 'test/corpus/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
    reporters: [new PartReporter('unit')],
    testTimeout: 60_000,
    // Sandboxes and sockets live in the tests' own process: forks keep one file's servers from another's.
    pool: 'forks',
  },
});
