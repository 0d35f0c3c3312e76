import type { FrameLocator, Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findsNothingInThemes } from '../support/accessibility';
import { KeptRows } from '../support/keptBatch';
import { nightlyTest, test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

/** Answers the question where to save a file that goes next to the outputs, with another folder. */
async function saveAs(workbench: Workbench, name: string): Promise<void> {
  // The field is filled in when the folder has been read.
  await workbench.choice('..').waitFor();
  await expect.poll(() => workbench.quickInput.inputValue()).toContain('/outputs/');
  await workbench.quickInput.fill(workbench.path(name));
  await workbench.choice('inputs').waitFor();
  await workbench.page.locator('.quick-input-widget .monaco-button', { hasText: 'OK' }).click();
  await workbench.fileAppears(name);
}

describe('the Set Up Batch form', () => {
  /** The n-th input to vary, counted from 0. */
  const axis = (panel: FrameLocator, index: number): Locator => panel.locator('.axis').nth(index);

  /** Adds an input, by its name. */
  async function vary(panel: FrameLocator, name: string): Promise<Locator> {
    await panel.getByRole('button', { name: 'Add Input' }).click();
    const added = axis(panel, (await panel.locator('.axis').count()) - 1);
    await added.getByRole('combobox', { name: 'Input' }).fill(name);
    return added;
  }

  test('offers what the definitions allow, marks a wrong value as one types, and runs without a file', async ({
    workbench,
  }) => {
    await workbench.selectServer('Sandbox');
    await workbench.openFile('text-to-image.json');
    await workbench.command('Comfy Deck: Set Up Batch…');
    const panel = workbench.webview();
    await panel.getByText('4 runs', { exact: true }).waitFor();

    // A new input is not wrong before anything is typed.
    await panel.getByRole('button', { name: 'Add Input' }).click();
    const sampler = axis(panel, 0);
    await sampler.getByText('Select an input.').waitFor();
    await panel.getByText('Complete the inputs above.').waitFor();
    expect(await panel.getByRole('alert').allTextContents()).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/./)]),
    );
    const name = sampler.getByRole('combobox', { name: 'Input' });
    await name.pressSequentially('sampler');
    await sampler.getByRole('option', { name: 'KSampler.sampler_name' }).waitFor();
    await workbench.picture('batch-form-inputs');
    await name.press('ArrowDown');
    await name.press('Enter');
    expect(await name.inputValue()).toBe('KSampler.sampler_name');
    expect(await sampler.getByText('Select an input.').count()).toBe(0);

    // Samplers are found by a part of their names, and chosen by keyboard.
    const values = sampler.getByRole('combobox', { name: 'Values', exact: true });
    await values.pressSequentially('euler');
    await sampler.getByRole('option', { name: 'euler', exact: true }).waitFor();
    await workbench.picture('batch-form-options');
    await values.press('ArrowDown');
    await values.press('Enter');
    await panel.getByText('4 runs', { exact: true }).waitFor();
    await values.pressSequentially('eulr');
    await sampler.getByText(/"eulr" is not one of the .*options.*Did you mean "euler"/).waitFor();
    expect(await values.getAttribute('aria-invalid')).toBe('true');
    await values.press('Enter');
    await sampler.locator('.chosen .wrong', { hasText: 'eulr' }).waitFor();

    const cfg = await vary(panel, 'KSampler.cfg');
    await cfg.getByRole('textbox', { name: 'Values' }).fill('7, 1000');
    await cfg.getByText(/cfg must be at most 100/).waitFor();
    expect(await panel.getByRole('button', { name: 'Run Batch' }).isDisabled()).toBe(true);
    await findsNothingInThemes(workbench, panel, 'batch-form-wrong');

    await sampler.getByRole('button', { name: 'Remove eulr' }).click();
    await cfg.getByRole('combobox', { name: 'Values given as' }).selectOption('Range');
    await cfg.getByLabel('To', { exact: true }).fill('9');
    await panel.getByText('12 runs', { exact: true }).waitFor();

    // Everything is there again after a switch to another tab, and it runs without a file.
    for (const file of ['text.json', 'video.json']) {
      await workbench.openFile(file);
      await workbench.page.locator('.tab', { hasText: 'Set Up Batch' }).click();
      await panel.getByText('12 runs', { exact: true }).waitFor();
      await panel.getByRole('cell', { name: 'new seed' }).first().waitFor();
    }
    expect(await cfg.getByLabel('From', { exact: true }).inputValue()).toBe('7');
    // At 200 % zoom, nothing is cut off to the side.
    await workbench.page.setViewportSize({ width: 700, height: 450 });
    const isWide = (): Promise<boolean> =>
      panel.locator('html').evaluate((root) => root.scrollWidth > root.clientWidth);
    await expect.poll(isWide).toBe(false);
    await workbench.page.setViewportSize({ width: 1400, height: 900 });
    await panel.getByLabel('Runs per combination').fill('1');
    await panel.getByText('3 runs', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Run Batch' }).click();
    await workbench.tab('text-to-image.json, ').waitFor();
    await workbench.webview().getByText('3 of 3 saved').waitFor();
    expect(workbench.has('text-to-image.batch.json')).toBe(false);
  });
});

