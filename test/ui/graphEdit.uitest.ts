import { describe, expect } from 'vitest';
import { axeFindings } from '../support/accessibility';
import { test } from '../support/uiTest';
import { themes } from '../support/workbench';

describe('a workflow changed in its graph', () => {
  test.override({ shared: true });

  test('has the quick fixes of its problems at their nodes, also without an editor', async ({
    workbench,
  }) => {
    await workbench.selectServer('Sandbox');
    const file = 'mistyped.json';
    const whole = workbench.read('text-to-image.json');
    workbench.write(file, whole.replace('"euler"', '"eulre"'));
    await workbench.openFile(file);
    await workbench.editorAction('Show Graph').click();
    const page = workbench.webview();
    await page.locator('[data-node="3"]').waitFor();
    // Neither does the graph need the editor.
    const tab = workbench.page.getByRole('tab', { name: file, exact: true });
    await tab.click();
    await workbench.command('View: Close Editor');
    await tab.waitFor({ state: 'detached' });
    await page.locator('[data-node="3"] .finding').click();
    const box = page.getByRole('dialog', { name: 'Problems of KSampler' });
    await box.getByText('Error').waitFor();
    const fix = box.getByRole('button', { name: 'Change to "euler"' });
    await fix.waitFor();
    for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
      await workbench.useTheme(theme);
      await page.locator(`body[data-vscode-theme-name="${themes[theme].label}"]`).waitFor();
      // The choice of a theme takes the focus.
      if (!(await box.isVisible())) await page.locator('[data-node="3"] .finding').click();
      await fix.waitFor();
      await workbench.picture(`graph-problems-${theme}`);
      expect(await axeFindings(page), themes[theme].label).toEqual([]);
    }
    await fix.press('Escape');
    await box.waitFor({ state: 'detached' });

    // By keyboard from the node, where the focus is again.
    await page.locator('[data-node="3"]:focus').press('.');
    await fix.press('Enter');
    await page.locator('[data-node="3"] .finding').waitFor({ state: 'detached' });
    expect(await box.count()).toBe(0);

    // As after any quick fix, it can be undone in the editor.
    await page.locator('[data-node="3"]:focus').press('Enter');
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await workbench.page.locator('.view-line', { hasText: '"euler"' }).waitFor();
    await workbench.page.keyboard.press('Control+z');
    await workbench.page.locator('.view-line', { hasText: '"eulre"' }).waitFor();
    await page.locator('[data-node="3"] .finding').waitFor();
  });
});
