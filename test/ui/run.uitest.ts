import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { nightlyTest, test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const workflow = 'text-to-image.json';

/** Opens the sample and presses Run in the editor's title, as a user would. */
async function run(workbench: Workbench): Promise<void> {
  await workbench.activity('Comfy Deck').click();
  await workbench.openFile(workflow);
  await workbench.editorAction('Run Workflow').click();
}

async function seesPreviewFrame(workbench: Workbench): Promise<void> {
  const canvas = workbench.webview().locator('canvas[data-frames]');
  await canvas.waitFor();
  const painted = await canvas.evaluate((element) => {
    const drawn = element as HTMLCanvasElement;
    const pixels = drawn.getContext('2d')?.getImageData(0, 0, drawn.width, drawn.height).data ?? [];
    return new Set(pixels).size;
  });
  expect(painted, 'different values among the pixels of the painted frame').toBeGreaterThan(16);
}

/** Waits for the finished row and the saved picture, in the panel and in the folder; returns the picture's name. */
async function seesOutputs(workbench: Workbench): Promise<string> {
  await workbench.treeRow('Finished').waitFor();
  await workbench
    .treeRow(`${workflow}, completed`)
    .or(workbench.treeRow(`${workflow}, Completed`))
    .waitFor();
  const picture = workbench.webview().locator('img.picture');
  await picture.waitFor();
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await workbench.fileAppears('outputs');
  const made = readdirSync(workbench.path('outputs')).filter((name) => name.endsWith('.png'));
  expect(made).toHaveLength(1);
  return made[0] ?? '';
}

describe('a workflow run in the workbench', () => {
  test('on the sandbox: shows previews while it runs, then the picture in panel, tree and Explorer', async ({
    workbench,
  }) => {
    // Long enough for its previews to be seen, however slow the window is.
    workbench.write(workflow, workbench.read(workflow).replace('"steps": 20', '"steps": 100'));
    await workbench.selectServer('Sandbox');
    await run(workbench);
    await workbench.treeRow('Running').waitFor();
    await workbench.treeRow(`${workflow}, `).first().waitFor();
    await seesPreviewFrame(workbench);
    await workbench.picture('running');
    const name = await seesOutputs(workbench);

    await workbench.activity('Explorer').click();
    await workbench.command('Explorer: Focus on Folders View');
    await workbench.treeRow('outputs').click();
    await workbench.page.locator('.explorer-folders-view', { hasText: name }).waitFor();
  });

  nightlyTest(
    'with a loop: says which iteration it is in, and goes on showing previews',
    async ({ workbench }) => {
      await workbench.selectServer('Sandbox');
      await workbench.activity('Comfy Deck').click();
      const three = workbench.read('loop.json');
      workbench.write('loop.json', three.replace('"mode.max_iteration": 103', '"mode.max_iteration": 106'));
      await workbench.openFile('loop.json');
      await workbench.editorAction('Run Workflow').click();
      await workbench.treeRow('loop.json, running').locator('.monaco-tl-twistie').click();
      const loop = workbench.page.locator('.sidebar .monaco-list-row', { hasText: 'Start Loop' });
      await loop.filter({ hasText: /Iteration [2-6] of 6/ }).waitFor();
      await workbench
        .webview()
        .getByText(/Start Loop: Iteration \d of 6/)
        .waitFor();
      await workbench.webview().locator('canvas[data-frames]').waitFor();
      await workbench.picture('loop-running');
      await workbench.treeRow('loop.json, completed').or(workbench.treeRow('loop.json, Completed')).waitFor();
      await workbench.webview().locator('img.picture').first().waitFor();
      await workbench.picturesInThemes('loop-finished');
      for (const part of [workbench.page.locator('.sidebar'), workbench.webview().locator('body')]) {
        expect(await part.innerText()).not.toMatch(/\biteration_|progress_\d/);
      }
    },
  );
});
