// Every part of the tests and one closing line: node test/support/runTs.mjs test/support/testAll.ts
// On the oldest VS Code that is promised, without the unit tests: … --oldest UI-FILE...
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runHostTests } from './hostTests';
import { countsFile } from './partReporter';
import { closingLine, describePart, isGood, remark, runPart, type PartResult } from './partResult';
import { runToEnd, runVitest } from './processGroup';
import { runUiTests } from './uiTests';
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

/** One after the other: side by side, each VS Code is so slow on two cores that nothing is gained. */
async function inVsCode(version: VsCodeVersion, uiArgs: readonly string[]): Promise<readonly PartResult[]> {
  return [await run('host', () => runHostTests(version)), await run('ui', () => runUiTests(version, uiArgs))];
}

const { values, positionals } = parseArgs({
  options: { oldest: { type: 'boolean' } },
  allowPositionals: true,
});
let parts: readonly PartResult[];
if (values.oldest === true) {
  parts = await inVsCode(oldest, positionals);
} else if ((await runToEnd(process.execPath, ['esbuild.mjs'])) !== 0) {
  parts = [{ part: 'build', passed: 0, failed: 1, skipped: 0 }];
} else {
  parts = [await run('unit', runUnitTests), ...(await inVsCode(newest, []))];
}

console.log('');
for (const each of parts.flatMap(({ remarks = [] }) => remarks)) console.log(each);
for (const part of parts) console.log(describePart(part));
console.log(closingLine(parts));
process.exit(parts.every(isGood) ? 0 : 1);
