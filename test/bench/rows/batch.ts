import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../../src/sandbox/sandbox';
import { findChromium, launchChromium } from '../../support/chromium';
import { installVsCode } from '../../support/installVsCode';
import { CannotRun } from '../../support/partResult';
import { Scratch } from '../../support/scratch';
import { installVsix, startVsCodeServer } from '../../support/vsCodeServer';
import { newest } from '../../support/vsCodeVersions';
import { packageVsix } from '../../support/vsix';
import { Workbench } from '../../support/workbench';
import { HostWatch, packageHostWatch } from '../hostWatch';
import type { BenchRow, Measurement } from '../row';
import { mb, ms } from '../timing';

const rows = 500;
/** By then everything is loaded and compiled. */
const warm = 100;
const limitMs = 50;
const limitBytes = 8 * 2 ** 20;

const workflow = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 1 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shot' } },
};

/** Starts the batch from its file, with the contact sheet and the Jobs view in sight. */
async function start(workbench: Workbench, { url }: Sandbox): Promise<void> {
  const batch = {
    format: 1,
    workflow: 'many.json',
    set: { 'EmptyImage.color': { from: 1, to: rows, step: 1 } },
    servers: [url],
    window: 4,
    stopAfterErrors: rows,
  };
  workbench.write('many.json', JSON.stringify(workflow));
  workbench.write('many.batch.json', JSON.stringify(batch));
  await workbench.openFile('many.batch.json');
  await workbench.page.locator('.codelens-decoration a', { hasText: 'Run Batch' }).first().click();
  await workbench.activity('Comfy Deck').click();
  await workbench.treeRow('Batch many.json').first().waitFor();
  // The row is drawn anew ten times per second.
  await workbench.command('Comfy Deck: Open Batch…');
  await workbench.choice('many.json').click();
  await workbench.webview().getByRole('heading', { name: 'Contact Sheet' }).waitFor();
}

async function untilAccepted({ seen }: Sandbox, count: number): Promise<void> {
  while (seen.accepted.length < count) await sleep(100);
}

async function inWindow(): Promise<Measurement> {
  const chromium = findChromium();
  const vsCode = installVsCode(newest);
  const scratch = new Scratch();
  const extensionsDir = path.join(scratch.home, 'extensions');
  mkdirSync('out', { recursive: true });
  installVsix(vsCode, scratch, packageHostWatch(path.resolve('out/host-watch')), extensionsDir);
  installVsix(vsCode, scratch, packageVsix(path.resolve('out/comfy-deck-bench.vsix')).file, extensionsDir);
  const sandbox = await startSandbox({ dialect: 'local' });
  scratch.changeSettings({
    'comfyDeck.servers': [{ name: 'Bench', url: sandbox.url }],
    'comfyDeck.server': 'Bench',
    'comfyDeck.openPreviewOnRun': false,
  });
  const server = await startVsCodeServer(vsCode, scratch, { extensionsDir });
  const browser = await launchChromium(chromium);
  try {
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
    page.setDefaultTimeout(60_000);
    const workbench = new Workbench(page, scratch, server.address(scratch.workspace));
    await workbench.open();
    const watch = new HostWatch(scratch);
    await start(workbench, sandbox);
    await untilAccepted(sandbox, warm);
    const before = await watch.ask();
    const started = performance.now();
    await untilAccepted(sandbox, rows - 5);
    const seen = await watch.ask();
    const perRow = (performance.now() - started) / (rows - 5 - warm);
    await workbench.webview().getByText(`Done, ${rows} of ${rows} runs saved`).waitFor();
    await watch.ask();
    await sleep(10_000);
    const idle = await watch.ask();
    const grownBytes = seen.bytes - before.bytes;
    return {
      what: `batch of ${rows} rows in a window: extension host blocked`,
      bar: `< ${limitMs} ms, memory flat`,
      value: `${ms(seen.busy)} at most (${ms(seen.blocked)} with waiting for a processor); ${mb(grownBytes)} more after ${rows - warm} rows; ${ms(perRow)} per row`,
      yardstick: `the same host idle: ${ms(idle.busy)} (${ms(idle.blocked)})`,
      held: seen.busy < limitMs && grownBytes < limitBytes,
      numbers: {
        busyMs: seen.busy,
        blockedMs: seen.blocked,
        idleBusyMs: idle.busy,
        startBusyMs: before.busy,
        grownBytes,
        rowMs: perRow,
      },
    };
  } finally {
    await browser.close();
    await server.group.end();
    await sandbox.close();
    scratch.remove();
  }
}

export const batch: BenchRow = {
  name: 'batch',
  patience: 600_000,
  measure: async () => {
    try {
      return [await inWindow()];
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      const what = `batch of ${rows} rows in a window`;
      return [{ what, bar: '-', value: `not measured: ${error.message}`, numbers: {} }];
    }
  },
};
