import type { FrameLocator } from 'playwright-core';
import { afterEach, describe, expect } from 'vitest';
import { buttonsOutOfSight, closeServers, onLocalServer, run, windows } from '../support/previewPane';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

afterEach(closeServers);

/**
 * What is wrong with how an element of the panel is shown; nothing if it is fully visible and, on request, centered.
 */
async function faults(panel: FrameLocator, selector: string, isCentred: boolean): Promise<string[]> {
  const found = await panel.locator(selector).evaluate((shown) => {
    const stage = shown.closest('.stage');
    if (!stage) throw new Error('It is not on a stage.');
    const rect = (element: Element) => element.getBoundingClientRect().toJSON() as DOMRect;
    return {
      shown: rect(shown),
      stage: rect(stage),
      pane: new DOMRect(0, 0, window.innerWidth, window.innerHeight).toJSON() as DOMRect,
      // Content that does not fit only scrolls down.
      cutOff: shown.scrollWidth > shown.clientWidth + 1,
      sideways: document.documentElement.scrollWidth > window.innerWidth,
    };
  });
  const isIn = (inner: DOMRect, outer: DOMRect): boolean =>
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 &&
    inner.bottom <= outer.bottom + 1;
  const off = (axis: 'x' | 'y', length: 'width' | 'height'): number =>
    Math.abs(found.shown[axis] + found.shown[length] / 2 - (found.stage[axis] + found.stage[length] / 2));
  return [
    ...(found.shown.width < 60 || found.shown.height < 30 ? ['too small'] : []),
    ...(isIn(found.shown, found.stage) ? [] : ['beyond its stage']),
    ...(isIn(found.stage, found.pane) ? [] : ['stage out of sight']),
    ...(isCentred && Math.max(off('x', 'width'), off('y', 'height')) > 1.5 ? ['not in the middle'] : []),
    ...(found.cutOff ? ['cut off'] : []),
    ...(found.sideways ? ['the panel scrolls sideways'] : []),
  ].map((fault) => `${fault}: ${JSON.stringify(found)}`);
}

const kinds = [
  { file: 'text.json', shown: '.output .text-output', isCentred: false },
  { file: 'music.json', shown: '.output .player audio', isCentred: true },
  { file: 'video.json', shown: '.output .player video', isCentred: true },
  { file: 'several.json', shown: '.output img.picture', isCentred: true },
] as const;

describe('the preview panel', () => {
  test.override({ opensLater: true });

  test('shows text, audio, video and several outputs completely, in windows of every size', async ({
    workbench,
  }) => {
    const usual = workbench.page.viewportSize() ?? { width: 1400, height: 900 };
    await onLocalServer(workbench);
    workbench.write('several.json', batchOf(workbench.read('blend-batch.json')));
    const panel = workbench.webview();
    for (const { file, shown, isCentred } of kinds) {
      await workbench.page.setViewportSize(usual);
      await run(workbench, file);
      await panel.locator('.title-line h1', { hasText: file }).waitFor();
      await panel.locator(shown).waitFor();
      if (file === 'video.json') {
        const playable = (): Promise<number> =>
          panel.locator(shown).evaluate((video) => (video as HTMLVideoElement).videoWidth);
        await expect.poll(playable, { timeout: 20_000 }).toBe(480);
      }
      if (file === 'music.json') await hasColorsOfTheme(workbench, panel, shown);
      if (file === 'several.json') await panel.locator('.thumbnail').nth(11).click();
      for (const window of [usual, ...windows]) {
        await workbench.page.setViewportSize(window);
        const where = `${file} at ${window.width} x ${window.height}`;
        await expect
          .poll(() => faults(panel, shown, isCentred), { timeout: 20_000, message: where })
          .toEqual([]);
        await expect.poll(() => buttonsOutOfSight(panel), { timeout: 20_000, message: where }).toEqual([]);
        await workbench.picture(`${file}-${window.width}`);
      }
    }
    // The last output is still selected in the smallest window.
    await expect.poll(() => isThumbnailInSight(panel), { timeout: 20_000 }).toBe(true);
  });
});

/** The browser draws the player: dark if VS Code is, whatever the system theme. */
async function hasColorsOfTheme(workbench: Workbench, panel: FrameLocator, player: string): Promise<void> {
  for (const theme of ['light', 'highContrastLight', 'highContrast', 'dark'] as const) {
    await workbench.useTheme(theme);
    const scheme = (): Promise<string> =>
      panel.locator(player).evaluate((shown) => getComputedStyle(shown).colorScheme);
    await expect
      .poll(scheme, { timeout: 20_000, message: theme })
      .toBe(theme.endsWith('ight') ? 'light' : 'dark');
    await workbench.picture(`sound-${theme}`);
  }
}

/** Twelve pictures of each instead of one. */
function batchOf(sample: string): string {
  return sample.replaceAll('"batch_size": 1', '"batch_size": 12');
}

/** Whether the selected thumbnail is fully visible in the strip and the panel. */
function isThumbnailInSight(panel: FrameLocator): Promise<boolean> {
  return panel.locator('.thumbnail[aria-selected="true"]').evaluate((selected) => {
    const thumbnail = selected.getBoundingClientRect();
    const strip = selected.parentElement?.getBoundingClientRect();
    return (
      strip !== undefined &&
      thumbnail.left >= strip.left - 1 &&
      thumbnail.right <= strip.right + 1 &&
      strip.bottom <= window.innerHeight + 1
    );
  });
}
