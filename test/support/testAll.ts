// Every part of the tests and one closing line: node test/support/runTs.mjs test/support/testAll.ts
// On the oldest VS Code that is promised, what may differ there: … --oldest
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runHostTests } from './hostTests';
import { countsFile } from './partReporter';
import { closingLine, describePart, isGood, remark, runPart, type PartResult } from './partResult';
import { runToEnd, runVitest } from './processGroup';
import { packageTestVsix, runUiTests } from './uiTests';
import { newest, oldest, type VsCodeVersion } from './vsCodeVersions';

async function runUnitTests(): Promise<PartResult> {
  rmSync(countsFile('unit'), { force: true });
  await runVitest([]);
  return JSON.parse(readFileSync(countsFile('unit'), 'utf8')) as PartResult;
}

/** A runner that breaks is one failed test of its part, so that the other parts still run and are counted. */
async function run(part: string, tests: () => Promise<PartResult>): Promise<PartResult> {
  console.log(`\n${part}`);
  try {
    return await runPart(part, tests);
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const remarks = [remark('failed', `the ${part} tests as a whole`, stack)];
    return { part, passed: 0, failed: 1, skipped: 0, remarks };
  }
}

/** What depends on VS Code. The other tests are about servers and files; they pass or fail alike in each version. */
const onOldest = {
  host: /^(activation|batchForm|batchLens|consent|gallery|jobs|language|music|outputs|previewGroup|quickFixes|run|servers|shown|tasks)/,
  ui: ['language', 'run.uitest', 'preview.uitest', 'walkthrough'],
};

function runHost(version: VsCodeVersion, suites?: RegExp): Promise<PartResult> {
  return run('host', () => runHostTests(version, { suites }));
}

function runUi(version: VsCodeVersion, files?: readonly string[]): Promise<PartResult> {
  return run('ui', () => runUiTests(version, vsix, files));
}

const { values } = parseArgs({ options: { oldest: { type: 'boolean' } } });
// Its build for production ends before any test starts the files of dist.
const vsix = packageTestVsix();
let parts: readonly PartResult[];
if (values.oldest === true) {
  parts = [await runHost(oldest, onOldest.host), await runUi(oldest, onOldest.ui)];
} else if ((await runToEnd(process.execPath, ['esbuild.mjs'])) !== 0) {
  parts = [{ part: 'build', passed: 0, failed: 1, skipped: 0 }];
} else {
  // Both mostly wait, for sandboxes and for a window.
  const first = await Promise.all([run('unit', runUnitTests), runHost(newest)]);
  parts = [...first, await runUi(newest)];
}

console.log('');
for (const each of parts.flatMap(({ remarks = [] }) => remarks)) console.log(each);
for (const part of parts) console.log(describePart(part));
console.log(closingLine(parts));
process.exit(parts.every(isGood) ? 0 : 1);
