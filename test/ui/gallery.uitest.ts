import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { axeFindings, findsNothingInThemes } from '../support/accessibility';
import { writeSavedRun } from '../support/galleryOutputs';
import { nightlyTest, test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

/** The outputs of some runs, and no others. */
function writeRuns({ scratch }: Workbench): void {
  const folder = path.join(scratch.workspace, 'outputs');
  rmSync(folder, { recursive: true, force: true });
  const day = 24 * 3_600_000;
  const now = new Date(2026, 4, 20, 15, 0, 0).getTime();
  const texts = ['a red fox in the snow', 'a blue whale', 'a lighthouse at night'];
  for (let number = 0; number < 24; number++) {
    writeSavedRun(folder, {
      label: number % 5 === 4 ? 'song.json' : 'portrait.json',
      sentAt: now - number * (day / 6),
      seed: String(18446744073709551615n - BigInt(number * 17)),
      text: texts[number % 3] ?? '',
      endings: number % 5 === 4 ? ['flac', 'glb', 'mp4', 'txt'] : ['png'],
    });
  }
}

describe('the gallery', () => {
  test('says what to do while there are no outputs, shows them and new ones, filters them, and compares two', async ({
    workbench,
  }) => {
    await workbench.command('Comfy Deck: Open Gallery');
    const panel = workbench.webview();
    await panel.getByText('No outputs yet').waitFor();
    expect(await axeFindings(panel), 'without outputs').toEqual([]);
    writeRuns(workbench);
    await panel.getByText('36 outputs').waitFor();
    await expect.poll(() => panel.locator('.tile canvas').count()).toBeGreaterThan(8);
    const grid = panel.getByRole('listbox', { name: 'Outputs' });
    await grid.press('Home');
    await grid.press('Space');
    await panel.getByRole('button', { name: 'Use This Seed' }).waitFor();
    await workbench.picture('gallery-one');
    await grid.press('ArrowRight');
    await grid.press('Space');
    await panel.getByText('2 selected').waitFor();
    await findsNothingInThemes(workbench, panel, 'gallery');

    await panel.getByRole('button', { name: 'Compare' }).click();
    await panel.getByRole('row', { name: /KSampler \(3\), seed/ }).waitFor();
    await panel.getByRole('cell', { name: '18446744073709551615' }).waitFor();
    expect(await panel.getByRole('row', { name: /steps/ }).count()).toBe(0);
    await workbench.picture('gallery-compare');
    expect(await axeFindings(panel), 'while comparing').toEqual([]);
    await panel.getByRole('button', { name: 'Slider' }).click();
    const [first, second] = await panel.locator('.sides figcaption').allTextContents();
    const slider = panel.getByRole('slider', { name: `How much of ${first} to show` });
    await panel.getByRole('group', { name: `${first} over ${second}` }).waitFor();
    await expect
      .poll(async () => {
        const [picture, share] = [
          await panel.locator('.picture').first().boundingBox(),
          await slider.boundingBox(),
        ];
        return Math.abs((share?.width ?? 0) - (picture?.width ?? 100) - 14);
      })
      .toBeLessThan(2);
    await workbench.picture('gallery-slider');
    expect(await axeFindings(panel), 'with a slider').toEqual([]);
    await panel.getByRole('button', { name: 'Back to the Gallery' }).click();

    writeSavedRun(path.join(workbench.scratch.workspace, 'outputs'), {
      label: 'portrait.json',
      sentAt: new Date(2026, 4, 21, 9, 0, 0).getTime(),
      seed: '5',
      text: 'a new dawn',
      endings: ['png'],
    });
    await panel.getByText('37 outputs').waitFor();
    await panel.locator('.heading', { hasText: 'May 21, 2026' }).waitFor();

    await panel.getByLabel('Search prompts, names, and seeds').fill('fox');
    await panel.getByText(/^\d+ of 37 outputs/).waitFor();
    await panel.getByLabel('Type').selectOption({ label: 'Image' });
    await panel.getByText('7 of 37 outputs').waitFor();
    await expect.poll(() => panel.locator('.tile').count()).toBe(7);
  });

  nightlyTest('rates, sorts and looks at outputs by keys', async ({ workbench }) => {
    writeRuns(workbench);
    await workbench.command('Comfy Deck: Open Gallery');
    const panel = workbench.webview();
    await panel.getByText('36 outputs').waitFor();
    await panel.locator('.tile canvas').nth(8).waitFor();
    // Runs of one workflow are told apart by what differs, not by the names of their files.
    await panel.locator('.tile', { hasText: /seed 18446744073709551615.*text/ }).waitFor();
    const grid = panel.getByRole('listbox', { name: 'Outputs' });
    await grid.press('Home');
    await grid.press('ArrowRight');
    await grid.press('3');
    await panel.locator('.tile[aria-posinset="2"] .stars', { hasText: '★★★' }).waitFor();
    await grid.press('ArrowRight');
    await grid.press('f');
    await panel.locator('.tile[aria-posinset="3"] .stars', { hasText: '★★★★★' }).waitFor();
    await panel.getByLabel('Sort by').selectOption({ label: 'Rating' });
    await panel.locator('.heading').nth(2).waitFor();
    expect(await panel.locator('.heading').allTextContents()).toEqual(['★★★★★', '★★★', 'Not rated']);
    await workbench.picture('gallery-rating');

    await grid.press('Home');
    await grid.press('Enter');
    const large = panel.getByRole('region', { name: 'Large View' });
    await large.locator('img').waitFor();
    await large.getByText('1 of 36').waitFor();
    await large.press('ArrowRight');
    await large.getByText('2 of 36').waitFor();
    await workbench.picture('gallery-large');
    expect(await large.locator('.name').textContent()).toMatch(/^seed \d+$/);
    expect(await axeFindings(panel), 'a large view').toEqual([]);
    const size = workbench.page.viewportSize();
    await workbench.page.setViewportSize({ width: 640, height: 800 });
    for (const part of ['.place', '.rating button:last-child']) {
      const outside = await large.locator(part).evaluate((shown) => {
        const { right } = shown.getBoundingClientRect();
        return Math.max(
          0,
          right - (shown.parentElement?.getBoundingClientRect().right ?? 0),
          right - innerWidth,
        );
      });
      expect(outside, `${part} in a narrow panel`).toBeLessThan(1);
    }
    if (size) await workbench.page.setViewportSize(size);
    await large.press('f');
    await large.getByRole('button', { name: '5 stars', pressed: true }).waitFor();
    await large.press('Escape');
    await large.waitFor({ state: 'detached' });

    await grid.press('?');
    await panel.getByRole('dialog', { name: 'Keyboard Shortcuts' }).waitFor();
    await workbench.picture('gallery-shortcuts');
    await workbench.page.keyboard.press('Escape');
    await grid.press('Control+a');
    await panel.getByText('36 selected').waitFor();
    const selected = await panel.locator('body').evaluate(() => document.getSelection()?.toString() ?? '');
    expect(selected).toBe('');
  });

  nightlyTest('compares six without cutting what tells them apart', async ({ workbench }) => {
    writeRuns(workbench);
    await workbench.command('Comfy Deck: Open Gallery');
    const panel = workbench.webview();
    await panel.getByText('36 outputs').waitFor();
    await panel.getByLabel('Type').selectOption({ label: 'Image' });
    // What is selected before the filter applies, it deselects.
    await panel.getByText('20 of 36 outputs').waitFor();
    await panel.locator('.tile canvas').nth(8).waitFor();
    await panel.locator('.tile[aria-posinset="1"]').click();
    await panel.locator('.tile[aria-posinset="6"]').click({ modifiers: ['Shift'] });
    await panel.getByRole('button', { name: 'Compare' }).click();
    await panel.getByRole('row', { name: /KSampler \(3\), seed/ }).waitFor();
    const captions = panel.locator('figcaption');
    expect(await captions.count()).toBe(6);
    await workbench.picture('gallery-six');
    const cut = await captions.evaluateAll(
      (all) =>
        all.filter((each) => each.scrollWidth > each.clientWidth || each.textContent.includes('.png')).length,
    );
    expect(cut).toBe(0);
    const outOfSight = await panel
      .locator('.table')
      .evaluate((table) => table.scrollWidth - table.clientWidth);
    expect(outOfSight, 'the last column is in sight').toBe(0);
    const seeds = panel.getByRole('cell', { name: /^\d{20}$/ });
    const lines = await seeds.evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      }),
    );
    expect(lines, 'a seed is not broken').toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('has a menu of its own, for the tile under the pointer', async ({ workbench }) => {
    writeRuns(workbench);
    const { page } = workbench;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.command('Comfy Deck: Open Gallery');
    const panel = workbench.webview();
    await panel.locator('.tile canvas').nth(8).waitFor();
    const tile = panel.locator('.tile[aria-posinset="4"]');
    const menu = page.locator('.monaco-menu');
    const choose = async (item: string): Promise<void> => {
      await tile.click({ button: 'right' });
      await workbench.chooseInMenu(item);
    };
    await tile.click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Use This Seed' }).waitFor();
    expect(await tile.getAttribute('aria-selected')).toBe('true');
    expect(await menu.getByRole('menuitem').allTextContents()).toEqual([
      'Open',
      'Open to the Side',
      'Show Run',
      'Use This Seed',
      'Use These Values',
      'Copy Image',
      'Copy Path',
      'Reveal',
      'Favorite',
      'Export…',
      'Delete',
    ]);
    await workbench.picture('gallery-menu');
    await page.keyboard.press('Escape');
    await panel.getByRole('listbox', { name: 'Outputs' }).press('c');
    await panel.getByText('Select 2 to 6 images to compare them.').waitFor();
    await choose('Favorite');
    await tile.locator('.stars', { hasText: '★★★★★' }).waitFor();
    await choose('Copy Image');
    await panel.getByText(/^Copied: /).waitFor();
    const types = await page.evaluate(async () =>
      (await navigator.clipboard.read()).flatMap(({ types }) => types),
    );
    expect(types).toContain('image/png');
    await panel.locator('body').evaluate(() => {
      navigator.clipboard.write = () => Promise.reject(new Error('The clipboard takes no images.'));
    });
    await choose('Copy Image');
    await panel.getByText(/can't be copied: this window doesn't allow images on the clipboard/).waitFor();

    // A tile among those that are selected leaves them so.
    await tile.click();
    await panel.locator('.tile[aria-posinset="3"]').click({ modifiers: ['Shift'] });
    await choose('Compare');
    await panel.getByRole('row', { name: /KSampler \(3\), seed/ }).waitFor();
    await panel.getByRole('button', { name: 'Back to the Gallery' }).click();
    await tile.click();
    await choose('Delete');
    await workbench.dialog('Delete').getByRole('button', { name: 'Delete' }).click();
    await panel.getByText('35 outputs').waitFor();
    await workbench.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
  });

  nightlyTest('opens outputs that are dragged into an editor group', async ({ workbench }) => {
    writeRuns(workbench);
    writeSavedRun(path.join(workbench.scratch.workspace, 'outputs'), {
      label: 'vector.json',
      sentAt: new Date(2026, 4, 20, 16, 0, 0).getTime(),
      seed: '5',
      text: 'a drawing',
      endings: ['svg'],
    });
    await workbench.openFile('text-to-image.json');
    await workbench.command('Comfy Deck: Open Gallery');
    const panel = workbench.webview();
    await panel.getByText('37 outputs').waitFor();
    await workbench.command('View: Move Editor into Right Group');
    const tiles = panel.locator('.tile[aria-posinset="2"], .tile[aria-posinset="3"]');
    await tiles.nth(0).click();
    await tiles.nth(1).click({ modifiers: ['Control'] });
    await panel.getByText('2 selected').waitFor();
    const names = await tiles.evaluateAll((each) =>
      each.map((tile) => (tile.getAttribute('title') ?? '').split('\n')[0] ?? ''),
    );

    const { page } = workbench;
    const gallery = page.locator('.tab', { hasText: 'Comfy Deck Gallery' });
    const group = page.locator('.editor-group-container').filter({ hasNot: gallery });
    await tiles.nth(1).hover();
    await page.mouse.down();
    await group.locator('.editor-container').hover();
    await page.locator('#monaco-workbench-editor-drop-overlay').hover();
    await page.mouse.up();
    for (const name of names) await group.locator(`.tab[data-resource-name="${name}"]`).waitFor();
    expect(names).toHaveLength(2);
    // An editor that a drop opens might run what is in it.
    expect(await panel.locator('.tile[title*=".svg"]').getAttribute('draggable')).toBe('false');
  });
});