/** Opens the file of a batch, which shows it as its records say now. */
async function openSheet(workbench: Workbench, { name, label }: KeptRows): Promise<void> {
  await workbench.openFile(name);
  await workbench
    .webview()
    .getByRole('heading', { name: `Contact Sheet: ${label}` })
    .waitFor();
}

describe('the contact sheet', () => {
  test('fills with pictures as rows are saved', async ({ workbench }) => {
    const batch = await KeptRows.start(workbench.path('outputs'), 'lake.json', {
      'KSampler.sampler_name': ['"euler"', '"dpmpp_2m"'],
      'KSampler.cfg': ['6', '7', '8', '9'],
      'KSampler.seed': ['11', '12', '13'],
    });
    for (let row = 0; row < 8; row++)
      batch.save(row, ['png', 'png', 'png', 'png', 'mp4', 'flac'][row % 6] ?? '');
    batch.fail(8, '<b>Out of memory</b> on the GPU');
    await openSheet(workbench, batch);
    const panel = workbench.webview();
    await panel.getByText('8 of 24 saved').waitFor();
    await panel.getByText('<b>Out of memory</b> on the GPU', { exact: true }).waitFor();
    // Nothing of a batch that has stopped waits for its turn.
    await panel.getByText('Not run').first().waitFor();
    const loaded = (): Promise<number> =>
      panel
        .locator('.cell img')
        .evaluateAll((all) => all.filter((img) => (img as HTMLImageElement).naturalWidth > 0).length);
    await expect.poll(loaded).toBe(6);
    await findsNothingInThemes(workbench, panel, 'batch-sheet');

    for (let row = 9; row < 20; row++) batch.save(row, 'png');
    await panel.getByText('19 of 24 saved').waitFor();
    // Those out of sight load when they are scrolled to.
    const cells = panel.locator('.cell img');
    await expect.poll(() => cells.count()).toBe(9);
    await panel.getByRole('combobox', { name: 'KSampler.sampler_name' }).selectOption('dpmpp_2m');
    await expect.poll(() => cells.count()).toBe(8);

    // The axes are chosen, and two of them swapped by one choice; they stay after a switch to another tab.
    await panel.getByRole('combobox', { name: 'Down' }).selectOption('KSampler.sampler_name');
    await panel.getByRole('combobox', { name: 'Across' }).selectOption('KSampler.sampler_name');
    await workbench.openFile('upscale.json');
    await workbench.page.locator('.tab', { hasText: batch.name }).click();
    const heads = panel.getByRole('columnheader');
    // To read from the page at once, while VS Code writes it, leaves it blank.
    await heads.first().waitFor();
    await expect.poll(() => heads.allTextContents()).toEqual(['sampler_name →\nseed ↓', 'euler', 'dpmpp_2m']);
    await panel.getByRole('combobox', { name: 'KSampler.cfg' }).selectOption('8');
    await workbench.picture('batch-sheet-axes');
    await panel.getByRole('combobox', { name: 'Across' }).selectOption('KSampler.seed');
    await panel.getByRole('combobox', { name: 'Down' }).selectOption('KSampler.cfg');
    await panel.getByRole('combobox', { name: 'KSampler.sampler_name' }).selectOption('dpmpp_2m');
    await expect.poll(() => cells.count()).toBe(8);

    const grid = panel.getByRole('grid', { name: 'Runs' });
    await grid.press('ArrowDown');
    await grid.press('ArrowRight');
    const active = panel.locator('.cell.active');
    // The grid draws with the next frame, which is late in a busy window.
    await expect
      .poll(() => active.getAttribute('aria-label'))
      .toContain('KSampler.sampler_name = dpmpp_2m, KSampler.cfg = 7, KSampler.seed = 12: saved: lake-');
    await panel.getByRole('button', { name: 'Export as Image' }).click();
    await saveAs(workbench, 'sheet.png');
    await active.click();
    await workbench.tab('.run.json').waitFor();
  });

  nightlyTest(
    'draws only what is in sight, has scroll bars, and says why it is no picture',
    async ({ workbench }) => {
      const batch = await KeptRows.start(workbench.path('outputs'), 'large.json', {
        'KSampler.seed': Array.from({ length: 1_100 }, (_, row) => String(1000 + row)),
        'KSampler.cfg': ['6', '7'],
      });
      for (let row = 0; row < 20; row++) batch.save(row, 'png');
      await openSheet(workbench, batch);
      const panel = workbench.webview();
      await panel.getByText('20 of 2200 saved').waitFor();
      expect(await panel.locator('.cell').count()).toBeLessThan(120);
      await panel.getByRole('grid', { name: 'Runs' }).press('Control+End');
      await panel.locator('.cell[aria-label*="KSampler.seed = 2099"]').first().waitFor();
      expect(await panel.locator('.cell').count()).toBeLessThan(120);
      await workbench.picture('batch-sheet-many');
      const bar = (): Promise<number> =>
        panel.locator('.grid').evaluate((grid: HTMLElement) => grid.offsetWidth - grid.clientWidth);
      await expect.poll(bar).toBe(10);
      await panel.getByRole('button', { name: 'Export as Image' }).click();
      await panel.getByRole('alert').getByText('This sheet is too large for one image.').waitFor();
    },
  );
});
