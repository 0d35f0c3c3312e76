import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

/** Two spaces, links on one line: the usual format of such files. */
function fileText(content: unknown): string {
  return JSON.stringify(content, null, 2).replace(/\[\s+"(\d+)",\s+(\d+)\s+\]/g, '["$1", $2]');
}

/** Puts the cursor at a line and a column, both counted from 1. */
async function goTo(workbench: Workbench, line: number, column: number): Promise<void> {
  const { page } = workbench;
  for (;;) {
    await page.keyboard.press('Control+G');
    await workbench.quickInput.fill(`:${line}:${column}`);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: /line/i }).first().waitFor();
    await page.keyboard.press('Enter');
    if (await isThere(workbench.statusItem(`Ln ${line}, Col ${column}`))) return;
    await page.keyboard.press('Escape');
  }
}

async function isThere(locator: Locator): Promise<boolean> {
  return locator.waitFor({ timeout: 2_000 }).then(
    () => true,
    () => false,
  );
}

/** Line and column, both counted from 1, of a text in a file of the workspace; `into` counts from its start. */
function placeOf(text: string, sought: string, into = 0): [number, number] {
  const offset = text.indexOf(sought) + into;
  const before = text.slice(0, offset).split('\n');
  return [before.length, (before.at(-1)?.length ?? 0) + 1];
}

function suggestion(workbench: Workbench, text: string): Locator {
  return workbench.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: text }).first();
}

describe('a workflow file in the workbench', () => {
  test('completes a node type and a link', async ({ workbench }) => {
    const draft = {
      '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
      '2': { class_type: 'SaveIm', inputs: { filename_prefix: 'x', images: [] } },
    };
    const text = fileText(draft);
    workbench.write('draft.json', text);
    await workbench.selectServer('Sandbox');
    await workbench.openFile('draft.json');
    await goTo(workbench, ...placeOf(text, 'SaveIm"', 6));
    await workbench.command('Trigger Suggest');
    await suggestion(workbench, 'SaveImage').waitFor();
    await workbench.picture('language-completion');
    await suggestion(workbench, 'SaveImage').click();
    await workbench.page.locator('.view-line', { hasText: '"SaveImage"' }).waitFor();
    await goTo(workbench, ...placeOf(text, '"images": []', 11));
    await workbench.command('Trigger Suggest');
    const link = suggestion(workbench, 'Empty Image');
    await link.waitFor();
    await link.click();
    // This VS Code saves automatically, a moment after a change.
    await expect.poll(() => workbench.read('draft.json'), { timeout: 10_000 }).toContain('["1", 0]');
    const saved = JSON.parse(workbench.read('draft.json')) as typeof draft;
    expect(saved['2'].class_type).toBe('SaveImage');
    expect(saved['2'].inputs.images).toEqual(['1', 0]);
  });
});
