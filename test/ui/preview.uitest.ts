import { readdirSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterEach, describe, expect } from 'vitest';
import {
  buttonsOutOfSight,
  closeServers,
  onLocalServer,
  run,
  windows,
  type Size,
} from '../support/previewPane';
import { test } from '../support/uiTest';

afterEach(closeServers);

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

describe('the preview panel', () => {
  test.override({ opensLater: true });

  test('fits, centers and zooms pictures of every size, in windows of every size', async ({ workbench }) => {
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

describe('what a preview node makes', () => {
  test.override({ opensLater: true });

  test('is shown after the saved outputs, and is not in the output folder', async ({ workbench }) => {
    await onLocalServer(workbench);
    const nodes = {
      1: { class_type: 'EmptyImage', inputs: { width: 64, height: 48, batch_size: 1, color: 99 } },
      2: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
      3: { class_type: 'EmptyImage', inputs: { width: 96, height: 96, batch_size: 1, color: 9 } },
      4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'kept' } },
    };
    workbench.write('previews.json', JSON.stringify(nodes, null, 2));
    await run(workbench, 'previews.json');
    const panel = workbench.webview();
    const picture = panel.locator('.output img.picture');
    const seesWidth = (width: number): Promise<void> =>
      expect
        .poll(() => picture.evaluate((shown) => (shown as HTMLImageElement).naturalWidth), {
          timeout: 20_000,
        })
        .toBe(width);
    await panel.locator('.thumbnail img').nth(1).waitFor();
    await seesWidth(96);
    await panel.locator('.thumbnail[aria-label*="temp"]').click();
    await seesWidth(64);
    await panel.locator('.output-line', { hasText: 'Temporary, not saved' }).waitFor();
    await workbench.picturesInThemes('temporary');
    expect(workbench.has('outputs')).toBe(true);
    expect(readdirSync(workbench.path('outputs')).filter((name) => name.includes('temp'))).toEqual([]);
  });
});

describe('a run seen in the preview panel', () => {
  test.override({ opensLater: true });

  test('stays beside the files, shows messages with their times, can be run again there, and is replaced by a refusal', async ({
    workbench,
  }) => {
    const server = await onLocalServer(workbench);
    const sent = (): number =>
      server.seen.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/prompt')).length;
    workbench.write('talks.json', talkingWorkflow(workbench.read('text-to-image.json')));
    await run(workbench, 'talks.json');
    const panel = workbench.webview();
    const picture = panel.locator('.output img.picture');
    await picture.waitFor();

    // The messages, and the nodes in execution order.
    await panel.locator('.words li', { hasText: 'Slow: step 6 of 6' }).waitFor();
    await panel.locator('.node-details summary').click();
    const names = await panel.locator('.nodes .node-name').allTextContents();
    expect(names.slice(-2)).toEqual(['Slow', 'Save']);
    for (const time of await panel.locator('.nodes .node-time').allTextContents())
      expect(time).toMatch(/^(\d+\.\d|under 0\.1) s$/);

    // Buttons and shortcut.
    const done = (count: number): Promise<void> =>
      expect.poll(sent, { timeout: 40_000, message: `${count} runs were sent` }).toBe(count);
    await panel.getByRole('button', { name: 'Run Again' }).click();
    await done(2);
    await panel.getByRole('button', { name: 'Run with New Seeds' }).click();
    await done(3);
    await picture.waitFor();
    await panel.locator('.stage').click();
    await workbench.page.keyboard.press('Control+Alt+Enter');
    await done(4);

    // The previous run's picture over the new one, up to the position of the slider.
    await picture.waitFor();
    await panel.getByRole('button', { name: 'Compare with the previous run' }).click();
    const earlier = panel.locator('.placed .earlier');
    const slider = panel.getByRole('slider', { name: 'How much of the previous image to show' });
    await expect
      .poll(() => earlier.evaluate((shown) => (shown as HTMLImageElement).naturalWidth), { timeout: 20_000 })
      .toBeGreaterThan(0);
    expect(await earlier.getAttribute('src')).not.toBe(await picture.getAttribute('src'));
    expect(await earlier.boundingBox()).toEqual(await picture.boundingBox());
    const split = (): Promise<string> => earlier.evaluate((shown) => getComputedStyle(shown).clipPath);
    const half = await split();
    await slider.press('End');
    expect(await split()).not.toBe(half);

    // The group of the panel is active: a file that is opened now goes to another group.
    await picture.waitFor();
    await panel.locator('.stage').click();
    await workbench.openFile('text.json');
    expect(await picture.isVisible()).toBe(true);
    await workbench.page.locator('.editor-group-container.active .tab', { hasText: 'text.json' }).waitFor();

    // A run that does not start replaces the picture.
    workbench.write('wrong.json', JSON.stringify(wrong, null, 2));
    await run(workbench, 'wrong.json');
    const refusal = panel.locator('.refusal');
    await refusal.getByRole('heading', { name: 'wrong.json Not run' }).waitFor();
    expect(await picture.isVisible()).toBe(false);
    await refusal.locator('.problems button').first().click();
    await workbench.page.locator('.tab.active[data-resource-name="wrong.json"]').waitFor();
    await workbench.picturesInThemes('refused');
    await run(workbench, 'text-to-image.json');
    await picture.waitFor();
    await workbench.picturesInThemes('preview');
  });
});

type Nodes = Record<
  string,
  { class_type: string; inputs: Record<string, unknown>; _meta?: { title: string } }
>;

/**
 * The sample with a node before the last one that sends messages while it works; in the file it comes after the last
 * one.
 */
function talkingWorkflow(sample: string): string {
  const nodes = JSON.parse(sample) as Nodes;
  for (const node of Object.values(nodes)) {
    if (node.class_type !== 'SaveImage') continue;
    const inputs = { value: node.inputs.images, steps: 6 };
    nodes['99'] = { class_type: 'SandboxSlow', inputs, _meta: { title: 'Slow' } };
    node.inputs.images = ['99', 0];
    node._meta = { title: 'Save' };
  }
  return JSON.stringify(nodes, null, 2);
}

const wrong = {
  1: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'wrong' } },
  2: { class_type: 'EmptyImage', inputs: { width: -5, height: 512, batch_size: 1, color: 99 } },
};
