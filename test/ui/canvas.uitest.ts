import type { FrameLocator } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { type ComfyPageServer, comfyPageServer } from '../support/comfyPage/comfyPageServer';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const soon = { timeout: 30_000 };
const fox = JSON.stringify(
  {
    nodes: [
      {
        id: 3,
        type: 'KSampler',
        pos: [300, 60],
        size: [200, 100],
        widgets_values: ['seed', 'euler'],
      },
      { id: 5, type: 'Note', pos: [40, 60], size: [200, 100], widgets_values: ['a fox'] },
    ],
    links: [],
    own: { kept: 1.0 },
    version: 0.4,
  },
  null,
  3,
).replace('"seed"', '18446744073709551615');

let server: ComfyPageServer | undefined;
afterAll(() => server?.close());

async function withServer(workbench: Workbench): Promise<ComfyPageServer> {
  server ??= await comfyPageServer();
  await workbench.opensOn('Home', server.url);
  return server;
}

/** The ComfyUI page of the editor that is in sight, once it has the file. */
async function comfyPage(workbench: Workbench): Promise<FrameLocator> {
  const frames = workbench.page.locator('iframe.webview.ready').filter({ visible: true });
  const page = frames.first().contentFrame().frameLocator('#active-frame').frameLocator('iframe');
  await page.locator('section').first().waitFor();
  return page;
}

async function openCanvas(workbench: Workbench, file: string, text = fox): Promise<FrameLocator> {
  workbench.write(file, text);
  await workbench.openFile(file);
  await workbench.editorAction('Edit in ComfyUI').click();
  const page = await comfyPage(workbench);
  await page.locator('nav', { hasText: `>${file}` }).waitFor();
  await workbench.page.waitForTimeout(400);
  return page;
}

async function drag(
  workbench: Workbench,
  page: FrameLocator,
  node: number,
  by: readonly [number, number],
): Promise<void> {
  const box = await page.locator(`[data-id="${node}"] h1`).boundingBox();
  if (!box) throw new Error(`Node ${node} is not in sight.`);
  const { mouse } = workbench.page;
  await mouse.move(box.x + 20, box.y + 8);
  await mouse.down();
  await mouse.move(box.x + 20 + by[0], box.y + 8 + by[1], { steps: 3 });
  await mouse.up();
}

describe('a workflow file in the ComfyUI page', () => {
  test.override({ settings: { 'files.autoSave': 'off' }, ownPorts: true, opensLater: true });

  test('takes the smallest edits, and saves from either side', async ({ workbench }) => {
    await withServer(workbench);
    const page = await openCanvas(workbench, 'fox.json');
    const dirty = workbench.page.locator('.tab.active.dirty', { hasText: 'fox.json' });
    expect(await page.locator('nav').textContent()).toBe('>fox.json');
    expect(await dirty.count()).toBe(0);
    await drag(workbench, page, 5, [10, 20]);
    await dirty.waitFor();
    await page.locator('nav', { hasText: 'fox.json*' }).waitFor();
    await workbench.picture('canvas');
    await page.locator('body').press('Control+s');
    await dirty.waitFor({ state: 'detached' });
    const moved = fox.replace(/40,\s+60/, (text) => text.replace('40', '50').replace('60', '80'));
    expect(workbench.read('fox.json')).toBe(moved);
    expect(await page.locator('nav').textContent()).toBe('>fox.json');

    // Typed without a click elsewhere, saved by VS Code.
    await page.getByLabel('5.0').fill('a red fox');
    await workbench.command('File: Save');
    await expect.poll(() => workbench.read('fox.json'), soon).toBe(moved.replace('a fox', 'a red fox'));
  });
});
