import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { Workbench } from './workbench';

/** A run in a window without a folder asks where to save its outputs. */
export async function outputFolderQuestion(workbench: Workbench): Promise<void> {
  await workbench.page.locator('.quick-input-widget', { hasText: 'Select an output folder' }).waitFor();
}

/** Answers with the folder that is offered, and waits for the picture in it. */
export async function savesOutputsHere(workbench: Workbench): Promise<void> {
  await workbench.page
    .locator('.quick-input-widget .monaco-button', { hasText: 'Save Outputs Here' })
    .click();
  await expect
    .poll(() => readdirSync(workbench.path()).filter((name) => name.endsWith('.png')), { timeout: 60_000 })
    .toHaveLength(1);
}
