import { defineConfig } from 'vitest/config';
import { fileBytes } from '../support/fileBytes';
import { mockingTests } from '../support/mockingTests';

/** The unit tests of what is mutated. */
export default defineConfig({
  plugins: [fileBytes],
  test: {
    include: ['test/unit/{runLife,records,outputs,jobs,batch,runs,check,workflow,diff}/**/*.test.ts'],
    exclude: ['**/*.integration.test.ts', ...mockingTests],
    setupFiles: ['test/support/noServers.ts', 'test/support/englishTexts.ts'],
    // Files share what they import, which is most of the time.
    isolate: false,
    testTimeout: 60_000,
  },
});
