import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { findChromium, launchChromium } from '../support/chromium';
import { installVsCode } from '../support/installVsCode';
import { Scratch } from '../support/scratch';
import { installVsix, startVsCodeServer } from '../support/vsCodeServer';
import { newest } from '../support/vsCodeVersions';
import { Workbench } from '../support/workbench';
import { definitionServer } from './openings';

/** The graph of one file in the real workbench; all times in ms. */
export interface GraphTimes {
  /** From the page being ready to its first nodes on the screen, the first of a window first. */
  readonly visible: readonly (readonly number[])[];
  /** Frames in a second while it moves, by how it moves. */
  readonly frames: Readonly<Record<Movement, readonly number[]>>;
  /** Frames in a second while nothing moves. */
  readonly still: number;
  /** From the key to the new value on the screen. */
  readonly edits: readonly number[];
}

export const movements = ['panning all', 'panning near', 'zooming'] as const;
export type Movement = (typeof movements)[number];

export interface GraphFile {
  readonly text: string;
  /** A node that shows this text, in one place of the file. */
  readonly value: string;
}

interface Watch {
  /** Of the wall clock: frames have clocks of their own. */
  ready?: number;
  visible?: number;
  pressed?: number;
  shown?: { readonly text: string; readonly at: number };
}

type Watched = typeof globalThis & { graphWatch?: Watch };

/**
 * Notes in each frame when the page of a graph says that it is ready, when its first nodes are on the screen, and when a
 * value that was typed is.
 */
function watch(): void {
  const noted: Watch = ((globalThis as Watched).graphWatch = {});
  const now = (): number => performance.timeOrigin + performance.now();
  interface Api {
    postMessage(message: { readonly type?: string }): void;
  }
  let acquire: (() => Api) | undefined;
  Object.defineProperty(globalThis, 'acquireVsCodeApi', {
    set: (real: () => Api) => {
      acquire = () => {
        const api = real();
        const postMessage = (message: { readonly type?: string }): void => {
          if (message.type === 'ready') {
            noted.ready = now();
            requestAnimationFrame(look);
          }
          api.postMessage(message);
        };
        return { ...api, postMessage };
      };
    },
    get: () => acquire,
  });
  addEventListener('keydown', () => (noted.pressed = now()), true);
  // What a frame finds, the frame before has drawn.
  const look = (): void => {
    requestAnimationFrame(look);
    const at = now();
    const text = document.querySelector('svg.canvas [data-node="2"]')?.textContent ?? '';
    if (text !== noted.shown?.text) noted.shown = { text, at };
    if (document.querySelector('svg.canvas [data-node]')) noted.visible ??= at;
  };
}

/** Opens the graph of a file in several windows, moves it, and edits its text. */
export async function graphTimes(
  vsix: string,
  file: GraphFile,
  { windows, movedMs, edits }: { readonly windows: number; readonly movedMs: number; readonly edits: number },
): Promise<GraphTimes> {
  const chromium = findChromium();
  const vsCode = installVsCode(newest);
  const scratch = new Scratch();
  const extensionsDir = path.join(scratch.home, 'extensions');
  installVsix(vsCode, scratch, vsix, extensionsDir);
  writeFileSync(path.join(scratch.workspace, 'large.json'), file.text);
  const definer = await definitionServer();
  scratch.changeSettings({
    'comfyDeck.servers': [{ name: 'Large', url: definer.address }],
    'comfyDeck.server': 'Large',
  });
  const server = await startVsCodeServer(vsCode, scratch, { extensionsDir });
  const browser = await launchChromium(chromium);
  const visible: number[][] = [];
  const frames: Record<Movement, number[]> = { 'panning all': [], 'panning near': [], zooming: [] };
  const edited: number[] = [];
  let still = 0;
  try {
    for (let window = 0; window <= windows; window++) {
      const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();

      page.setDefaultTimeout(60_000);
      await page.addInitScript(watch);
      const workbench = new Workbench(page, scratch, server.address(scratch.workspace));
      await workbench.open();
      const shown: number[] = [];
      for (let opening = 0; opening < 3; opening++) {
        await workbench.openFile('large.json');
        await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
        await workbench.editorAction('Show Graph').click();
        const canvas = workbench.webview().locator('svg.canvas');
        shown.push(await visibleAfter(canvas));
        if (opening < 2) await workbench.command('View: Close All Editors');
      }
      const canvas = workbench.webview().locator('svg.canvas');
      const times = await editTimes(workbench, canvas, file.value, edits);
      // The first window reads the definitions from the server, and fills every cache.
      if (window > 0) {
        visible.push(shown);
        edited.push(...times);
        still = await framesPerSecond(canvas, 'still', movedMs / 2);
        for (const movement of movements)
          frames[movement].push(await framesPerSecond(canvas, movement, movedMs));
      }
      await page.context().close();
    }
  } finally {
    await browser.close();
    await server.group.end();
    await definer.close();
    scratch.remove();
  }
  return { visible, frames, still, edits: edited };
}

