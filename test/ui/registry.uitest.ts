import { describe, expect } from 'vitest';
import type { Workbench } from '../support/workbench';
import { test } from '../support/uiTest';

const file = 'needs-packs.json';
const token = 'test-token';

/** Nodes that the sandbox does not have, and some that it has. */
const workflow = {
  '1': { class_type: 'LighthouseBeam', inputs: {} },
  '2': { class_type: 'Lighthouse Horn|loud', inputs: {} },
  '3': { class_type: 'WreckedSampler', inputs: {} },
  '4': { class_type: 'NobodyHasThis', inputs: {} },
  '5': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  '6': { class_type: 'SaveImage', inputs: { filename_prefix: 'x', images: ['5', 0] } },
};

async function openWorkflow(workbench: Workbench): Promise<void> {
  workbench.write(file, JSON.stringify(workflow, null, 2));
  await workbench.selectServer('Sandbox');
  await workbench.openFile(file);
}

/** The name of a node type in the open editor. */
function className(workbench: Workbench, classType: string) {
  return workbench.page.locator('.view-line span', { hasText: new RegExp(`^"${classType}"$`) }).last();
}

async function seesPackPage(workbench: Workbench, name: string): Promise<void> {
  await workbench.tab(name).waitFor();
  await workbench.webview().getByRole('heading', { name, level: 1 }).waitFor();
}

/** Types a pack's name into the search of a command and accepts it. */
async function findPack(
  workbench: Workbench,
  command: string,
  name: string,
  picture?: string,
): Promise<void> {
  await workbench.command(`Comfy Deck: ${command}…`);
  await workbench.page.locator('.quick-input-widget', { hasText: command }).waitFor();
  await workbench.choice('Lighthouse Nodes').waitFor();
  await workbench.quickInput.fill(name);
  await workbench.choice('Lighthouse Nodes').waitFor({ state: 'detached' });
  await workbench.choice(name).waitFor();
  if (picture !== undefined) await workbench.picture(picture);
  await workbench.choice(name).click();
}

/** Whether the page needs horizontal scrolling. */
function isTooWide(workbench: Workbench): Promise<boolean> {
  return workbench
    .webview()
    .locator('html')
    .evaluate((page) => page.scrollWidth > window.innerWidth);
}

describe('node packs in the workbench', () => {
  test('the quick fix on an unknown node opens its pack page; a review shows the new rating', async ({
    workbench,
  }) => {
    await openWorkflow(workbench);
    await className(workbench, 'LighthouseBeam').click();
    await workbench.takeFix('Find the Node Pack');
    await seesPackPage(workbench, 'Lighthouse Nodes');
    const page = workbench.webview();
    await page.getByText('4.3 of 5').waitFor();
    expect(await page.locator('body').textContent()).not.toContain('@example.org');
    const layout = await page.locator('dl').evaluate((list) => getComputedStyle(list).display);
    expect(layout, 'the facts as our style lays them out').toBe('grid');
    await workbench.picturesInThemes('pack-page');
    const usual = workbench.page.viewportSize() ?? { width: 1400, height: 900 };
    await workbench.page.setViewportSize({ width: 560, height: 900 });
    await expect.poll(() => isTooWide(workbench), { timeout: 20_000 }).toBe(false);
    await workbench.picture('pack-page-narrow');
    await workbench.page.setViewportSize(usual);

    await page.getByRole('link', { name: 'Review…' }).click();
    await workbench.choice('1 star').click();
    await workbench.dialog('Rate Lighthouse Nodes 1 out of 5 stars?').getByText('Send Review').click();
    await workbench.answer('Registry token for', token);
    await workbench.notification('It now has ★★★★☆ 3.5 of 5 stars').waitFor();
    await page.getByText('3.5 of 5').waitFor();
    await workbench.picture('pack-reviewed');

    await page.getByRole('link', { name: 'Review…' }).click();
    await workbench.choice('5 stars').click();
    await workbench.dialog('Rate Lighthouse Nodes 5 out of 5 stars?').getByText('Send Review').click();
    await workbench.notification('You have already reviewed this pack').waitFor();
  });
});

describe('node packs of an open file', () => {
  test.override({ shared: true });

  test('Missing Packs lists what the file needs, and a banned pack with its warning', async ({
    workbench,
  }) => {
    await openWorkflow(workbench);
    await workbench.command('Comfy Deck: Find Missing Packs…');
    await workbench.choice('Lighthouse Nodes').waitFor();
    await workbench.choice('Provides LighthouseBeam, Lighthouse Horn|loud').waitFor();
    await workbench.choice('NobodyHasThis').waitFor();
    await workbench.picture('missing-packs');
    await workbench.choice('Wrecked Samplers').click();
    await workbench.tab('Wrecked Samplers').waitFor();
    await workbench.webview().getByText('has banned the pack').waitFor();
    await workbench.webview().getByText('by Harbour Nodes').waitFor();
    await workbench.picturesInThemes('pack-warning');
  });

  test('hovering an unknown node type shows its pack', async ({ workbench }) => {
    await openWorkflow(workbench);
    await className(workbench, 'LighthouseBeam').hover();
    const hover = workbench.page.locator('.monaco-hover', { hasText: 'Provided by the node pack' });
    await hover.waitFor();
    await hover.getByText('48,210').waitFor();
    await workbench.picture('pack-hover');
    await hover.getByRole('link', { name: 'Pack page' }).click();
    await seesPackPage(workbench, 'Lighthouse Nodes');
  });

  test('packs are found by typing, and reviewed by their ID', async ({ workbench }) => {
    await openWorkflow(workbench);
    await findPack(workbench, 'Find Node Pack', 'Drifting Upscalers', 'pack-search');
    await workbench.webview().getByText('flagged the latest version').waitFor();

    await workbench.command('Comfy Deck: Review Node Pack…');
    await workbench.answer('ID of the node pack', 'maiden-voyage');
    await workbench.choice('4 stars').click();
    await workbench.dialog('Rate maiden-voyage 4 out of 5 stars?').getByText('Send Review').click();
    await workbench.answer('Registry token for', token);
    await workbench.notification('It now has ★★★★☆ 4.0 of 5 stars').waitFor();
  });

  test("a pack page is restored when the window reloads, and says when it can't be loaded", async ({
    workbench,
  }) => {
    await openWorkflow(workbench);
    await findPack(workbench, 'Find Node Pack', 'Old Rigging');
    await seesPackPage(workbench, 'Old Rigging');
    await workbench.reloadWindow();
    await seesPackPage(workbench, 'Old Rigging');
    await workbench.webview().getByText('4.0 of 5').waitFor();
    await workbench.webview().getByRole('link', { name: 'Review…' }).click();
    await workbench.choice('5 stars').waitFor();

    // The address of a registry that does not answer.
    await workbench.changeSettings({
      'comfyDeck.server': 'Local ComfyUI',
      'comfyDeck.registry': 'http://127.0.0.1:9',
    });
    await workbench.webview().getByRole('link', { name: 'Try Again' }).waitFor();
    await workbench.picture('pack-not-read');
    await workbench.selectServer('Sandbox');
    await workbench.webview().getByRole('link', { name: 'Try Again' }).click();
    await workbench.webview().getByText('4.0 of 5').waitFor();
    await expect
      .poll(() => workbench.page.locator('.tab').filter({ hasText: 'Old Rigging' }).count())
      .toBe(1);
  });
});
