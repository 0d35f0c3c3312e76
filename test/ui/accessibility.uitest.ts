import type { FrameLocator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axeFindings } from '../support/accessibility';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';
import { themes, type Workbench } from '../support/workbench';

const themeNames = Object.keys(themes) as (keyof typeof themes)[];

async function openMusic(workbench: Workbench): Promise<FrameLocator> {
  await workbench.command('Comfy Deck: Open Music Panel');
  const panel = workbench.webview();
  await panel.getByLabel('Describe the music').waitFor();
  return panel;
}

async function openPreview(workbench: Workbench): Promise<FrameLocator> {
  await workbench.command('Comfy Deck: Open Live Preview');
  const panel = workbench.webview();
  await panel.getByRole('heading', { name: 'Nothing to show yet' }).waitFor();
  return panel;
}

/** Waits until the colors of a VS Code theme have reached the panel. */
async function findsNothing(workbench: Workbench, panel: FrameLocator, state: string): Promise<void> {
  for (const theme of themeNames) {
    await workbench.useTheme(theme);
    await panel.locator(`body[data-vscode-theme-name="${themes[theme].label}"]`).waitFor();
    expect(await axeFindings(panel), `${state}, ${themes[theme].label}`).toEqual([]);
  }
}

/** The animation of the bar in the music panel. */
function animation(panel: FrameLocator): Promise<string> {
  return panel.locator('body').evaluate((body) => {
    const bar = body.querySelector('.bar');
    bar?.classList.add('waiting');
    return bar ? getComputedStyle(bar).animationName : 'no bar';
  });
}

describe('axe', () => {
  test.override({ shared: true, settings: { 'comfyDeck.musicService': 'sandbox' } });

  test('finds no problem in the music panel, which has landmarks and headings, and does not move', async ({
    workbench,
  }) => {
    const panel = await openMusic(workbench);
    await panel.getByRole('main').getByRole('region', { name: 'New music' }).waitFor();
    expect(await panel.getByRole('heading').allTextContents()).toEqual(['Music', 'New music', 'History']);
    // The tests set workbench.reduceMotion.
    expect(await animation(panel)).toBe('none');
    await findsNothing(workbench, panel, 'empty');
    await panel.getByLabel('Describe the music').fill('Slow piano, rain on the window');
    await panel.getByLabel('Duration (seconds)').fill('20');
    await panel.getByRole('button', { name: 'Generate', exact: true }).click();
    await panel.locator('.generation .tags').waitFor();
    expect(await axeFindings(panel), 'while music arrives').toEqual([]);
    await panel.locator('.track').first().waitFor();
    await panel.locator('.generation').waitFor({ state: 'hidden' });
    await findsNothing(workbench, panel, 'with a track');
    await panel.getByLabel('Duration (seconds)').fill('0');
    await panel.locator('.track').getByRole('button', { name: 'Delete' }).click();
    await panel.locator('.undo', { hasText: 'Deleted' }).waitFor();
    await findsNothing(workbench, panel, 'with a problem, and a deleted track');
  });

  test('finds no problem in the preview panel', async ({ workbench }) => {
    const failing = {
      '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
      '2': { class_type: 'SandboxFail', inputs: { value: ['1', 0], how: 'value' } },
      '3': { class_type: 'SaveImage', inputs: { filename_prefix: 'never', images: ['2', 0] } },
    };
    workbench.write('look.json', JSON.stringify(smallPrompt(), null, 2));
    workbench.write('fail.json', JSON.stringify(failing, null, 2));
    await workbench.selectServer('Sandbox');
    let panel = await openPreview(workbench);
    await findsNothing(workbench, panel, 'empty');
    await workbench.command('View: Close All Editors');

    await workbench.openFile('look.json');
    await workbench.editorAction('Run Workflow').click();
    panel = workbench.webview();
    await panel.locator('img.picture').waitFor();
    await panel.locator('summary').click();
    await findsNothing(workbench, panel, 'with a picture and the nodes');
    await workbench.command('View: Close All Editors');

    await workbench.openFile('fail.json');
    await workbench.editorAction('Run Workflow').click();
    panel = workbench.webview();
    await panel.locator('.notice').waitFor();
    await findsNothing(workbench, panel, 'after a failed run');
  });
});

describe('workbench.reduceMotion', () => {
  describe('when off', () => {
    test.override({ settings: { 'workbench.reduceMotion': 'off' } });

    test('allows animations in the panels whatever the system setting', async ({ workbench }) => {
      await workbench.page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await animation(await openMusic(workbench))).toBe('breathe');
    });
  });
});
