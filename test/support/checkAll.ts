// What `npm run check` says, in two lanes: node test/support/runTs.mjs test/support/checkAll.ts
import { execFile } from 'node:child_process';

const lanes = [
  ['lint', 'unused', 'manifest'],
  ['types', 'format', 'citations', 'imports', 'names', 'l10n'],
];

/** Runs the checks of a lane one after the other, all of them, and tells which failed. */
async function runLane(names: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const name of names) {
    const began = performance.now();
    const { isGood, output } = await runCheck(name);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(`${isGood ? 'ok' : 'NOT OK'}: check:${name}, ${seconds} s`);
    if (isGood) continue;
    console.log(output);
    failed.push(name);
  }
  return failed;
}

function runCheck(name: string): Promise<{ readonly isGood: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    const command = ['--silent', 'run', `check:${name}`];
    // npm is a script on Windows, which only a shell starts.
    const options = { shell: process.platform === 'win32', maxBuffer: 2 ** 26 };
    execFile('npm', command, options, (error, stdout, stderr) =>
      resolve({ isGood: !error, output: `${stdout}${stderr}`.trim() }),
    );
  });
}

const failed = (await Promise.all(lanes.map(runLane))).flat();
if (failed.length > 0) console.log(`Failed: ${failed.map((name) => `check:${name}`).join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
