import path from 'node:path';
import { describe } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox';
import { makePngSmaller } from '../support/smallerPng';
import { test } from '../support/uiTest';
import type { themes } from '../support/workbench';

/** What README.md shows; `npm run pictures` takes them anew. Each is to be looked at before it is kept. */
const folder = 'media/readme';

describe('pictures of the workbench', () => {
  test.override({
    settings: {
      'comfyDeck.notifyWhenDone': 'never',
      'editor.minimap.enabled': false,
      'breadcrumbs.enabled': false,
      'editor.guides.indentation': false,
      'window.commandCenter': false,
      'workbench.layoutControl.enabled': false,
    },
  });

  test('while jobs run, and when they have ended, in each theme', async ({ workbench }) => {
    const server = await startSandbox({ dialect: 'local', timing: 'human' });
    const keep = async (name: string): Promise<void> => {
      const file = path.join(folder, `${name}.png`);
      await workbench.screenshot(file);
      makePngSmaller(file, 8);
    };
    try {
      await workbench.changeSettings({ 'comfyDeck.servers': [{ name: 'My ComfyUI', url: server.url }] });
      await workbench.command('Comfy Deck: Select Server');
      await workbench.choice('My ComfyUI').click();
      await workbench.statusItem('My ComfyUI').waitFor();
      await workbench.activity('Comfy Deck').click();
      await workbench.widenSideBar(410);

      await workbench.openFile('blend-batch.json');
      await workbench.editorAction('Run Workflow').click();
      await workbench.treeRow('blend-batch.json, completed').waitFor();
      const text = workbench.read('text-to-image.json');
      workbench.write('text-to-image.json', text.replace('"steps": 20', '"steps": 90'));
      await workbench.openFile('text-to-image.json');
      await workbench.editorAction('Run Workflow').click();
      const running = workbench.treeRow('text-to-image.json, running');
      await running.locator('.monaco-tl-twistie').click();
      await running.filter({ hasText: /step [67]\d/ }).waitFor();
      await keep('running');

      await workbench.treeRow('text-to-image.json, completed').waitFor();
      await workbench.webview().locator('img.picture').first().waitFor();
      for (const theme of ['light', 'dark', 'highContrast'] satisfies (keyof typeof themes)[]) {
        await workbench.useTheme(theme);
        await keep(theme);
      }
    } finally {
      await server.close();
    }
  });
});
