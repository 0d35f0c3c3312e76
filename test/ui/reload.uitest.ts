import { describe, expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

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
  test.override({
    opensLater: true,
    settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' },
  });

  test('shows what was open as it was, and follows what runs', async ({ workbench }) => {
    const server = await startSandbox({ dialect: 'local', timing: 'human' });
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
    // A row that changes while it is clicked is selected, and opens nothing.
    await workbench.treeRow('Batch colors.json, 2 of 2 saved').first().click();
    const saved = 'Completed, 2 of 2 saved';
    const tab = (text: string | RegExp) =>
      workbench.page.locator('.editor-group-container .tab', { hasText: text });
    const pictures = async (text: string, selector: string, count: number): Promise<void> => {
      const page = await workbench.webviewWith(text);
      await expect.poll(() => page.locator(selector).count(), { timeout: 20_000 }).toBe(count);
    };
    /** Some webview, whichever it is, shows the graph. */
    const isDrawn = (): Promise<void> =>
      expect
        .poll(
          async () => {
            const count = await workbench.page.locator('iframe.webview.ready').count();
            const nodes = Array.from({ length: count }, (_, nth) =>
              workbench.webview(nth).locator('[data-node="5"]').count(),
            );
            return (await Promise.all(nodes)).some((found) => found > 0);
          },
          { timeout: 20_000 },
        )
        .toBe(true);
    await pictures(saved, '.cell img', 2);
    await workbench.command('Comfy Deck: Open Gallery');
    await pictures('3 outputs', '.tile canvas', 3);
    await workbench.treeRow(single).first().click();
    await workbench.tab('.run.json').waitFor();
    await workbench.webviewWith('Created by');
    workbench.write('drawn.json', JSON.stringify(smallPrompt(5)));
    await workbench.openFile('drawn.json');
    await workbench.editorAction('Show Graph').click();
    await isDrawn();
    await workbench.treeRow(single).first().click();
    await workbench.webviewWith('Created by');
    const tabs = await tab('').allInnerTexts();
    const [rows, menu] = [await rowsOf(workbench), await menuOf(workbench, single)];
    expect(menu).toEqual(expect.arrayContaining(['Open Outputs', 'Reveal Outputs', 'Show Run']));

    await workbench.reloadWindow();
    await workbench.treeRow(single).first().waitFor();
    await workbench.webviewWith('Created by');
    expect(await tab('').allInnerTexts()).toEqual(tabs);
    // The list of the server arrives before or after what the window has stored.
    await expect.poll(() => rowsOf(workbench), { timeout: 20_000 }).toEqual(rows);
    // VS Code learns a moment later that the workspace is trusted.
    await expect.poll(() => menuOf(workbench, single), { timeout: 20_000 }).toEqual(menu);
    await tab('Gallery').click();
    await pictures('3 outputs', '.tile canvas', 3);
    await tab(/colors\.json, /).click();
    await pictures(saved, '.cell img', 2);
    await isDrawn();

    // What runs is followed again. What a window knows is written every two seconds.
    workbench.write('long.json', JSON.stringify(smallPrompt(7, 400)));
    await workbench.openFile('long.json');
    await workbench.editorAction('Run Workflow').click();
    const running = workbench.treeRow('long.json, running').filter({ hasText: /step \d/ });
    const step = async (): Promise<number> =>
      Number(/step (\d+)/.exec((await running.textContent({ timeout: 1_000 })) ?? '')?.[1]);
    await running.waitFor({ timeout: 20_000 });
    await expect.poll(step, { timeout: 20_000 }).toBeGreaterThan(15);
    await workbench.reloadWindow();
    await running.waitFor({ timeout: 60_000 });
    const before = await step();
    await expect.poll(step, { timeout: 10_000, interval: 100 }).toBeGreaterThan(before);
  });
});
