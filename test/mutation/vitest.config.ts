import { defineConfig } from 'vitest/config';
import { fileBytes } from '../support/fileBytes';

/** The unit tests of what is mutated: those of a run, from its file to its record and outputs. */
export default defineConfig({
  plugins: [fileBytes],
  test: {
    include: ['test/unit/{runLife,records,outputs,jobs,batch,runs}/**/*.test.ts'],
    exclude: ['**/*.integration.test.ts'],
    setupFiles: ['test/support/noServers.ts', 'test/support/englishTexts.ts'],
    // Files share what they import, which is most of the time.
    isolate: false,
    testTimeout: 60_000,
  },
});
