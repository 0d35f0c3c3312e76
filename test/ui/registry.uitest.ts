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
    await workbench.takeFix('the Node Pack');
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
  });

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
});
