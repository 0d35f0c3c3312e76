import { defineConfig } from 'vitest/config';
import { fileBytes } from '../../support/fileBytes';
import { PartReporter } from '../../support/partReporter';

/** Measures time, so nothing of the other tests runs beside it. */
export default defineConfig({
  plugins: [fileBytes],
  test: {
    include: ['test/unit/growth/*.test.ts'],
    setupFiles: ['test/support/noServers.ts', 'test/support/englishTexts.ts'],
    reporters: [new PartReporter('growth')],
    testTimeout: 120_000,
    pool: 'forks',
  },
});
