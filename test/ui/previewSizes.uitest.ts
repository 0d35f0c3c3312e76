import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { test } from '../support/uiTest';
import { testedThemes, type Workbench } from '../support/workbench';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A narrow window, a low one, and a normal one at 200 % zoom. */
const windows: readonly Size[] = [
  { width: 900, height: 900 },
  { width: 1400, height: 560 },
  { width: 700, height: 450 },
];

/** Buttons that are only visible after scrolling the panel. */
function buttonsOutOfSight(panel: FrameLocator): Promise<string[]> {
  return panel.locator('.output button').evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const { left, top, right, bottom } = button.getBoundingClientRect();
        return left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight;
      })
      .map((button) => button.ariaLabel ?? ''),
  );
}

const sizes = {
  small: { width: 64, height: 48 },
  square: { width: 1024, height: 1024 },
  wide: { width: 2000, height: 300 },
  tall: { width: 300, height: 2000 },
  large: { width: 3000, height: 2400 },
} as const satisfies Record<string, Size>;

/** A workflow that saves one picture of each size, named after it. */
function picturesOfEachSize(): string {
  const nodes = Object.entries(sizes).flatMap(([name, { width, height }], index) => {
    const inputs = { width, height, batch_size: 1, color: 0x336699 };
    const saved = { images: [String(2 * index + 1), 0], filename_prefix: name };
    return [
      [2 * index + 1, { class_type: 'EmptyImage', inputs }],
      [2 * index + 2, { class_type: 'SaveImage', inputs: saved }],
    ];
  });
  return JSON.stringify(Object.fromEntries(nodes), null, 2);
}

/** Where the picture is in the area that shows it, in pixels of the page. */
async function measure(picture: Locator): Promise<{ readonly stage: DOMRect; readonly picture: DOMRect }> {
  return picture.evaluate((shown) => {
    const stage = shown.closest('.stage');
    if (!stage) throw new Error('The picture is not on a stage.');
    return {
      stage: stage.getBoundingClientRect().toJSON() as DOMRect,
      picture: shown.getBoundingClientRect().toJSON() as DOMRect,
    };
  });
}

/** How the picture is shown: its scale in both directions, and the distance of its center from that of the stage. */
async function look(picture: Locator, size: Size) {
  const rects = await measure(picture);
  const middle = (rect: DOMRect) => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });
  const [at, wanted] = [middle(rects.picture), middle(rects.stage)];
  return {
    across: rects.picture.width / size.width,
    down: rects.picture.height / size.height,
    aside: Math.max(Math.abs(at.x - wanted.x), Math.abs(at.y - wanted.y)),
    room: Math.min((rects.stage.width - 2) / size.width, (rects.stage.height - 2) / size.height),
  };
}

/** Waits until the picture is shown at a scale, in the center of the stage. */
async function seesPicture(picture: Locator, size: Size, scale: (room: number) => number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { across, down, aside, room } = await look(picture, size);
        const wanted = scale(room);
        const rounded = (share: number): number => Math.round(share * 50) / 50;
        return { across: rounded(across / wanted), down: rounded(down / wanted), centred: aside < 1.5 };
      },
      { timeout: 20_000, message: `${size.width} x ${size.height}` },
    )
    .toEqual({ across: 1, down: 1, centred: true });
}

const whole = (room: number): number => Math.min(room, 32);

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

describe('the preview panel in windows of every size', () => {
  test.override({ opensLater: true, settings: { 'comfyDeck.notifyWhenDone': 'never' } });

  let server: Sandbox;
  beforeAll(async () => {
    server = await startSandbox({ dialect: 'local', timing: 'fast' });
  });
  afterAll(() => server.close());

  test('fits, centers and zooms pictures of every size', async ({ workbench }) => {
    await workbench.opensOn('My ComfyUI', server.url);
    workbench.write('sizes.json', picturesOfEachSize());
    await workbench.runFile('sizes.json');
    const panel = workbench.webview();
    const picture = panel.locator('.output img.picture');
    const press = (label: string): Promise<void> => panel.getByRole('button', { name: label }).click();
    const shows = async (name: keyof typeof sizes): Promise<Size> => {
      const size = sizes[name];
      await panel.locator(`.thumbnail[aria-label^="${name}"]`).click();
      await expect
        .poll(() => picture.evaluate((shown) => (shown as HTMLImageElement).naturalWidth), {
          timeout: 20_000,
        })
        .toBe(size.width);
      return size;
    };
    await panel.locator('.thumbnail img').nth(4).waitFor();
    for (const name of ['small', 'square', 'wide', 'tall', 'large'] as const) {
      const size = await shows(name);
      await seesPicture(picture, size, whole);
      await press('Actual size');
      await seesPicture(picture, size, () => 1);
      await press('Zoom in');
      await seesPicture(picture, size, () => 1.25);
      await press('Fit');
      await seesPicture(picture, size, whole);
    }
    for (const window of windows) {
      await workbench.page.setViewportSize(window);
      for (const name of ['small', 'tall', 'square'] as const) {
        await seesPicture(picture, await shows(name), whole);
      }
      await press('Actual size');
      await seesPicture(picture, sizes.square, () => 1);
      await press('Fit');
      await expect.poll(() => buttonsOutOfSight(panel), { timeout: 20_000 }).toEqual([]);
    }
  });

  test('shows text, audio, video and several outputs completely', async ({ workbench }) => {
    const usual = workbench.page.viewportSize() ?? { width: 1400, height: 900 };
    await workbench.opensOn('My ComfyUI', server.url);
    workbench.write('several.json', batchOf(workbench.read('blend-batch.json')));
    const panel = workbench.webview();
    for (const { file, shown, isCentred } of kinds) {
      await workbench.page.setViewportSize(usual);
      await workbench.runFile(file);
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
  for (const theme of testedThemes) {
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
