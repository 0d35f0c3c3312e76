import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const workflow = 'text-to-image.json';
const apiKey = 'test-key';

const started: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
});

async function sandbox(options: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  const server = await startSandbox({ timing: 'human', ...options });
  started.push(server);
  return server;
}

/** Opens the sample and presses Run in the editor's title, as a user would. */
async function run(workbench: Workbench): Promise<void> {
  await workbench.activity('Comfy Deck').click();
  await workbench.openFile(workflow);
  await workbench.editorAction('Run Workflow').click();
}

/** Long enough for its previews to be seen, however slow the window is. */
function takesLonger(workbench: Workbench, steps: number): void {
  workbench.write(workflow, workbench.read(workflow).replace('"steps": 20', `"steps": ${steps}`));
}

async function seesPreviewFrame(workbench: Workbench): Promise<void> {
  const canvas = workbench.webview().locator('canvas[data-frames]');
  await canvas.waitFor();
  const painted = await canvas.evaluate((element) => {
    const drawn = element as HTMLCanvasElement;
    const pixels = drawn.getContext('2d')?.getImageData(0, 0, drawn.width, drawn.height).data ?? [];
    return new Set(pixels).size;
  });
  expect(painted, 'different values among the pixels of the painted frame').toBeGreaterThan(16);
}

/** Waits for the finished row and the saved picture, in the panel and in the folder; returns the picture's name. */
async function seesOutputs(workbench: Workbench): Promise<string> {
  await workbench.treeRow('Finished').waitFor();
  await workbench
    .treeRow(`${workflow}, completed`)
    .or(workbench.treeRow(`${workflow}, Completed`))
    .waitFor();
  const picture = workbench.webview().locator('img.picture');
  await picture.waitFor();
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await workbench.fileAppears('outputs');
  const made = readdirSync(workbench.path('outputs')).filter((name) => name.endsWith('.png'));
  expect(made).toHaveLength(1);
  return made[0] ?? '';
}

describe('a workflow run in the workbench', () => {
  test.override({ opensLater: true });

  test('on the sandbox: shows previews while it runs, then the picture in panel, tree and Explorer', async ({
    workbench,
  }) => {
    takesLonger(workbench, 100);
    await workbench.open();
    await workbench.selectServer('Sandbox');
    await run(workbench);
    await workbench.treeRow('Running').waitFor();
    await workbench.treeRow(`${workflow}, `).first().waitFor();
    await seesPreviewFrame(workbench);
    await workbench.picture('running');
    const name = await seesOutputs(workbench);

    await workbench.activity('Explorer').click();
    await workbench.command('Explorer: Focus on Folders View');
    await workbench.treeRow('outputs').click();
    await workbench.page.locator('.explorer-folders-view', { hasText: name }).waitFor();
  });

  test('with a paid node: says what it cost in its row, its record and the gallery', async ({
    workbench,
  }) => {
    await workbench.open();
    await workbench.selectServer('Sandbox');
    await workbench.activity('Comfy Deck').click();
    await workbench.openFile('partner-image.json');
    await workbench.editorAction('Run Workflow').click();
    await workbench.treeRow('partner-image.json, completed').filter({ hasText: 'credits' }).waitFor();
    await workbench.picture('price-row');
    const record = (): string | undefined =>
      readdirSync(workbench.path('outputs')).find((name) => name.endsWith('.run.json'));
    await workbench.fileAppears('outputs');
    await expect.poll(record).toBeDefined();
    await workbench.openFile(record() ?? '');
    await (await workbench.webviewWith('Cost')).getByText('6 credits').first().waitFor();
    await workbench.picture('price-record');
    await workbench.command('Comfy Deck: Open Gallery');
    const gallery = await workbench.webviewWith('1 output');
    await gallery.getByRole('option', { name: '6 credits' }).first().click();
    await gallery.getByRole('toolbar', { name: 'Actions' }).getByText('6 credits').waitFor();
    await workbench.picture('price-gallery');
  });

  test('with a key: sends it only to the server, never to storage, logs, settings or the panel', async ({
    workbench,
  }) => {
    const cloud = await sandbox({ dialect: 'cloud', apiKey });
    await workbench.changeSettings({ 'comfyDeck.servers': [{ name: 'My Cloud', url: cloud.url }] });
    await workbench.selectServer('My Cloud');
    await workbench.command('Comfy Deck: Sign In');
    await workbench.answer('API key for', apiKey);
    await workbench.notification('Signed in to My Cloud').waitFor();
    await run(workbench);
    await seesOutputs(workbench);

    const toServer = cloud.seen.requests.filter(({ origin }) => origin === 'server');
    expect(toServer.some(({ credentials }) => credentials.apiKey)).toBe(true);
    const toStorage = cloud.seen.requests.filter(({ origin }) => origin === 'storage');
    expect(toStorage.length, 'downloads from the storage').toBeGreaterThan(0);
    for (const { credentials } of toStorage) {
      expect(credentials).toEqual({ apiKey: false, authorization: false, cookie: false, token: false });
    }
    expect(filesThatHold(workbench.scratch.home, apiKey)).toEqual([]);
    const panel = workbench.webview().locator('html');
    expect(await panel.evaluate((element) => element.outerHTML)).not.toContain(apiKey);
  });
});

