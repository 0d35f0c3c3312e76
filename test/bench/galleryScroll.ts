import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { link } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, CDPSession, Locator } from 'playwright-core';
import { encodePng } from '../../src/sandbox/drawing/encodePng';
import { findChromium, launchChromium } from '../support/chromium';
import { installVsCode } from '../support/installVsCode';
import { Scratch } from '../support/scratch';
import { installVsix, startVsCodeServer } from '../support/vsCodeServer';
import { newest } from '../support/vsCodeVersions';
import { Workbench } from '../support/workbench';
import { writeGalleryRuns } from './galleryRuns';

/** A part of the way through the gallery, and what the page held at its end. */
export interface ScrollPart {
  readonly framesPerSecond: number;
  /** The longest time between two frames, ms. */
  readonly longestFrame: number;
  /** Reachable objects of the page. */
  readonly heapBytes: number;
  /** Memory of the page's process; 0 where it can't be read. */
  readonly processBytes: number;
}

export interface Scrolled {
  readonly parts: readonly ScrollPart[];
  /** The same page while nothing moves. */
  readonly still: number;
  /** What its process held before it was scrolled. */
  readonly openedBytes: number;
}

/** Different pictures; the outputs are further names of these. */
const pictures = 24;
const side = 512;

/**
 * Scrolls through a gallery in the real workbench at a constant speed, from its first output to its last.
 * @param parts how many parts of the way are measured
 * @param partMs how long each takes
 */
export async function scrollGallery(
  vsix: string,
  outputs: number,
  parts: number,
  partMs: number,
): Promise<Scrolled> {
  const chromium = findChromium();
  const vsCode = installVsCode(newest);
  const scratch = new Scratch();
  const extensionsDir = path.join(scratch.home, 'extensions');
  installVsix(vsCode, scratch, vsix, extensionsDir);
  await writeOutputs(scratch, outputs);
  const server = await startVsCodeServer(vsCode, scratch, { extensionsDir });
  const browser = await launchChromium(chromium);
  try {
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
    page.setDefaultTimeout(120_000);
    const workbench = new Workbench(page, scratch, server.address(scratch.workspace));
    await workbench.open();
    await workbench.command('Comfy Deck: Open Gallery');
    const panel = workbench.webview();
    await panel.getByText(`${outputs} outputs`).waitFor();
    await panel.locator('.tile canvas').first().waitFor();
    const grid = panel.getByRole('listbox', { name: 'Outputs' });
    const session = await page.context().newCDPSession(page);
    const { processBytes: openedBytes } = await held(browser, session);
    const still = (await frames(grid, 0, 3_000)).framesPerSecond;
    const made: ScrollPart[] = [];
    for (let part = 0; part < parts; part++) {
      const drawn = await frames(grid, 1 / parts, partMs);
      made.push({ ...drawn, ...(await held(browser, session)) });
    }
    return { parts: made, still, openedBytes };
  } finally {
    await browser.close();
    await server.group.end();
    scratch.remove();
  }
}

async function writeOutputs(scratch: Scratch, outputs: number): Promise<void> {
  const source = path.join(scratch.home, 'pictures');
  const folder = path.join(scratch.workspace, 'outputs');
  for (const made of [source, folder]) mkdirSync(made);
  const pictureOf = (number: number): string => path.join(source, `${number % pictures}.png`);
  for (let number = 0; number < pictures; number++) writeFileSync(pictureOf(number), picture(number));
  await writeGalleryRuns(folder, outputs, (file, number) => link(pictureOf(number), file));
}

/** A picture with enough content for a typical length. */
function picture(number: number): Uint8Array {
  const data = new Uint8Array(side * side * 3);
  for (let at = 0, seed = number + 1; at < data.length; at++) {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    data[at] = 128 + 64 * Math.sin(at / (700 + number * 40)) + (seed >> 25);
  }
  return encodePng({ width: side, height: side, channels: 3, data });
}

/** Scrolls by a share of the whole height, as much in each frame as time has passed, and counts the frames. */
function frames(
  grid: Locator,
  share: number,
  duration: number,
): Promise<Pick<ScrollPart, 'framesPerSecond' | 'longestFrame'>> {
  return grid.evaluate(
    (root, way) =>
      new Promise<{ framesPerSecond: number; longestFrame: number }>((resolve) => {
        const start = performance.now();
        const from = root.scrollTop;
        const distance = (root.scrollHeight - root.clientHeight) * way.share;
        let [count, last, longestFrame] = [0, start, 0];
        const step = (): void => {
          const now = performance.now();
          count++;
          longestFrame = Math.max(longestFrame, now - last);
          last = now;
          root.scrollTop = from + (distance * Math.min(now - start, way.duration)) / way.duration;
          if (now - start < way.duration) requestAnimationFrame(step);
          else resolve({ framesPerSecond: (count * 1000) / (now - start), longestFrame });
        };
        requestAnimationFrame(step);
      }),
    { share, duration },
  );
}

async function held(
  browser: Browser,
  session: CDPSession,
): Promise<Pick<ScrollPart, 'heapBytes' | 'processBytes'>> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const system = await browser.newBrowserCDPSession();
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  await system.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id));
  return { heapBytes: usedSize, processBytes: Math.max(0, ...renderers) };
}

/** The memory of a process; known on Linux only. */
function residentBytes(id: number): number {
  const file = `/proc/${id}/status`;
  const [, kilobytes] = (existsSync(file) && /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))) || [];
  return Number(kilobytes ?? 0) * 1024;
}
