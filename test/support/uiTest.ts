import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { test as base } from 'vitest';
import { launchChromium } from './chromium';
import type { InstalledVsCode } from './installVsCode';
import { Scratch, type Settings } from './scratch';
import { startVsCodeServer } from './vsCodeServer';
import { Workbench } from './workbench';

/** What the runner tells the test files. */
export interface UiEnvironment extends Readonly<Record<string, string>> {
  readonly COMFY_DECK_UI_CHROMIUM: string;
  /** An {@link InstalledVsCode} as JSON. */
  readonly COMFY_DECK_UI_VSCODE: string;
  readonly COMFY_DECK_UI_EXTENSIONS: string;
}

interface Fixtures {
  /** User settings of this test, on top of those that keep VS Code quiet. Set with `test.override`. */
  settings: Settings;
  /** A workbench of its own for each test: new server, new user data, new browser profile, new copy of the samples. */
  workbench: Workbench;
}

/** `test('title', async ({ workbench }) => …)`: a test in the real workbench with the packaged extension installed. */
export const test = base.extend<Fixtures>({
  settings: {},
  workbench: async ({ settings, task }, use) => {
    const scratch = new Scratch();
    scratch.changeSettings(settings);
    const vsCode = JSON.parse(fromRunner('COMFY_DECK_UI_VSCODE')) as InstalledVsCode;
    const extensionsDir = fromRunner('COMFY_DECK_UI_EXTENSIONS');
    const server = await startVsCodeServer(vsCode, scratch, { extensionsDir });
    const browser = await launchChromium(fromRunner('COMFY_DECK_UI_CHROMIUM'));
    try {
      const context = await browser.newContext({
        viewport: { width: 1400, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const workbench = new Workbench(page, scratch, server.address(scratch.workspace));
      await workbench.open();
      await use(workbench);
      if (task.result?.state === 'fail') await keepEvidence(task.name, workbench, scratch);
    } finally {
      await browser.close();
      await server.group.end();
      scratch.remove();
    }
  },
});

function fromRunner(name: keyof UiEnvironment & string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start these tests with npm run test:ui.`);
  return value;
}

/** A failed test leaves a screenshot and VS Code's logs under out/ui-failures. */
async function keepEvidence(title: string, workbench: Workbench, scratch: Scratch): Promise<void> {
  const folder = path.resolve('out/ui-failures', title.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(scratch.userData, 'data/logs'), path.join(folder, 'logs'), { recursive: true });
  await workbench.screenshot(path.join(folder, 'screen.png'));
  process.stdout.write(`  kept: ${folder}\n`);
}
