import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished } from 'vitest';
import { readRunRecord } from '../../src/core/records/runRecord';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const rows = 12;
/** A row takes more than a second. */
const workflow = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 1 } },
  '2': { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps: 20 } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'shot' } },
};

async function sandbox(): Promise<Sandbox> {
  const started = await startSandbox({ dialect: 'local', timing: 'human' });
  onTestFinished(() => started.close());
  return started;
}

/** Runs a batch over these servers from its file, and shows its contact sheet. */
async function start(workbench: Workbench, servers: Readonly<Record<string, Sandbox>>): Promise<void> {
  const [first = ''] = Object.keys(servers);
  workbench.write('colors.json', JSON.stringify(workflow, null, 2));
  const batch = {
    format: 1,
    workflow: 'colors.json',
    set: { 'EmptyImage.color': { from: 1, to: rows * 20, step: 20 } },
    servers: Object.values(servers).map(({ url }) => url),
    window: 1,
  };
  workbench.write('colors.batch.json', JSON.stringify(batch, null, 2));
  await workbench.changeSettings({
    'comfyDeck.servers': Object.entries(servers).map(([name, { url }]) => ({ name, url })),
    'comfyDeck.server': first,
    'comfyDeck.openPreviewOnRun': false,
  });
  await workbench.openFile('colors.batch.json');
  await workbench.page
    .locator('.codelens-decoration', { hasText: `${rows} runs` })
    .first()
    .waitFor();
  await workbench.page.locator('.codelens-decoration a', { hasText: 'Run Batch' }).first().click();
  await workbench.activity('Comfy Deck').click();
  await workbench.treeRow('Batch colors.json').first().click();
  await workbench.webview().getByRole('heading', { name: 'Contact Sheet: colors.json' }).waitFor();
}

/** The rows of the batch with a saved record, in their order. */
function savedRows(workbench: Workbench): readonly number[] {
  return readdirSync(workbench.path('outputs'))
    .filter((name) => name.endsWith('.run.json'))
    .flatMap((name) => readRunRecord(workbench.read('outputs', name)) ?? [])
    .filter(({ state }) => state === 'saved')
    .map(({ batch }) => batch?.row ?? -1)
    .sort((one, other) => one - other);
}

const allRows = Array.from({ length: rows }, (_, row) => row);

describe('a batch over two servers', () => {
  test.override({ opensLater: true });

  test('is finished by the other when one dies, each row once', async ({ workbench }) => {
    const [dying, good] = [await sandbox(), await sandbox()];
    await start(workbench, { Dying: dying, Good: good });
    const panel = workbench.webview();
    await panel.getByText(/\b[2-9] of 12 runs saved/).waitFor();
    await panel.getByRole('button', { name: 'Pause' }).click();
    await panel.getByText(/^Paused, \d+ of 12 runs saved$/).waitFor();
    await dying.close();
    await panel.getByRole('button', { name: 'Resume' }).click();
    await panel.getByText('Completed, 12 of 12 runs saved').waitFor();
    await workbench.treeRow('Batch colors.json').first().click();
    await workbench.picture('batch-two-servers');
    expect(savedRows(workbench)).toEqual(allRows);
    expect(dying.seen.accepted.length).toBeGreaterThan(0);
    expect(new Set([...dying.seen.accepted, ...good.seen.accepted]).size).toBe(rows);
    expect(dying.seen.accepted.length + good.seen.accepted.length).toBe(rows);
  });

  test('is finished by Resume Batch after a reload in the middle, each row once', async ({ workbench }) => {
    const [one, two] = [await sandbox(), await sandbox()];
    await start(workbench, { One: one, Two: two });
    await workbench
      .webview()
      .getByText(/\b[2-9] of 12 runs saved/)
      .waitFor();
    await workbench.reloadWindow();
    const row = workbench.treeRow('Batch colors.json').first();
    await row.waitFor();
    await expect.poll(() => row.getAttribute('aria-label')).toMatch(/stopped/i);
    const before = one.seen.accepted.length + two.seen.accepted.length;
    expect(before).toBeLessThan(rows);
    await workbench.rowAction('Batch colors.json', 'Resume Batch');
    // A browser that reloads may not have stored yet which panels were open.
    await row.click();
    const panel = await workbench.webviewWith('Contact Sheet: colors.json');
    await panel.getByText('Completed, 12 of 12 runs saved').waitFor();
    expect(savedRows(workbench)).toEqual(allRows);
    expect(one.seen.accepted.length + two.seen.accepted.length).toBe(rows);
  });

  test('is listed after a reload as it was, and opens by its file', async ({ workbench }) => {
    const [one, two] = [await sandbox(), await sandbox()];
    await start(workbench, { One: one, Two: two });
    await workbench.webview().getByText('Completed, 12 of 12 runs saved').waitFor();
    await workbench.tab('colors.json, ').waitFor();
    await workbench.reloadWindow();
    const restored = await workbench.webviewWith('Contact Sheet: colors.json');
    await restored.getByText('Completed, 12 of 12 runs saved').waitFor();
    await workbench.treeRow('Batch colors.json, 12 of 12 saved').waitFor();
    await workbench.command('View: Close All Editors');
    await workbench.command('Comfy Deck: Open Batch…');
    await workbench.choice('colors.json').waitFor();
    await workbench.picture('batch-list-reloaded');
    await workbench.page.keyboard.press('Escape');

    const [file = ''] = readdirSync(workbench.path('outputs')).filter((name) =>
      name.endsWith('.batch-run.json'),
    );
    await workbench.openFile(file);
    const sheet = workbench.webview();
    await sheet.getByText('Completed, 12 of 12 runs saved').waitFor();
    await expect.poll(() => sheet.locator('.cell img').count()).toBe(rows);
    // Its jobs are below it, and nowhere else.
    await workbench.treeRow('Batch colors.json, 12 of 12 saved').waitFor();
    expect(await workbench.treeRow('colors.json').count()).toBe(0);
    await workbench.picture('batch-sheet-reloaded');
    expect(one.seen.accepted.length + two.seen.accepted.length).toBe(rows);
  });
});
