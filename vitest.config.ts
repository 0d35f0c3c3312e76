import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/corpus/**/*.test.ts'],
    testTimeout: 30_000,
    // Sandboxes and sockets live in the tests' own process: forks keep one file's servers from another's.
    pool: 'forks',
  },
});
