import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { outputFolderQuestion, savesOutputsHere } from '../support/outputsHere';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

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

describe('a window with two folders', () => {
  test.override({ opens: 'two folders' });

  test('checks the files of each, and keeps outputs in the folder of the file', async ({ workbench }) => {
    workbench.write('../more/second.json', JSON.stringify(small, null, 2));
    await workbench.selectServer('Sandbox');
    await workbench.openFile('second.json');
    await isChecked(workbench);
    await workbench.editorAction('Run Workflow').click();
    await workbench.fileAppears('../more/outputs');
    await expect
      .poll(() => readdirSync(workbench.path('../more/outputs')).filter((name) => name.endsWith('.png')), {
        timeout: 20_000,
      })
      .toHaveLength(1);
    expect(workbench.has('outputs')).toBe(false);
  });
});

describe('a window without a folder', () => {
  test.override({ opens: { loneFile: 'text-to-image.json' } });

  test('checks its file, and asks where to save outputs', async ({ workbench }) => {
    await workbench.tab('text-to-image.json').waitFor();
    await workbench.selectServer('Sandbox');
    await workbench.page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
    await workbench.tab('text-to-image.json').click();
    await workbench.editorAction('Run Workflow').click();
    await outputFolderQuestion(workbench);
    await workbench.picture('window-empty');
    await savesOutputsHere(workbench);
  });
});

describe('a window in Restricted Mode', () => {
  test.override({ restricted: true });

  test('checks and explains files, runs nothing, and says what to do', async ({ workbench }) => {
    workbench.write('small.json', JSON.stringify(small, null, 2));
    await workbench.openFile('small.json');
    await workbench.selectServer('Sandbox');
    await isChecked(workbench);
    await workbench.command('View: Focus Active Editor Group');
    const lens = workbench.page.locator('.codelens-decoration', { hasText: 'Trust this workspace to run' });
    await lens.waitFor();
    await workbench.activity('Comfy Deck').click();
    await workbench.page
      .locator('.sidebar', { hasText: 'Workflows run only in trusted workspaces' })
      .waitFor();
    await workbench.picture('window-restricted');
    await expect(workbench.editorAction('Run Workflow').count()).resolves.toBe(0);
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.fill('>Comfy Deck: Run Workflow');
    await workbench.choice('No matching commands').or(workbench.choice('similar commands')).first().waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.editorAction('Show Graph').click();
    await workbench.webview().locator('[data-node]').first().waitFor();
    await workbench.picture('window-restricted-graph');
    await workbench.command('View: Focus First Editor Group');
    await lens.getByRole('button', { name: 'Trust this workspace' }).click();
    await workbench.page.locator('.workspace-trust-editor').waitFor();
    expect(workbench.has('outputs')).toBe(false);
  });
});