describe('a workflow run on a local server', () => {
  test.override({ shared: true, opensLater: true });

  let local: Sandbox;
  beforeAll(async () => {
    local = await startSandbox({ timing: 'human', dialect: 'local' });
  });
  afterAll(() => local.close());

  test('cancelled: keeps its last preview, and does not call it live', async ({ workbench }) => {
    takesLonger(workbench, 400);
    await workbench.opensOn('My ComfyUI', local.url);
    await run(workbench);
    await seesPreviewFrame(workbench);
    const caption = workbench.webview().locator('.live .caption');
    await caption.filter({ hasText: /^Live preview of / }).waitFor();
    await workbench.webview().getByRole('button', { name: 'Cancel', exact: true }).click();
    await workbench.treeRow(`${workflow}, cancelled`).waitFor();
    await caption.filter({ hasText: /^Last preview of / }).waitFor();
    await workbench.picturesInThemes('cancelled');
  });

  test('with a loop: says which iteration it is in, and goes on showing previews', async ({ workbench }) => {
    await workbench.opensOn('My ComfyUI', local.url);
    await workbench.activity('Comfy Deck').click();
    const three = workbench.read('loop.json');
    workbench.write('loop.json', three.replace('"mode.max_iteration": 103', '"mode.max_iteration": 106'));
    await workbench.openFile('loop.json');
    await workbench.editorAction('Run Workflow').click();
    await workbench.treeRow('loop.json, running').locator('.monaco-tl-twistie').click();
    const loop = workbench.page.locator('.sidebar .monaco-list-row', { hasText: 'Start Loop' });
    await loop.filter({ hasText: /Iteration [2-6] of 6/ }).waitFor();
    await workbench
      .webview()
      .getByText(/Start Loop: Iteration \d of 6/)
      .waitFor();
    await workbench.webview().locator('canvas[data-frames]').waitFor();
    await workbench.picture('loop-running');
    await workbench.treeRow('loop.json, completed').or(workbench.treeRow('loop.json, Completed')).waitFor();
    await workbench.webview().locator('img.picture').first().waitFor();
    await workbench.picturesInThemes('loop-finished');
    for (const part of [workbench.page.locator('.sidebar'), workbench.webview().locator('body')]) {
      expect(await part.innerText()).not.toMatch(/\biteration_|progress_\d/);
    }
  });

  // Its job runs on: the last of them.
  test('with fast steps: its row keeps up', async ({ workbench }) => {
    await workbench.opensOn('My ComfyUI', local.url);
    await workbench.activity('Comfy Deck').click();
    workbench.write('fast.json', JSON.stringify(smallPrompt(3, 400)));
    await workbench.openFile('fast.json');
    await workbench.editorAction('Run Workflow').click();
    const row = workbench.treeRow('fast.json, running');
    await row.filter({ hasText: /step [1-9]\d\d\/400/ }).waitFor({ timeout: 60_000 });
  });
});

/** Logs, settings, stored state and workspace: every file of this test's VS Code. */
function filesThatHold(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    .filter((file) => readFileSync(file).includes(text));
}
