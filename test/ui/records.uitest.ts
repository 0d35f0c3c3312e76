import { readdirSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { axeFindings, findsNothingInThemes } from '../support/accessibility';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

/** Runs and files appear after a while. */
const soon = { timeout: 30_000 };

function outputs(workbench: Workbench): string[] {
  return workbench.has('outputs')
    ? readdirSync(workbench.path('outputs')).filter((name) => !name.startsWith('.'))
    : [];
}

/** Runs a workflow on the sandbox, whose only outputs are then there; the name of its run record. */
async function run(workbench: Workbench): Promise<string> {
  rmSync(workbench.path('outputs'), { recursive: true, force: true });
  workbench.write('look.json', JSON.stringify(smallPrompt(), null, 2));
  await workbench.selectServer('Sandbox');
  await workbench.openFile('look.json');
  await workbench.editorAction('Run Workflow').click();
  const record = (): string | undefined => outputs(workbench).find((name) => name.endsWith('.run.json'));
  await expect.poll(() => outputs(workbench).filter((name) => name.endsWith('.png')).length, soon).toBe(1);
  await expect.poll(() => workbench.read('outputs', record() ?? ''), soon).toContain('"state": "saved"');
  await workbench.command('View: Close All Editors');
  return record() ?? '';
}

describe('a run record', () => {
  test.override({ settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' } });

  test('opens as a page with its pictures, which axe finds no problem in', async ({ workbench }) => {
    const record = await run(workbench);
    await workbench.openFile(record);
    const page = workbench.webview();
    await page.getByRole('heading', { name: 'look.json' }).waitFor();
    const picture = page.locator('.output img');
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), soon)
      .toBeGreaterThan(0);
    // Nothing is seen of a picture before all of it is there.
    const seen = await picture.evaluate((img: HTMLImageElement) => {
      const isWaited = img.hasAttribute('aria-busy');
      img.setAttribute('aria-busy', 'true');
      const { visibility } = getComputedStyle(img);
      img.removeAttribute('aria-busy');
      return { isWaited, visibility };
    });
    expect(seen).toEqual({ isWaited: false, visibility: 'hidden' });
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Outputs',
      'Details',
      'Seeds',
      'Nodes',
    ]);
    await findsNothingInThemes(workbench, page, 'record');
    // The picture is on the first screen, what it is about comes after it, and the menu is opened by keyboard too.
    const [screen, at] = [await page.locator('html').boundingBox(), await picture.boundingBox()];
    expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThan((screen?.y ?? 0) + 900);
    expect(await page.locator('header button').count()).toBeLessThanOrEqual(4);
    await page.getByRole('button', { name: 'More Actions…' }).press('Enter');
    await workbench.page.getByRole('menuitem', { name: 'Reveal Outputs of This Run' }).waitFor();
    await workbench.picture('record-menu');
    await workbench.page.keyboard.press('Escape');

    // At 200 % zoom, nothing is cut off to the side.
    await workbench.page.setViewportSize({ width: 700, height: 450 });
    const isWide = (): Promise<boolean> =>
      page.locator('html').evaluate((root) => root.scrollWidth > root.clientWidth);
    expect(await isWide()).toBe(false);
    await workbench.page.setViewportSize({ width: 1400, height: 900 });

    // It follows the file, and runs again by keyboard.
    await page.getByRole('button', { name: 'Run Again' }).press('Enter');
    await expect.poll(() => outputs(workbench).length, soon).toBe(4);
    rmSync(workbench.path('outputs', (await picture.getAttribute('alt'))?.split(',')[0] ?? ''));
    await page.getByText('Deleted or moved').waitFor();
    await workbench.picture('record-deleted');
    workbench.write(`outputs/${record}`, '{"format": 99}');
    await workbench.webview().getByText('is not a run record, or another version').waitFor();
    await workbench.webview().getByRole('button', { name: 'Open as Text' }).click();
    await workbench.page.locator('.view-line', { hasText: '99' }).waitFor();
  });

  test('is run with other values, which survive a switch to another tab, and is compared with the first', async ({
    workbench,
  }) => {
    const record = await run(workbench);
    await workbench.openFile(record);
    const page = workbench.webview();
    await page.getByRole('button', { name: 'Run With…' }).click();
    const seed = page.getByLabel(/, seed$/);
    const first = page.getByLabel(/, ckpt_name$/);
    await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true);
    // A wrong value is marked as it is typed, and samplers are searched for.
    const cfg = page.getByLabel(/, cfg$/);
    await cfg.fill('1000');
    await page.getByText(/cfg must be at most 100/).waitFor();
    expect(await cfg.getAttribute('aria-invalid')).toBe('true');
    const sampler = page.getByRole('combobox', { name: /, sampler_name$/ });
    await sampler.fill('dpmpp');
    await page.getByRole('option', { name: 'dpmpp_2m', exact: true }).click();
    expect(await sampler.inputValue()).toBe('dpmpp_2m');
    await sampler.fill('eulr');
    await page.getByText(/Did you mean "euler"/).waitFor();
    await workbench.picture('record-run-with-wrong');
    await cfg.fill('8');
    await sampler.fill('euler');
    await sampler.press('Escape');
    await seed.fill('18446744073709551614');
    expect(await axeFindings(page)).toEqual([]);
    await workbench.openFile('text.json');
    await workbench.openFile(record);
    const again = workbench.webview();
    await expect.poll(() => again.getByLabel(/, seed$/).inputValue(), soon).toBe('18446744073709551614');
    await again.getByLabel(/, seed$/).press('Enter');
    await expect.poll(() => outputs(workbench).filter((name) => name.endsWith('.png')).length, soon).toBe(2);
    await again.getByRole('heading', { name: 'Nodes' }).waitFor();
    const other = outputs(workbench).find((name) => name.endsWith('.run.json') && name !== record) ?? '';
    await expect.poll(() => workbench.read('outputs', other), soon).toContain('"state": "saved"');
    expect(workbench.read('outputs', other)).toContain('"seed": 18446744073709551614');
    expect(workbench.read('outputs', other)).toContain('"5.seed": "18446744073709551614"');
    expect(workbench.read('outputs', record)).not.toContain('18446744073709551614');

    await compareWith(workbench);
    await workbench.choice('look.json').click();
    const gallery = workbench.webview();
    await gallery.getByRole('cell', { name: '18446744073709551614' }).waitFor();
    const natural = (): Promise<number[]> =>
      gallery
        .locator('.stage img')
        .evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth));
    await expect.poll(async () => (await natural()).filter((width) => width > 0).length, soon).toBe(2);
    await gallery.getByRole('button', { name: 'Difference' }).click();
    await gallery.locator('.stage.difference').waitFor();
    await workbench.picture('record-compare-difference');
    expect(await axeFindings(gallery), 'difference').toEqual([]);
  });
});

/** By the menu of the page. */
async function compareWith(workbench: Workbench): Promise<void> {
  await workbench.webview().getByRole('button', { name: 'More Actions…' }).click();
  await workbench.chooseInMenu('Compare This Run With…');
}
