import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { axeFindings } from '../support/accessibility';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const soon = { timeout: 30_000 };

/** A picture of one color, and an input that its node type does not have. */
const small = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0, colour: 1 } },
  '2': { class_type: 'SaveImage', inputs: { filename_prefix: 'small', images: ['1', 0] } },
};

/** A finding that only node definitions allow. */
async function isChecked(workbench: Workbench): Promise<void> {
  const rows = await workbench.problems();
  await rows.filter({ hasText: 'has no input colour' }).first().waitFor();
}

/** A run that was recorded somewhere, by a workflow file that may be gone. */
function recordOf(label: string, more: object = {}): string {
  return JSON.stringify({
    format: 3,
    state: 'saved',
    server: 'http://127.0.0.1:9',
    serverKind: 'sandbox',
    label,
    sourceUri: label,
    promptText: JSON.stringify(smallPrompt()),
    seeds: { '5.seed': '1' },
    expected: [],
    files: [],
    texts: [],
    ...more,
  });
}

/** Runs an open record again with another seed. */
async function runWith(workbench: Workbench, seed: string): Promise<void> {
  const page = workbench.webview();
  await page.getByRole('button', { name: 'Run With…' }).click();
  await page.getByLabel(/, seed$/).fill(seed);
  await page.getByRole('button', { name: 'Run with These Values' }).click();
}

describe('a window with two folders', () => {
  test.override({ opens: 'two folders', settings: { 'comfyDeck.openPreviewOnRun': false } });

  test('checks the files of each, and keeps outputs in the folder of the file or record', async ({
    workbench,
  }) => {
    workbench.write('../more/second.json', JSON.stringify(small, null, 2));
    workbench.write('../more/moved.run.json', recordOf('second.json'));
    await workbench.selectServer('Sandbox');
    await workbench.openFile('second.json');
    await isChecked(workbench);
    await workbench.editorAction('Run Workflow').click();
    await workbench.fileAppears('../more/outputs');
    const saved = (ending: string): string[] =>
      readdirSync(workbench.path('../more/outputs')).filter((name) => name.endsWith(ending));
    await expect.poll(() => saved('.png'), soon).toHaveLength(1);

    await workbench.openFile('moved.run.json');
    await runWith(workbench, '18446744073709551613');
    await expect.poll(() => saved('.png'), soon).toHaveLength(2);
    const records = (): string =>
      saved('.run.json')
        .map((name) => workbench.read('../more/outputs', name))
        .join();
    await expect.poll(records, soon).toContain('"seed": 18446744073709551613');
    expect(records()).toContain('"sourceUri": "second.json"');
    expect(workbench.has('outputs')).toBe(false);
  });
});

describe('a window without a folder', () => {
  test.override({
    opens: { loneFile: 'text-to-image.json' },
    settings: { 'comfyDeck.openPreviewOnRun': false },
  });

  test('checks its file, shows a record, and asks where to save outputs', async ({ workbench }) => {
    await workbench.tab('text-to-image.json').waitFor();
    await workbench.selectServer('Sandbox');
    await workbench.page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
    workbench.write('lone.run.json', recordOf('gone.json'));
    // Not the file of the window: VS Code may open that one before it knows the editors of extensions.
    await workbench.openFile(workbench.path('lone.run.json'));
    await workbench.webview().getByRole('heading', { name: 'gone.json' }).waitFor();
    await runWith(workbench, '5');
    await workbench.page.locator('.quick-input-widget', { hasText: 'Select an output folder' }).waitFor();
    await workbench.picture('window-empty');
    await workbench.page
      .locator('.quick-input-widget .monaco-button', { hasText: 'Save Outputs Here' })
      .click();
    const pictures = (): string[] => readdirSync(workbench.path()).filter((name) => name.endsWith('.png'));
    await expect.poll(pictures, soon).toHaveLength(1);
  });
});

describe('a window in Restricted Mode', () => {
  // In the browser, VS Code saves automatically unless the setting is off.
  test.override({ restricted: true, settings: { 'comfyDeck.runOnSave': true, 'files.autoSave': 'off' } });

  test('checks and explains files, shows records, runs nothing, and says what to do', async ({
    workbench,
  }) => {
    const { page } = workbench;
    workbench.write('small.json', JSON.stringify(small, null, 2));
    await workbench.openFile('small.json');
    await workbench.selectServer('Sandbox');
    await isChecked(workbench);
    await workbench.command('View: Focus Active Editor Group');
    const lens = page.locator('.codelens-decoration', { hasText: 'Trust this workspace to run' });
    await lens.waitFor();
    await workbench.activity('Comfy Deck').click();
    await page.locator('.sidebar', { hasText: 'Workflows run only in trusted workspaces' }).waitFor();
    await workbench.picture('window-restricted');
    await expect(workbench.editorAction('Run Workflow').count()).resolves.toBe(0);
    await page.keyboard.press('F1');
    await workbench.quickInput.fill('>Comfy Deck: Run Workflow');
    await workbench.choice('No matching commands').or(workbench.choice('similar commands')).first().waitFor();
    await page.keyboard.press('Escape');

    // A save says in the status bar why it does not run.
    await page.locator('.monaco-editor .view-line').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' ');
    await page.keyboard.press('Control+s');
    const status = workbench.statusItem('Run on Save: not run').locator('a').first();
    await expect
      .poll(() => status.getAttribute('aria-label'))
      .toContain('This works only in trusted workspaces');

    await workbench.editorAction('Show Graph').click();
    await workbench.webview().locator('[data-node]').first().waitFor();
    await workbench.picture('window-restricted-graph');

    const file = { name: 'gone.png', node: '3', area: 'output', original: 'a.png', sha256: 'ab', bytes: 5 };
    const failed = { state: 'failed', error: { message: 'Out of memory' }, expected: [file], files: [file] };
    workbench.write('theirs.run.json', recordOf('<b>theirs</b>.json', failed));
    await workbench.openFile('theirs.run.json');
    const record = await workbench.webviewWith('Out of memory');
    await record.getByRole('heading', { name: '<b>theirs</b>.json' }).waitFor();
    await record.getByText('Deleted or moved').waitFor();
    expect(await axeFindings(record)).toEqual([]);
    await record.getByRole('button', { name: 'Run Again' }).click();
    await workbench.notification('This works only in trusted workspaces.').waitFor();

    // Not the same file, which would open as a graph again.
    workbench.write('other.json', JSON.stringify(small, null, 2));
    await workbench.command('View: Close All Editors');
    await workbench.openFile('other.json');
    await lens.first().getByRole('button', { name: 'Trust this workspace' }).click();
    await page.locator('.workspace-trust-editor').waitFor();
    expect(workbench.has('outputs')).toBe(false);
  });
});
