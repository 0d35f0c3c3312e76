import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { PartReporter } from './test/support/partReporter';
import { fileBytes } from './test/support/fileBytes';
import { mockingTests } from './test/support/mockingTests';

const integration = 'test/unit/**/*.integration.test.ts';
/** They measure time, alone, with a config of their own. */
const growth = 'test/unit/growth/*.test.ts';
/** These mostly wait: for processes, and for what the product waits for. */
const maxWorkers = 3 * availableParallelism();

export default defineConfig({
  plugins: [fileBytes],
  resolve: { alias: { vscode: path.resolve('test/support/inMemoryVscode.ts') } },
  test: {
    reporters: [new PartReporter('unit')],
    testTimeout: 60_000,
    // Others may share the machine: what is awaited ends a test only if it never comes.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/englishTexts.ts'],
    // Sandboxes and sockets live in the tests' own process: forks keep one file's servers from another's.
    pool: 'forks',
    // The process that hands out the files has little to do, and many tests wait.
    maxWorkers: '100%',
    // Each group begins when the one before has ended.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [integration, growth, ...mockingTests],
          setupFiles: ['test/support/noServers.ts'],
          // Files share what they import, which is most of the time.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-mocking',
          include: [...mockingTests],
          setupFiles: ['test/support/noServers.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: [integration],
          isolate: false,
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'corpus',
          include: ['test/corpus/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
          isolate: false,
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
