import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../../support/workbench';
import { largestGraphText } from '../files';
import { inWindows } from '../inWindow';
import { type BenchRow, type Measurement, median, timeLine } from '../measure';

const movements = ['panning all', 'panning near', 'zooming'] as const;
const movedMs = 4_000;
const edits = 7;

interface Watch {
  /** By the wall clock: frames have clocks of their own. */
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
function watchGraph(): void {
  interface Api {
    postMessage(message: { readonly type?: string }): void;
  }
  const noted: Watch = ((globalThis as Watched).graphWatch = {});
  const now = (): number => performance.timeOrigin + performance.now();
  // What a frame finds, the frame before has drawn.
  const look = (): void => {
    requestAnimationFrame(look);
    const at = now();
    const text = document.querySelector('svg.canvas [data-node="350"]')?.textContent ?? '';
    if (text !== noted.shown?.text) noted.shown = { text, at };
    if (document.querySelector('svg.canvas [data-node]')) noted.visible ??= at;
  };
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
}

/** From the page being ready to its first nodes on the screen. */
async function timeUntilVisible(canvas: Locator): Promise<number> {
  await canvas.locator('[data-node]').first().waitFor();
  return canvas.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { ready = NaN, visible = NaN } = (globalThis as Watched).graphWatch ?? {};
    return visible - ready;
  });
}

/** Types into a text of a node that the graph shows near enough to read; the times until it is on the screen. */
async function timesOfEdits(workbench: Workbench, canvas: Locator): Promise<number[]> {
  const { page } = workbench;
  const value = 'embedding:EasyNegative';
  await canvas.press('/');
  await workbench.webview().getByRole('searchbox').fill(value);
  for (let step = 0; step < 20; step++) await canvas.press('+');
  await canvas.locator('[data-node="350"]').waitFor();
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
      const end = performance.now() + 10_000;
      while (noted?.shown?.text === text && performance.now() < end)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return noted?.shown?.text === text ? NaN : (noted?.shown?.at ?? NaN);
    }, before);
    times.push(at - pressed);
  }
  return times;
}

/** Moves the graph as a wheel does, a step in each frame, and counts the frames. */
async function framesPerSecond(canvas: Locator, movement: (typeof movements)[number]): Promise<number> {
  await canvas.press('0');
  if (movement === 'panning near') for (let step = 0; step < 15; step++) await canvas.press('+');
  return canvas.evaluate(
    (root, { isZoom, duration }) =>
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
          wheel(isZoom ? { deltaY: -5 * sign, ctrlKey: true } : { deltaX: 20 * sign, deltaY: 6 * sign });
          if (passed < duration) requestAnimationFrame(step);
          else resolve((count * 1_000) / passed);
        };
        requestAnimationFrame(step);
      }),
    { isZoom: movement === 'zooming', duration: movedMs },
  );
}

async function measureGraph(): Promise<Measurement[]> {
  const text = largestGraphText();
  const measured = await inWindows(
    {
      windows: 3,
      script: watchGraph,
      prepare: ({ workspace }) => writeFileSync(path.join(workspace, 'large.json'), text),
    },
    async (workbench) => {
      await workbench.openFile('large.json');
      await workbench.page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
      await workbench.editorAction('Show Graph').click();
      const canvas = workbench.webview().locator('svg.canvas');
      const visible = await timeUntilVisible(canvas);
      const edited = await timesOfEdits(workbench, canvas);
      const frames: number[] = [];
      for (const movement of movements) frames.push(await framesPerSecond(canvas, movement));
      return { visible, edited, frames };
    },
  );
  const rates = movements.map((_, index) => median(measured.map(({ frames }) => frames[index] ?? NaN)));
  const slowest = Math.min(...rates);
  const what = 'graph of 976 nodes';
  return [
    timeLine(
      `${what}: page ready -> nodes on the screen`,
      500,
      measured.map(({ visible }) => visible),
    ),
    {
      what: `${what}: frames while it moves`,
      bar: '>= 55 a second',
      value: movements.map((movement, index) => `${movement} ${(rates[index] ?? NaN).toFixed(1)}`).join(', '),
      held: slowest >= 55,
      numbers: { slowestFramesPerSecond: slowest },
    },
    timeLine(
      `${what}: key in its text -> new value on the screen`,
      100,
      measured.flatMap(({ edited }) => edited),
    ),
  ];
}

export const graph: BenchRow = { name: 'graph', patience: 900_000, measure: measureGraph };
