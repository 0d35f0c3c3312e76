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
    reporters: [new PartReporter('ui', { tells: false })],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    retry: retriesInVsCode,
    pool: 'forks',
    // One VS Code at a time: each is fourteen processes, and the pictures must not depend on others.
    fileParallelism: false,
  },
});
