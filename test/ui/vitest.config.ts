import { defineConfig } from 'vitest/config';
import { PartReporter } from '../support/partReporter';
import { retriesInVsCode } from '../support/partResult';
import { fileBytes } from '../support/fileBytes';

export default defineConfig({
  plugins: [fileBytes],
  test: {
    include: [
      process.env.COMFY_DECK_PICTURES === undefined ? 'test/ui/*.uitest.ts' : 'test/ui/*.pictures.ts',
    ],
    // The nightly run asks for it by name: it takes as long as all others.
    exclude: process.argv.includes('kills') ? [] : ['test/ui/kills.uitest.ts'],
    reporters: [new PartReporter('ui', { tells: false })],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    retry: retriesInVsCode,
    pool: 'forks',
    // A test mostly waits for one process at a time. The pictures of README.md are taken without others beside them.
    maxWorkers: process.env.COMFY_DECK_PICTURES === undefined ? 2 : 1,
  },
});
