import type { FrameLocator } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import type { Workbench } from './workbench';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A narrow window, a low one, and a normal one at 200 % zoom. */
export const windows: readonly Size[] = [
  { width: 900, height: 900 },
  { width: 1400, height: 560 },
  { width: 700, height: 450 },
];

const started: Sandbox[] = [];

/** For `afterEach`. */
export async function closeServers(): Promise<void> {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
}

/** Starts a server without delays and opens a window on it: for tests that open theirs later. */
export async function onLocalServer(workbench: Workbench): Promise<Sandbox> {
  const server = await startSandbox({ dialect: 'local', timing: 'fast' });
  started.push(server);
  await workbench.opensOn('My ComfyUI', server.url, { 'comfyDeck.notifyWhenDone': 'never' });
  return server;
}

/** Opens a file and presses its run button. */
export async function run(workbench: Workbench, file: string): Promise<void> {
  await workbench.openFile(file);
  // Until its editor has it, the button above runs the file that was there before.
  const editor = workbench.page.locator(`.monaco-editor[data-uri$="/${file}"]`);
  await editor.locator('.codelens-decoration').first().waitFor();
  await workbench.editorAction('Run Workflow').click();
}

/** Buttons that are only visible after scrolling the panel. */
export function buttonsOutOfSight(panel: FrameLocator): Promise<string[]> {
  return panel.locator('.output button').evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const { left, top, right, bottom } = button.getBoundingClientRect();
        return left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight;
      })
      .map((button) => button.ariaLabel ?? ''),
  );
}
