import path from 'node:path';
import { describe, expect } from 'vitest';
import { axeFindings } from '../support/accessibility';
import { writeSavedRun } from '../support/galleryOutputs';
import { test } from '../support/uiTest';
import { themes, type Workbench } from '../support/workbench';

const pictures = 'out/ui-pictures';

function writeRuns({ scratch }: Workbench): void {
  const folder = path.join(scratch.workspace, 'outputs');
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
  test('says what to do while there are no outputs', async ({ workbench }) => {
    await workbench.command('Comfy Deck: Open Gallery');
    const panel = workbench.webview();
    await panel.getByText('No outputs yet').waitFor();
    expect(await axeFindings(panel)).toEqual([]);
  });

  test('shows pictures and new ones, filters them, and compares two', async ({ workbench }) => {
    writeRuns(workbench);
    await workbench.command('Comfy Deck: Open Gallery');
    const panel = workbench.webview();
    await panel.getByText('36 outputs').waitFor();
    await expect.poll(() => panel.locator('.tile canvas').count()).toBeGreaterThan(8);
    const grid = panel.getByRole('listbox', { name: 'Outputs' });
    await grid.press('Home');
    await grid.press('Space');
    await grid.press('ArrowRight');
    await grid.press('Space');
    await panel.getByText('2 selected').waitFor();
    for (const [name, { label }] of Object.entries(themes)) {
      await workbench.useTheme(name as keyof typeof themes);
      await panel.locator(`body[data-vscode-theme-name="${label}"]`).waitFor();
      await workbench.screenshot(`${pictures}/gallery-${name}.png`);
      expect(await axeFindings(panel), label).toEqual([]);
    }

    await panel.getByRole('button', { name: 'Compare' }).click();
    await panel.getByRole('row', { name: /KSampler \(3\), seed/ }).waitFor();
    await panel.getByRole('cell', { name: '18446744073709551615' }).waitFor();
    expect(await panel.getByRole('row', { name: /steps/ }).count()).toBe(0);
    await workbench.screenshot(`${pictures}/gallery-compare.png`);
    expect(await axeFindings(panel), 'while comparing').toEqual([]);
    await panel.getByRole('button', { name: 'Slider' }).click();
    await workbench.screenshot(`${pictures}/gallery-slider.png`);
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
    await panel.locator('.day', { hasText: 'May 21, 2026' }).waitFor();

    await panel.getByLabel('Search prompts, names and seeds').fill('fox');
    await panel.getByText(/^\d+ of 37 outputs/).waitFor();
    await panel.getByLabel('Type').selectOption({ label: 'Image' });
    await panel.getByText('7 of 37 outputs').waitFor();
    expect(await panel.locator('.tile').count()).toBe(7);
  });
});
