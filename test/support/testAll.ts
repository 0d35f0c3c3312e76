// Every part of the tests and one closing line: node test/support/runTs.mjs test/support/testAll.ts
// On the oldest supported VS Code, without the unit tests: … --oldest UI-FILE...
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runHostTests } from './hostTests';
import { countsFile } from './partReporter';
import { closingLine, describePart, isGood, runPart, type PartResult } from './partResult';
import { runToEnd, runVitest } from './processGroup';
import { runUiTests } from './uiTests';
import { newest, oldest, type VsCodeVersion } from './vsCodeVersions';

async function runUnitTests(): Promise<PartResult> {
  rmSync(countsFile('unit'), { force: true });
  await runVitest([]);
  return JSON.parse(readFileSync(countsFile('unit'), 'utf8')) as PartResult;
}

/** A runner that crashes is one failed test of its part, so that the other parts still run and are counted. */
async function run(part: string, tests: () => Promise<PartResult>): Promise<PartResult> {
  console.log(`\n${part}`);
  try {
    return await runPart(part, tests);
  } catch (error) {
    console.log(
      `  ✗ The ${part} tests broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return { part, passed: 0, failed: 1, skipped: 0 };
  }
}

/** The parts that need a VS Code run in parallel: each mostly waits for its own windows. */
async function runInVsCode(
  version: VsCodeVersion,
  uiArgs: readonly string[],
): Promise<readonly PartResult[]> {
  // The workbench tests start first: they package before they first wait, and the host tests then load that build.
  const ui = run('ui', () => runUiTests(version, uiArgs));
  return [await run('host', () => runHostTests(version)), await ui];
}

const { values, positionals } = parseArgs({
  options: { oldest: { type: 'boolean' } },
  allowPositionals: true,
});
let parts: readonly PartResult[];
if (values.oldest === true) {
  parts = await runInVsCode(oldest, positionals);
} else if ((await runToEnd(process.execPath, ['esbuild.mjs'])) !== 0) {
  parts = [{ part: 'build', passed: 0, failed: 1, skipped: 0 }];
} else {
  parts = [await run('unit', runUnitTests), ...(await runInVsCode(newest, []))];
}

console.log('');
for (const part of parts) console.log(describePart(part));
console.log(closingLine(parts));
process.exit(parts.every(isGood) ? 0 : 1);
