import type { FrameLocator } from 'playwright-core';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox';
import { type ComfyPageServer, comfyPageServer } from '../support/comfyPage/comfyPageServer';
import { sendJson } from '../support/loopback';
import { nightlyTest, test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const soon = { timeout: 30_000 };
const fox = JSON.stringify(
  {
    nodes: [
      {
        id: 3,
        type: 'KSampler',
        pos: [300, 60],
        size: [200, 100],
        widgets_values: ['seed', 'euler'],
      },
      { id: 5, type: 'Note', pos: [40, 60], size: [200, 100], widgets_values: ['a fox'] },
    ],
    links: [],
    own: { kept: 1.0 },
    version: 0.4,
  },
  null,
  3,
).replace('"seed"', '18446744073709551615');

let server: ComfyPageServer | undefined;
afterAll(() => server?.close());

async function withServer(workbench: Workbench): Promise<ComfyPageServer> {
  server ??= await comfyPageServer();
  await workbench.opensOn('Home', server.url);
  return server;
}

/** The editor that shows a file in ComfyUI: the page around, and the one of ComfyUI. Hidden ones are kept. */
async function canvasOf(
  workbench: Workbench,
  file: string,
): Promise<{ around: FrameLocator; page: FrameLocator }> {
  const frames = workbench.page.locator('iframe.webview.ready');
  for (const end = Date.now() + 40_000; Date.now() < end;) {
    for (let nth = 0; nth < (await frames.count()); nth++) {
      const around = workbench.webview(nth);
      const page = around.frameLocator('iframe');
      const isIt = page.locator('nav', { hasText: file }).isVisible();
      if (await isIt.catch(() => false)) return { around, page };
    }
    await workbench.page.waitForTimeout(200);
  }
  throw new Error(`No page shows ${file}.`);
}

async function openCanvas(workbench: Workbench, file: string, text = fox): Promise<FrameLocator> {
  workbench.write(file, text);
  await workbench.openFile(file);
  await workbench.editorAction('Edit in ComfyUI').click();
  const { page } = await canvasOf(workbench, `>${file}`);
  await page.locator('nav[data-loads]').waitFor();
  await page.locator('body:not([inert])').waitFor();
  return page;
}

async function drag(
  workbench: Workbench,
  page: FrameLocator,
  node: number,
  by: readonly [number, number],
): Promise<void> {
  const box = await page.locator(`[data-id="${node}"] h1`).boundingBox();
  if (!box) throw new Error(`Node ${node} is not in sight.`);
  const { mouse } = workbench.page;
  await mouse.move(box.x + 20, box.y + 8);
  await mouse.down();
  await mouse.move(box.x + 20 + by[0], box.y + 8 + by[1], { steps: 3 });
  await mouse.up();
}

describe('a workflow file in the ComfyUI page', () => {
  test.override({ settings: { 'files.autoSave': 'off' }, ownPorts: true, opensLater: true });

  test('takes the smallest edits, and saves from either side', async ({ workbench }) => {
    await withServer(workbench);
    const page = await openCanvas(workbench, 'fox.json');
    const dirty = workbench.page.locator('.tab.active.dirty', { hasText: 'fox.json' });
    expect(await page.locator('nav').textContent()).toBe('>fox.json');
    expect(await dirty.count()).toBe(0);
    await drag(workbench, page, 5, [10, 20]);
    await dirty.waitFor();
    await page.locator('nav', { hasText: 'fox.json*' }).waitFor();
    await workbench.picture('canvas');
    await page.locator('body').press('Control+s');
    await dirty.waitFor({ state: 'detached' });
    const moved = fox.replace(/40,\s+60/, (text) => text.replace('40', '50').replace('60', '80'));
    expect(workbench.read('fox.json')).toBe(moved);
    await page.locator('nav', { hasText: /^>fox\.json$/ }).waitFor();

    // Typed without a click elsewhere, saved by VS Code.
    await page.getByLabel('5.0').fill('a red fox');
    await workbench.command('File: Save');
    await expect.poll(() => workbench.read('fox.json'), soon).toBe(moved.replace('a fox', 'a red fox'));
  });

  test('is undone on both sides, byte for byte, and follows what changes elsewhere', async ({
    workbench,
  }) => {
    await withServer(workbench);
    const page = await openCanvas(workbench, 'undo.json');
    const text = (): Promise<string> =>
      page.locator('[data-id="5"]').evaluate((node) => node.style.translate);
    const dirty = workbench.page.locator('.tab.dirty', { hasText: 'undo.json' }).last();
    await drag(workbench, page, 5, [10, 20]);
    await dirty.waitFor();
    await page.locator('[data-id="3"]').press('Delete');
    await page.locator('body').press('Control+z');
    await page.locator('[data-id="3"]').waitFor();
    await page.locator('body').press('Control+s');
    await dirty.waitFor({ state: 'detached' });
    expect(workbench.read('undo.json')).toBe(
      fox.replace(/40,\s+60/, (at) => at.replace('40', '50').replace('60', '80')),
    );
    await page.locator('body').press('Control+z');
    await dirty.waitFor();
    await workbench.command('File: Save');
    await dirty.waitFor({ state: 'detached' });
    expect(workbench.read('undo.json')).toBe(fox);

    // VS Code's undo loads the page in the same tab, without a step that the page could undo.
    await workbench.command('View: Split Editor Right').catch(() => undefined);
    await workbench.command('View: Reopen Editor With Text Editor');
    await workbench.page.keyboard.press('Control+z');
    await expect.poll(text, soon).toBe('50px 80px');
    await page.locator('nav', { hasText: 'undo.json*' }).waitFor();

    // A change on disk.
    await workbench.command('File: Save');
    await dirty.waitFor({ state: 'detached' });
    workbench.write('undo.json', fox.replace('a fox', 'a wolf'));
    await expect.poll(() => page.getByLabel('5.0').inputValue(), soon).toBe('a wolf');
    await expect.poll(text, soon).toBe('40px 60px');
    await page.locator('nav', { hasText: /^>undo.json$/ }).waitFor();
  });

  test('says what it does not write, and undoes it', async ({ workbench }) => {
    await withServer(workbench);
    const odd = fox.replace('"Note"', '"Unknown"');
    const page = await openCanvas(workbench, 'odd.json', odd);
    await page.getByLabel('5.0').fill('lost');
    await page.locator('nav').click();
    const bar = (await canvasOf(workbench, 'odd.json')).around.locator('.canvas-bar');
    await bar.getByText('without losing other parts').waitFor();
    await expect.poll(() => page.getByLabel('5.0').inputValue(), soon).toBe('a fox');
    // Until it has loaded the file again, it takes no edit that it couldn't tell from the file.
    await page.locator('body:not([inert])').waitFor();
    await workbench.picture('canvas-refused');
    await drag(workbench, page, 5, [10, 0]);
    await bar.getByText('without losing').waitFor({ state: 'detached' });
    await page.locator('body').press('Control+s');
    await expect.poll(() => workbench.read('odd.json'), soon).toBe(odd.replace(/40,(\s+)60/, '50,$160'));

    // Another workflow in the page.
    const frame = workbench.page
      .frames()
      .find((each) => each.url().includes('.localhost') && each.name() !== '');
    await frame?.evaluate(() =>
      (Reflect.get(window, 'openTemporary') as (name: string, graph: object) => void)('Other', {
        nodes: [],
        links: [],
        version: 0.4,
      }),
    );
    await bar.getByText('ComfyUI shows another workflow').waitFor();
    await workbench.picture('canvas-other');
    await bar.getByRole('button', { name: 'Save As…' }).click();
    await workbench.quickInput.waitFor();
    await workbench.page.getByRole('button', { name: 'OK' }).click();
    await workbench.tab('Other.json').first().waitFor();
    expect(JSON.parse(workbench.read('Other.json'))).toMatchObject({ nodes: [] });
    expect(workbench.read('odd.json')).toBe(odd.replace(/40,(\s+)60/, '50,$160'));
  });

  nightlyTest(
    'is kept while hidden, but for the oldest of four, and comes back after a reload',
    async ({ workbench }) => {
      await withServer(workbench);
      const first = await openCanvas(workbench, 'one.json');
      await first.getByLabel('5.0').fill('typed');
      for (const file of ['two.json', 'three.json', 'four.json']) await openCanvas(workbench, file);
      const pages = (): number =>
        workbench.page.frames().filter((each) => /\.localhost/.test(each.url())).length;
      await expect.poll(pages, soon).toBe(3);
      await workbench.openFile('one.json');
      await expect
        .poll(async () => (await canvasOf(workbench, 'one.json')).page.getByLabel('5.0').inputValue(), soon)
        .toBe('typed');
      await expect.poll(pages, soon).toBe(3);
      await workbench.reloadWindow();
      await expect
        .poll(async () => (await canvasOf(workbench, 'one.json')).page.getByLabel('5.0').inputValue(), soon)
        .toBe('typed');
      await workbench.page.locator('.tab.active.dirty', { hasText: 'one.json' }).waitFor();
      expect(workbench.read('one.json')).toBe(fox);
      await workbench.command('File: Save');
      await workbench.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
    },
  );

  test('is edited and saved in a tab of the browser as well', async ({ workbench }) => {
    await withServer(workbench);
    workbench.write('tab.json', fox);
    await workbench.openFile('tab.json');
    const opened = workbench.page.context().waitForEvent('page');
    await workbench.command('Comfy Deck: Open in ComfyUI (Browser)');
    const tab = await opened;
    await tab.locator('nav[data-loads]').waitFor();
    await tab.locator('body:not([inert])').waitFor();
    await tab.getByLabel('5.0').fill('a red fox');
    await workbench.page.locator('.tab.dirty', { hasText: 'tab.json' }).waitFor();
    await tab.locator('body').press('Control+s');
    await expect.poll(() => workbench.read('tab.json'), soon).toBe(fox.replace('a fox', 'a red fox'));
    // Both are in step with the text.
    await workbench.editorAction('Edit in ComfyUI').click();
    const { page } = await canvasOf(workbench, '>tab.json');
    await page.locator('nav[data-loads]').waitFor();
    await page.locator('body:not([inert])').waitFor();
    await page.getByLabel('5.0').fill('a wolf');
    await page.locator('body').press('Control+s');
    await expect.poll(() => tab.getByLabel('5.0').inputValue(), soon).toBe('a wolf');
    // What isn't written is said where the user looks.
    await tab.evaluate(() => fetch('api/userdata/workflows%2Ftab.json', { method: 'DELETE' }));
    await tab.getByText('Rename or delete the file in VS Code.').waitFor();
    // A second one takes the file from the first, which takes no more edits.
    const again = workbench.page.context().waitForEvent('page');
    await workbench.command('Comfy Deck: Open in ComfyUI (Browser)');
    await (await again).locator('nav[data-loads]').waitFor();
    await tab.bringToFront();
    await tab.evaluate(() => window.dispatchEvent(new Event('focus')));
    await tab.getByText('no longer connected to VS Code').waitFor();
    await tab.locator('body[inert]').waitFor();
    await Promise.all([tab.close(), (await again).close()]);
  });

  test('runs as a run of its file, and keeps the seeds that it had', async ({ workbench }) => {
    const sandbox = await startSandbox({ dialect: 'local' });
    const home = await comfyPageServer({ behind: sandbox.url });
    onTestFinished(async () => {
      await home.close();
      await sandbox.close();
    });
    await workbench.opensOn('Home', home.url);
    const page = await openCanvas(workbench, 'run.json', fox.replace('18446744073709551615', '5'));
    const frame = workbench.page.frames().findLast((each) => /\.localhost/.test(each.url()));
    const answer = await frame?.evaluate(() =>
      (Reflect.get(window, 'runPrompt') as (prompt: object, count: number) => Promise<unknown>)(
        {
          1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 255 } },
          2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'fox' } },
        },
        3,
      ),
    );
    expect(answer).toMatchObject({
      prompt_id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      node_errors: {},
    });
    await workbench.activity('Comfy Deck').click();
    await workbench.treeRow('run.json').first().waitFor();
    await expect
      .poll(() => frame?.evaluate(() => Reflect.get(window, 'heard') as string[]), soon)
      .toContain('execution_success');
    const records = (): string[] =>
      readdirSync(workbench.path('outputs')).filter((name) => name.endsWith('.run.json'));
    await expect.poll(() => records().length, soon).toBe(1);
    const record: unknown = JSON.parse(workbench.read('outputs', records()[0] ?? ''));
    expect(record).toMatchObject({
      label: 'run.json',
      sourceHash: createHash('sha256').update(fox.replace('18446744073709551615', '5')).digest('hex'),
      state: 'saved',
      nodes: { 2: { title: 'SaveImage' } },
    });
    // The seed that the page rolled is its own; what is edited afterwards is written.
    expect(await page.getByLabel('3.0').inputValue()).toBe('77');
    await page.getByLabel('5.0').fill('a wolf');
    await page.locator('body').press('Control+s');
    await expect
      .poll(() => workbench.read('run.json'), soon)
      .toBe(fox.replace('18446744073709551615', '5').replace('a fox', 'a wolf'));
  });

  nightlyTest('begins as a copy of what the server offers, or empty', async ({ workbench }) => {
    const { answers } = await withServer(workbench);
    const templates = [{ name: 'one', title: 'A red fox', description: 'Draws a fox' }];
    answers.set('/templates/index.json', (response) =>
      sendJson(response, 200, [{ title: 'Basics', templates }]),
    );
    answers.set('/templates/one.json', (response) => void response.end(fox));
    await workbench.command('Comfy Deck: New Workflow…');
    await workbench.quickInput.waitFor();
    await workbench.page.getByText('Draws a fox').waitFor();
    await workbench.picture('canvas-new');
    await workbench.quickInput.fill('fox');
    await workbench.choice('A red fox').click();
    const { page } = await canvasOf(workbench, '>A red fox');
    await page.locator('nav[data-loads]').waitFor();
    await page.locator('body:not([inert])').waitFor();
    expect(workbench.read('A red fox.json')).toBe(fox);
    await workbench.command('Comfy Deck: New Workflow…');
    await workbench.choice('Empty workflow').click();
    await canvasOf(workbench, '>workflow');
    expect(JSON.parse(workbench.read('workflow.json'))).toMatchObject({ nodes: [], version: 0.4 });
    await workbench.command('View: Close All Editors');
    await workbench.command('Comfy Deck: New Workflow…');
    await workbench.quickInput.fill('Joins and changes');
    await workbench.choice('Joins and changes texts').click();
    await workbench.page.locator('.view-line', { hasText: 'class_type' }).first().waitFor();
  });

  nightlyTest(
    'is saved on the server, over another one only after a look at the difference',
    async ({ workbench }) => {
      const { answers, arrivals } = await withServer(workbench);
      let stored: string | undefined;
      answers.set('/api/userdata/workflows%2Fmine.json', (response) => {
        if (response.req.method === 'GET') response.writeHead(stored === undefined ? 404 : 200).end(stored);
        else if (stored !== undefined && response.req.url?.endsWith('overwrite=false') === true)
          response.writeHead(409).end();
        else {
          stored = arrivals.at(-1)?.body;
          sendJson(response, 200, 'workflows/mine.json');
        }
      });
      const save = async (): Promise<void> => {
        await workbench.command('Comfy Deck: Save to Server…');
        await workbench.page.getByText('Workflow name').waitFor();
        await workbench.page.keyboard.press('Enter');
      };
      workbench.write('mine.json', fox);
      await workbench.openFile('mine.json');
      await save();
      await workbench.notification('Saved as mine.json (Home).').waitFor();
      expect(stored).toBe(fox);
      workbench.write('mine.json', fox.replace('a fox', 'a wolf'));
      await workbench.page.locator('.view-line', { hasText: 'a wolf' }).waitFor();
      await save();
      await workbench.page.getByPlaceholder('Replace mine.json (Home)?').waitFor();
      const diff = workbench.page.locator('.monaco-diff-editor');
      await diff.locator('.view-line', { hasText: 'a wolf' }).waitFor();
      await diff.click();
      await workbench.picture('canvas-save');
      expect(stored).toBe(fox);
      await workbench.choice('Replace').click();
      await expect.poll(() => stored, soon).toBe(fox.replace('a fox', 'a wolf'));
    },
  );

  test('is edited in API format, of which only inputs, titles, and nodes are written', async ({
    workbench,
  }) => {
    const sandbox = await startSandbox({ dialect: 'local' });
    const home = await comfyPageServer({ behind: sandbox.url });
    onTestFinished(() => Promise.all([home.close(), sandbox.close()]).then(() => undefined));
    await workbench.opensOn('Home', home.url);
    const prompt = '{"4": {"class_type": "CLIPTextEncode", "inputs": {"text": "a fox"}, "own": 1.0}}';
    const page = await openCanvas(workbench, 'prompt.json', prompt);
    expect(await page.locator('nav').textContent()).toBe('>prompt.json');
    const { around } = await canvasOf(workbench, '>prompt.json');
    await drag(workbench, page, 4, [10, 20]);
    await around.getByText("API format doesn't contain positions").waitFor();
    await workbench.picturesInThemes('canvas-prompt');
    const dirty = workbench.page.locator('.tab.active.dirty', { hasText: 'prompt.json' });
    expect(await dirty.count()).toBe(0);
    await page.getByLabel('4.0').fill('a wolf');
    await dirty.waitFor();
    await page.locator('body').press('Control+s');
    await dirty.waitFor({ state: 'detached' });
    expect(workbench.read('prompt.json')).toBe(prompt.replace('a fox', 'a wolf'));
    // What changes elsewhere becomes a graph again, in the same tab.
    workbench.write('prompt.json', prompt.replace('a fox', 'a bear'));
    await expect.poll(() => page.getByLabel('4.0').inputValue(), soon).toBe('a bear');
    await page.locator('nav', { hasText: /^>prompt\.json$/ }).waitFor();
  });

  test('has the colors of VS Code, and its palette by F1', async ({ workbench }) => {
    await withServer(workbench);
    const page = await openCanvas(workbench, 'colors.json');
    const html = page.locator('html');
    await workbench.useTheme('dark');
    await expect.poll(() => html.getAttribute('class'), soon).toBe('dark-theme');
    await workbench.picturesInThemes('canvas-colors');
    await workbench.useTheme('light');
    await expect.poll(() => html.getAttribute('class'), soon).toBe('');
    await page.locator('[data-id="5"]').click();
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.waitFor();
    await workbench.page.keyboard.press('Escape');
  });
});

describe('a canvas that cannot be shown', () => {
  test.override({ settings: { 'files.autoSave': 'off' }, opensLater: true });

  nightlyTest('says why, and leads to the graph', async ({ workbench }) => {
    await withServer(workbench);
    workbench.write('fox.json', fox);
    await workbench.openFile('fox.json');
    await workbench.editorAction('Edit in ComfyUI').click();
    const bar = workbench.webview().locator('.canvas-bar');
    await bar.getByText('share an address with VS Code').waitFor();
    await workbench.picture('canvas-own-origin');
    await bar.getByRole('button', { name: 'Graph' }).click();
    await workbench.webview(1).locator('[data-node]').first().waitFor();
    await workbench.selectServer('Sandbox');
    await workbench.command('View: Close All Editors');
    await workbench.openFile('fox.json');
    await workbench.editorAction('Edit in ComfyUI').click();
    await workbench.notification('Sandbox has no ComfyUI page').waitFor();
  });
});