async function visibleAfter(canvas: Locator): Promise<number> {
  await canvas.locator('[data-node]').first().waitFor();
  return canvas.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { ready = NaN, visible = NaN } = (globalThis as Watched).graphWatch ?? {};
    return visible - ready;
  });
}

/** Types into the value of a node that the graph shows near enough to read. */
async function editTimes(
  workbench: Workbench,
  canvas: Locator,
  value: string,
  edits: number,
): Promise<number[]> {
  const { page } = workbench;
  await canvas.press('/');
  await workbench.webview().getByRole('searchbox').fill(value);
  for (let step = 0; step < 20; step++) await canvas.press('+');
  await canvas.locator('[data-node="2"]').waitFor();
  await page.locator('.monaco-editor .view-line').first().click();
  await page.keyboard.press('Control+f');
  await page.locator('.find-widget textarea').first().fill(value);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  const times: number[] = [];
  for (let edit = 0; edit < edits; edit++) {
    const before = await canvas.evaluate(() => (globalThis as Watched).graphWatch?.shown?.text);
    // When what the edit before has caused, such as the check, is over.
    await page.waitForTimeout(2_000);
    await page.keyboard.press('x');
    const pressed = await page.evaluate(() => (globalThis as Watched).graphWatch?.pressed ?? NaN);
    const at = await canvas.evaluate(async (_canvas, text) => {
      const noted = (globalThis as Watched).graphWatch;
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
      const end = performance.now() + 10_000;
      while (noted?.shown?.text === text && performance.now() < end) await frame();
      return noted?.shown?.text === text ? NaN : (noted?.shown?.at ?? NaN);
    }, before);
    times.push(at - pressed);
  }
  return times;
}

/** Moves the graph as a wheel does, a step in each frame, and counts the frames. */
async function framesPerSecond(
  canvas: Locator,
  movement: Movement | 'still',
  duration: number,
): Promise<number> {
  await canvas.press('0');
  if (movement === 'panning near') for (let step = 0; step < 15; step++) await canvas.press('+');
  return canvas.evaluate(
    (root, { movement, duration }) =>
      new Promise<number>((resolve) => {
        const { left, top, width, height } = root.getBoundingClientRect();
        const wheel = (init: WheelEventInit): void => {
          const [clientX, clientY] = [left + width / 2, top + height / 2];
          root.dispatchEvent(new WheelEvent('wheel', { clientX, clientY, cancelable: true, ...init }));
        };
        const start = performance.now();
        let count = 0;
        const step = (): void => {
          const passed = performance.now() - start;
          count++;
          // There and back, so that it stays in sight.
          const sign = Math.floor(passed / 1_000) % 2 === 0 ? 1 : -1;
          if (movement === 'zooming') wheel({ deltaY: -5 * sign, ctrlKey: true });
          else if (movement !== 'still') wheel({ deltaX: 20 * sign, deltaY: 6 * sign });
          if (passed < duration) requestAnimationFrame(step);
          else resolve((count * 1_000) / passed);
        };
        requestAnimationFrame(step);
      }),
    { movement, duration },
  );
}
