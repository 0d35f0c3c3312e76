import { afterEach, describe, expect } from 'vitest';
import { closeServers, onLocalServer } from '../support/previewPane';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

afterEach(closeServers);

/** In the browser, VS Code saves automatically unless the setting is off. */
const byHand = { 'files.autoSave': 'off' };

const small = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  '2': { class_type: 'SaveImage', inputs: { filename_prefix: 'small', images: ['1', 0] } },
};

/** Types a space at the end of the open file and saves it manually. */
async function save(workbench: Workbench, name: string): Promise<void> {
  const tab = workbench.page.locator(`.tab[data-resource-name="${name}"]`).first();
  await tab.click();
  await workbench.page.locator('.monaco-editor .view-line').first().click();
  await workbench.page.keyboard.press('Control+End');
  await workbench.page.keyboard.type(' ');
  await workbench.page.locator(`.tab.dirty[data-resource-name="${name}"]`).waitFor();
  await workbench.page.keyboard.press('Control+s');
  await workbench.page.locator(`.tab.dirty[data-resource-name="${name}"]`).waitFor({ state: 'detached' });
}

/** The screen reader label of the status bar item. */
function spoken(workbench: Workbench): Promise<string | null> {
  return workbench.statusItem('Run on save').locator('a').first().getAttribute('aria-label');
}

describe('run on save in Restricted Mode', () => {
  test.override({ opensLater: true, restricted: true, settings: { 'comfyDeck.runOnSave': true, ...byHand } });

  test('runs nothing and says why', async ({ workbench }) => {
    const server = await onLocalServer(workbench);
    workbench.write('small.json', JSON.stringify(small, null, 2));
    await workbench.openFile('small.json');
    await save(workbench, 'small.json');
    await workbench.statusItem('Run on save: not run').waitFor();
    expect(await spoken(workbench)).toContain('Workflows run only in trusted workspaces');
    expect(server.seen.count('POST', '/prompt')).toBe(0);
  });
});

describe('the status item of run on save', () => {
  test.override({ opensLater: true, settings: byHand });

  test('shows the result of the last save', async ({ workbench }) => {
    await onLocalServer(workbench);
    workbench.write('small.json', JSON.stringify(small, null, 2));
    await workbench.openFile('small.json');
    await workbench.command('Comfy Deck: Turn On Run on Save in This Workspace');
    const looks = async (name: string): Promise<void> => {
      await workbench.picturesInThemes(`save-${name}`);
      // After a click there, the pointer has to come back.
      await workbench.page.mouse.move(700, 300);
      await workbench.statusItem('Run on save').hover();
      await workbench.page.locator('.monaco-hover', { hasText: 'Run on save' }).waitFor();
      await workbench.picture(`save-${name}`);
    };
    await workbench.statusItem('Run on save').waitFor();
    await looks('on');
    await save(workbench, 'small.json');
    await workbench.fileAppears('outputs');
    await save(workbench, 'small.json');
    await workbench.statusItem('Run on save: no change').waitFor();
    const wrong = JSON.stringify(small, null, 2).replace('"width": 64', '"width": -5');
    workbench.write('wrong.json', wrong);
    await workbench.openFile('wrong.json');
    await save(workbench, 'wrong.json');
    await workbench.statusItem('Run on save: not run').waitFor();
    await looks('failed');
    await workbench.statusItem('Run on save: not run').click();
    await workbench.statusItem('Run on save').waitFor({ state: 'detached' });
  });
});
