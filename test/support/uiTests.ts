import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findChromium } from './chromium';
import { installVsCode } from './installVsCode';
import { countsFile } from './partReporter';
import type { PartResult } from './partResult';
import { runVitest } from './processGroup';
import { Scratch } from './scratch';
import { packageVsix } from './vsix';
import { installVsix } from './vsCodeServer';
import type { UiEnvironment } from './uiTest';
import type { VsCodeVersion } from './vsCodeVersions';

/** Builds for production, into dist too, and returns the .vsix that runUiTests installs. */
export function packageTestVsix(): string {
  mkdirSync('out', { recursive: true });
  return packageVsix(path.resolve('out/comfy-deck-test.vsix')).file;
}

/**
 * Runs test/ui: the packaged .vsix in the workbench, driven in a browser.
 * @param args are passed to vitest unchanged: a file name, or `-t TITLE`.
 */
export async function runUiTests(
  version: VsCodeVersion,
  vsix: string,
  args: readonly string[] = [],
): Promise<PartResult> {
  const chromium = findChromium();
  const vsCode = installVsCode(version);
  const installation = new Scratch();
  const environment: UiEnvironment = {
    COMFY_DECK_UI_CHROMIUM: chromium,
    COMFY_DECK_UI_VSCODE: JSON.stringify(vsCode),
    COMFY_DECK_UI_EXTENSIONS: path.join(installation.home, 'extensions'),
  };
  try {
    installVsix(vsCode, installation, vsix, environment.COMFY_DECK_UI_EXTENSIONS);
    rmSync(countsFile('ui'), { force: true });
    await runVitest(['--config', 'test/ui/vitest.config.ts', ...args], { ...process.env, ...environment });
    return JSON.parse(readFileSync(countsFile('ui'), 'utf8')) as PartResult;
  } finally {
    installation.remove();
  }
}
