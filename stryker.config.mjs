// Changes a sign or a condition at a time, and runs the unit tests that reach it: what none of them notices is untested.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: ['src/core/runLife/**/*.ts'],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 20_000,
  tempDirName: 'out/mutation',
  ignorePatterns: ['/dist', '/out', '/.vscode-test', '/docs', '/samples'],
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: 'out/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
  thresholds: { high: 90, low: 80, break: 80 },
};
