import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CannotRun } from './partResult';
import type { Scratch } from './scratch';
import type { VsCodeVersion } from './vsCodeVersions';

/**
 * The executable of a desktop VS Code: the one in VSCODE_EXECUTABLE, else a download if there is a display and the
 * download works. Undefined: use the one from npm.
 */
export async function desktopVsCode(version: VsCodeVersion): Promise<string | undefined> {
  const named = process.env.VSCODE_EXECUTABLE;
  if (named !== undefined) {
    if (!existsSync(named)) {
      throw new CannotRun(`VSCODE_EXECUTABLE names ${named}, which is not there.`, 'Correct or unset it.');
    }
    if (!hasDisplay()) {
      throw new CannotRun('A desktop VS Code needs a display.', 'xvfb-run -a npm run test:host');
    }
    return named;
  }
  if (!hasDisplay()) return undefined;
  try {
    return await downloadAndUnzipVSCode({
      version: version.desktop,
      cachePath: path.resolve('.vscode-test'),
      timeout: 15_000,
    });
  } catch (error) {
    console.log(`  A desktop VS Code cannot be downloaded (${String(error)}); the one from npm is used.`);
    return undefined;
  }
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || process.env.DISPLAY !== undefined;
}

export async function runInDesktop(
  vscodeExecutablePath: string,
  entry: string,
  scratch: Scratch,
  env: Readonly<Record<string, string>>,
  limit: AbortSignal,
): Promise<string> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const ended = runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: process.cwd(),
    extensionTestsPath: entry,
    extensionTestsEnv: env,
    launchArgs: [
      scratch.workspace,
      '--disable-extensions',
      '--disable-gpu',
      '--disable-workspace-trust',
      `--user-data-dir=${path.join(scratch.userData, 'desktop')}`,
      ...asRoot,
    ],
  }).then(
    (code) => `VS Code said ${code}`,
    (error: unknown) => String(error),
  );
  const tooLong = new Promise<string>((resolve) => {
    limit.addEventListener('abort', () => resolve('nothing was heard for too long'));
  });
  return Promise.race([ended, tooLong]);
}
