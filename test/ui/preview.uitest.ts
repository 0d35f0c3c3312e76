import type { FrameLocator, Locator } from 'playwright-core';
import { afterEach, describe, expect } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const started: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
});

async function onLocalServer(workbench: Workbench): Promise<Sandbox> {
  const server = await startSandbox({ dialect: 'local', timing: 'fast' });
  started.push(server);
  await workbench.changeSettings({
    'comfyDeck.servers': [{ name: 'My ComfyUI', url: server.url }],
    'comfyDeck.notifyWhenDone': 'never',
  });
  await workbench.command('Comfy Deck: Select Server');
  await workbench.choice('My ComfyUI').click();
  await workbench.statusItem('My ComfyUI').waitFor();
  return server;
}

async function run(workbench: Workbench, file: string): Promise<void> {
  await workbench.openFile(file);
  await workbench.editorAction('Run Workflow').click();
}

interface Size {
  readonly width: number;
  readonly height: number;
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

/** Where the picture stands in the area that shows it, in pixels of the page. */
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

/** How the picture is shown: its scale across and down, and how far its middle is from that of the stage. */
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

/** A narrow window, a low one, and a usual one at 200 % zoom. */
const windows: readonly Size[] = [
  { width: 900, height: 900 },
  { width: 1400, height: 560 },
  { width: 700, height: 450 },
];

/** Waits until the picture is shown at a scale, in the middle of the stage. */
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

const whole = (room: number): number => Math.min(room, 2);

describe('the preview panel', () => {
  test('fits, centres and zooms pictures of every size, in windows of every size', async ({ workbench }) => {
    await onLocalServer(workbench);
    workbench.write('sizes.json', picturesOfEachSize());
    await run(workbench, 'sizes.json');
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
});

/** Buttons below or beside what the panel shows without scrolling. */
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
