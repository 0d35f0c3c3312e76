// `npm test`: every part, one after the other, and one closing line.
import { readFileSync, rmSync } from 'node:fs';
import { runHostTests } from './hostTests';
import { countsFile } from './partReporter';
import { closingLine, describePart, isGood, runPart, type PartResult } from './partResult';
import { runToEnd, runVitest } from './processGroup';
import { runUiTests } from './uiTests';
import { newest } from './vsCodeVersions';

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
    console.log(
      `  ✗ The ${part} tests broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return { part, passed: 0, failed: 1, skipped: 0 };
  }
}

if ((await runToEnd(process.execPath, ['esbuild.mjs'])) !== 0) {
  console.log(closingLine([{ part: 'build', passed: 0, failed: 1, skipped: 0 }]));
  process.exit(1);
}
const parts = [
  await run('unit', runUnitTests),
  await run('host', () => runHostTests(newest)),
  await run('ui', () => runUiTests(newest)),
];

console.log('');
for (const part of parts) console.log(describePart(part));
console.log(closingLine(parts));
process.exit(parts.every(isGood) ? 0 : 1);
