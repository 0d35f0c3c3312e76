import { describe, expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

/** Pictures are stored here for review. */
const pictures = 'out/ui-pictures';

const first = 'apart.json, completed';

/** What the menu of a row offers. */
async function menuOf(workbench: Workbench, label: string): Promise<readonly string[]> {
  const menu = workbench.page.locator('.monaco-menu');
  await workbench.treeRow(label).first().click({ button: 'right' });
  await menu.locator('.action-label').first().waitFor();
  const items = await menu.locator('.action-label:not(.separator)').allInnerTexts();
  await workbench.page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  return items;
}

/** All rows of the view, as a screen reader says them. */
function rowsOf(workbench: Workbench): Promise<readonly (string | null)[]> {
  return workbench.page
    .locator('.sidebar .monaco-list-row')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
}

describe('a reloaded window', () => {
  test.override({ settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' } });

  test('shows the finished jobs as they were', async ({ workbench }) => {
    const server = await startSandbox({ dialect: 'local' });
    onTestFinished(() => server.close());
    await workbench.changeSettings({ 'comfyDeck.servers': [{ name: 'My ComfyUI', url: server.url }] });
    await workbench.selectServer('My ComfyUI');
    await workbench.activity('Comfy Deck').click();
    for (const [index, seed] of [3, 4].entries()) {
      workbench.write('apart.json', JSON.stringify(smallPrompt(seed, 4)));
      await workbench.openFile('apart.json');
      await workbench.editorAction('Run Workflow').click();
      await expect.poll(() => workbench.treeRow(first).count(), { timeout: 40_000 }).toBe(index + 1);
      const label = () => workbench.treeRow(first).first().getAttribute('aria-label');
      await expect.poll(label, { timeout: 40_000 }).toMatch(/ 1 output, \d+:/);
    }
    const menu = await menuOf(workbench, first);
    expect(menu).toEqual(expect.arrayContaining(['Open Outputs', 'Reveal Outputs', 'Show Run']));
    const rows = await rowsOf(workbench);
    // The list of the server arrives before or after what the window has stored.
    for (const time of ['first', 'second']) {
      await workbench.reloadWindow();
      await workbench.treeRow(first).first().waitFor();
      await expect.poll(() => rowsOf(workbench), { timeout: 20_000, message: time }).toEqual(rows);
      // VS Code learns a moment later that the workspace is trusted.
      await expect.poll(() => menuOf(workbench, first), { timeout: 20_000 }).toEqual(menu);
      expect(await rowsOf(workbench)).toEqual(rows);
    }
    await workbench.treeRow(first).first().click();
    await workbench.tab('.run.json').waitFor();
    await workbench.webviewWith('Created by');
    await workbench.untilDrawn();
    await workbench.screenshot(`${pictures}/reload-jobs.png`);
    expect(await rowsOf(workbench)).toEqual(rows);
  });

  test('shows what was open as it was', async ({ workbench }) => {
    const server = await startSandbox({ dialect: 'local' });
    onTestFinished(() => server.close());
    workbench.write('colors.json', JSON.stringify(smallPrompt(3, 4)));
    const batch = { format: 1, workflow: 'colors.json', set: { '5.steps': [2, 3] } };
    workbench.write('colors.batch.json', JSON.stringify(batch));
    await workbench.opensOn('My ComfyUI', server.url);
    await workbench.activity('Comfy Deck').click();
    await workbench.openFile('colors.json');
    await workbench.editorAction('Run Workflow').click();
    const single = 'colors.json, completed';
    const label = () => workbench.treeRow(single).first().getAttribute('aria-label');
    await expect.poll(label, { timeout: 40_000 }).toMatch(/ 1 output, /);
    await workbench.openFile('colors.batch.json');
    const lens = workbench.page.locator('.codelens-decoration a', { hasText: 'Run Batch' }).first();
    await lens.click();
    await workbench.treeRow('Batch colors.json').first().click();
    const saved = 'Completed, 2 of 2 runs saved';
    const tab = (text: string | RegExp) =>
      workbench.page.locator('.editor-group-container .tab', { hasText: text });
    const pictures = async (text: string, selector: string, count: number): Promise<void> => {
      const page = await workbench.webviewWith(text);
      await expect.poll(() => page.locator(selector).count(), { timeout: 20_000 }).toBe(count);
    };
    await pictures(saved, '.cell img', 2);
    await workbench.command('Comfy Deck: Open Gallery');
    await pictures('3 outputs', '.tile canvas', 3);
    await workbench.treeRow(single).first().click();
    await workbench.tab('.run.json').waitFor();
    await workbench.webviewWith('Created by');
    const tabs = await tab('').allInnerTexts();

    await workbench.reloadWindow();
    await workbench.treeRow(single).first().waitFor();
    await workbench.webviewWith('Created by');
    expect(await tab('').allInnerTexts()).toEqual(tabs);
    await tab('Gallery').click();
    await pictures('3 outputs', '.tile canvas', 3);
    await tab(/colors\.json, /).click();
    await pictures(saved, '.cell img', 2);
    expect(await menuOf(workbench, single)).toEqual(
      expect.arrayContaining(['Open Outputs', 'Reveal Outputs', 'Show Run']),
    );
  });
});
