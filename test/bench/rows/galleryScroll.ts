import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { link } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { Scratch } from '../../support/scratch';
import type { Workbench } from '../../support/workbench';
import { encodePng } from '../../../src/sandbox/drawing/picture';
import { inWindows } from '../inWindow';
import { type BenchRow, mb, type Measurement } from '../measure';
import { noisyPicture } from './previews';
import { writeRuns } from './records';

/** Different pictures; the outputs are further names of these. */
const pictures = 24;
const parts = 6;
const partMs = 10_000;
/** The first parts fill what is kept of thumbnails. */
const filling = 2;
const flat = 64 * 2 ** 20;

async function writeOutputs({ home, workspace }: Scratch): Promise<void> {
  const [source, folder] = [path.join(home, 'pictures'), path.join(workspace, 'outputs')];
  for (const made of [source, folder]) mkdirSync(made);
  const pictureOf = (number: number): string => path.join(source, `${number % pictures}.png`);
  for (let number = 0; number < pictures; number++)
    writeFileSync(pictureOf(number), encodePng(noisyPicture(number)));
  await writeRuns(folder, (file, number) => link(pictureOf(number), file));
}

/** Scrolls from the first output to the last at a constant speed. What the page's process holds after each part. */
async function scroll(workbench: Workbench, browser: Browser): Promise<number[]> {
  await workbench.command('Comfy Deck: Open Gallery');
  const panel = workbench.webview();
  await panel.getByText('10000 outputs').waitFor();
  await panel.locator('.tile canvas').first().waitFor();
  const grid = panel.getByRole('listbox', { name: 'Outputs' });
  const session = await workbench.page.context().newCDPSession(workbench.page);
  const held: number[] = [];
  for (let part = 0; part < parts; part++) {
    await grid.evaluate(
      (root, { share, duration }) =>
        new Promise<void>((resolve) => {
          const [start, from] = [performance.now(), root.scrollTop];
          const distance = (root.scrollHeight - root.clientHeight) * share;
          const step = (): void => {
            const passed = Math.min(performance.now() - start, duration);
            root.scrollTop = from + (distance * passed) / duration;
            if (passed < duration) requestAnimationFrame(step);
            else resolve();
          };
          requestAnimationFrame(step);
        }),
      { share: 1 / parts, duration: partMs },
    );
    await session.send('HeapProfiler.collectGarbage');
    const system = await browser.newBrowserCDPSession();
    const { processInfo } = await system.send('SystemInfo.getProcessInfo');
    await system.detach();
    const renderers = processInfo.filter(({ type }) => type === 'renderer');
    held.push(Math.max(...renderers.map(({ id }) => residentBytes(id))));
  }
  return held;
}

/** The memory of a process; known on Linux only. */
function residentBytes(id: number): number {
  const file = `/proc/${id}/status`;
  const [, kilobytes] = (existsSync(file) && /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))) || [];
  return Number(kilobytes ?? 0) * 1024;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

async function measureScrolling(): Promise<Measurement[]> {
  const [held = []] = await inWindows({ windows: 1, prepare: writeOutputs }, scroll);
  const kept = held.slice(filling);
  // From the first half to the second: collections come and go between parts.
  const growthBytes = mean(kept.slice(kept.length / 2)) - mean(kept.slice(0, kept.length / 2));
  return [
    {
      what: `scrolling 10,000 outputs in ${(parts * partMs) / 1000} s: memory of the page once thumbnails are kept`,
      bar: `flat within ${mb(flat)}`,
      value: `${mb(growthBytes)} more, ${held.map(mb).join(', ')}`,
      held: Math.abs(growthBytes) < flat,
      numbers: { growthBytes, heldBytes: held.at(-1) ?? NaN },
    },
  ];
}

export const galleryScroll: BenchRow = {
  name: 'galleryScroll',
  patience: 600_000,
  measure: measureScrolling,
};
