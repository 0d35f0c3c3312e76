import { describe, expect } from 'vitest';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';

describe('the preview of a run that was lost with its sandbox', () => {
  test.override({ settings: { 'comfyDeck.notifyWhenDone': 'never' } });

  test('says so in full at 290 px, without a bar of progress', async ({ workbench }) => {
    const usual = workbench.page.viewportSize() ?? { width: 1400, height: 900 };
    const file = 'a-lighthouse-with-a-rather-long-name-of-a-file.json';
    workbench.write(file, JSON.stringify(smallPrompt(3, 2_000)));
    await workbench.selectServer('Sandbox');
    await workbench.openFile(file);
    await workbench.editorAction('Run Workflow').click();
    await workbench.webview().locator('.bars').waitFor();
    await workbench.reloadWindow();
    const panel = workbench.webview();
    const state = panel.locator('.title-line .state-text');
    await expect
      .poll(() => state.textContent(), { timeout: 30_000 })
      .toBe('The sandbox stopped with its window or command');
    expect(await panel.locator('.bars').isVisible()).toBe(false);
    await workbench.page.keyboard.press('Control+B');
    const inner = (): Promise<number> => panel.locator('body').evaluate(() => window.innerWidth);
    await workbench.page.setViewportSize({ ...usual, width: usual.width - 2 * ((await inner()) - 290) });
    await expect.poll(inner).toBeLessThan(330);
    const cut = await panel.locator('.title-line > *, .actions > *, .note').evaluateAll((all) =>
      all
        .filter(
          (each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline',
        )
        .concat(all.filter((each) => each.getBoundingClientRect().right > window.innerWidth))
        .map((each) => each.textContent),
    );
    expect(cut).toEqual([]);
    await workbench.picture('preview-lost-290');
    await workbench.page.setViewportSize(usual);
  });
});
