import { defineConfig } from 'vitest/config';
import { PartReporter } from '../support/partReporter';
import { retriesInVsCode } from '../support/partResult';
import { fileBytes } from '../support/fileBytes';

/** The first takes as long as all others; the others change rarely, or are about what host tests hold. */
const nightly = `kills walkthrough chinese windows previewSizes registry reload language compareGraph`.split(
  ' ',
);

export default defineConfig({
  plugins: [fileBytes],
  test: {
    include: [
      process.env.COMFY_DECK_PICTURES === undefined ? 'test/ui/*.uitest.ts' : 'test/ui/*.pictures.ts',
    ],
    // They run when they are asked for by name.
    exclude: nightly
      .filter((name) => process.env.COMFY_DECK_NIGHTLY === undefined && !process.argv.includes(name))
      .map((name) => `test/ui/${name}.uitest.ts`),
    reporters: [new PartReporter('ui', { tells: false })],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    retry: retriesInVsCode,
    pool: 'forks',
    // Files share a VS Code and a browser (test/support/uiTest.ts).
    isolate: false,
    // A test mostly waits for one process at a time. The pictures of README.md are taken without others beside them.
    maxWorkers: process.env.COMFY_DECK_PICTURES === undefined ? 2 : 1,
  },
});
