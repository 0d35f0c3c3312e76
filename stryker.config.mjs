// Changes a sign or a condition at a time, and runs the unit tests that reach it: what none of them notices is untested.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/folderScores.mjs'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  // What is tested with other modules in the place of real ones can't be: the tests share theirs.
  mutate: [
    'src/core/{runLife,jobs,outputs,records,batch,check,workflow,diff}/**/*.ts',
    '!src/core/outputs/changeFile.ts',
  ],
  ignorers: ['sample'],
  // What a text says is for its readers to judge.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 4_000,
  tempDirName: 'out/mutation',
  ignorePatterns: ['/dist', '/out', '/.vscode-test', '/samples'],
  reporters: ['clear-text', 'json', 'progress-append-only', 'folder-scores'],
  jsonReporter: { fileName: 'out/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
};
