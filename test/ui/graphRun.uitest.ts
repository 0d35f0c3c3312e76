import { readdirSync, rmSync } from 'node:fs';
import type { FrameLocator, Locator } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox';
import { axeFindings, findsNothingInThemes } from '../support/accessibility';
import { smallPrompt } from '../support/promptFile';
import { nightlyTest, test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const soon = { timeout: 30_000 };

/** The state of each node, by its ID. */
function statesIn(page: FrameLocator): Promise<Record<string, string>> {
  return page
    .locator('.node[data-state]')
    .evaluateAll((nodes) =>
      Object.fromEntries(nodes.map(({ dataset }) => [dataset['node'] ?? '', dataset['state'] ?? ''])),
    );
}

/** Behind that of the text, which has the same name. */
function graphTab({ page }: Workbench, file: string): Locator {
  return page.locator(`.tab.active[data-resource-name="${file}"]`).last();
}

const allDone = { 1: 'done', 2: 'done', 3: 'done', 4: 'done', 5: 'done', 6: 'done', 7: 'done' };

/** Of an image in the drawing, once it is there. */
async function isLoaded(page: FrameLocator, node: string): Promise<void> {
  const image = page.locator(`[data-node="${node}"] image`);
  await image.waitFor();
  const address = (await image.getAttribute('href')) ?? '';
  await expect
    .poll(
      () =>
        page.locator('body').evaluate(async (_, source) => {
          const loaded = new Image();
          loaded.src = source;
          await loaded.decode().catch(() => undefined);
          return loaded.naturalWidth;
        }, address),
      soon,
    )
    .toBeGreaterThan(0);
}

/** The preview that has just come, and the one that is there when the theme changes in the same moment. */
function previewsInNextTheme(page: FrameLocator): Promise<(string | null)[]> {
  return page.locator('svg.canvas').evaluate(async (canvas) => {
    const preview = (): string | null => canvas.querySelector('.frame image')?.getAttribute('href') ?? null;
    await new Promise<void>((resolve) => {
      new MutationObserver(() => resolve()).observe(canvas, { subtree: true, attributeFilter: ['href'] });
    });
    const last = preview();
    document.body.classList.toggle('vscode-light');
    // Those who look at the class are told before what is queued now.
    await Promise.resolve();
    const next = preview();
    document.body.classList.toggle('vscode-light');
    return [last, next];
  });
}

/** How often a node is drawn for so many runs that come at once, and what it then says. */
function drawnFor(page: FrameLocator, count: number): Promise<readonly [number, string | undefined]> {
  return page.locator('svg.canvas').evaluate(async (canvas, count) => {
    let drawn = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const added of addedNodes)
          if (added instanceof SVGElement && added.dataset['node'] === '5') drawn++;
      }
    }).observe(canvas, { subtree: true, childList: true });
    for (let step = 1; step <= count; step++) {
      const nodes = [{ node: '5', state: 'running', note: `step ${step}`, words: `step ${step}` }];
      postMessage({ type: 'run', run: { jobId: 'many', words: 'Running', nodes } }, '*');
    }
    const chip = (): string | undefined => canvas.querySelector('[data-node="5"] .chip text')?.textContent;
    while (chip() !== `step ${count}`) await new Promise((resolve) => requestAnimationFrame(resolve));
    return [drawn, chip()] as const;
  }, count);
}

/** Opens a workflow with its graph, and nothing else. */
async function openGraph(workbench: Workbench, file: string, workflow: object): Promise<FrameLocator> {
  await workbench.command('View: Close All Editors');
  workbench.write(file, JSON.stringify(workflow, null, 2));
  await workbench.openFile(file);
  // Until its editor has it, the buttons above are those of the file before.
  const editor = workbench.page.locator(`.monaco-editor[data-uri$="/${file}"]`);
  await editor.locator('.codelens-decoration').first().waitFor();
  await workbench.editorAction('Show Graph').click();
  await graphTab(workbench, file).waitFor();
  const page = workbench.webview();
  await page.locator('.node').first().waitFor();
  await editor.locator('.view-line').first().click();
  return page;
}

describe('a run on the graph', () => {
  test.override({
    opensLater: true,
    settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' },
  });

  test('is seen on the nodes while it goes on, and when it has ended', async ({ workbench }) => {
    const server = await startSandbox({ dialect: 'local', timing: 'human' });
    onTestFinished(() => server.close());
    await workbench.opensOn('My ComfyUI', server.url);
    const page = await openGraph(workbench, 'watched.json', smallPrompt(5, 30));
    expect(await statesIn(page)).toEqual({});
    expect(await page.locator('.run').isVisible()).toBe(false);
    await workbench.editorAction('Run Workflow').click();
    await page.locator('[data-node="5"][data-state="running"] .chip', { hasText: /step \d+\/30/ }).waitFor();
    await page.locator('[data-node="5"] .frame image').waitFor();
    const [last, next] = await previewsInNextTheme(page);
    expect(next).toBe(last);
    const running = await statesIn(page);
    expect(running).toMatchObject({ 1: 'done', 5: 'running', 7: 'waiting' });
    expect(await page.locator('[data-node="5"]').getAttribute('aria-label')).toContain('running, step');
    await page.locator('.run', { hasText: /^Running \d\/7, step \d+\/30/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('.run', { hasText: 'Completed' }).waitFor({ timeout: 60_000 });
    await page.locator('[aria-live]', { hasText: 'Completed' }).waitFor({ state: 'attached' });
    await expect.poll(() => statesIn(page), soon).toEqual(allDone);
    await page.locator('[data-node="5"] .chip text', { hasText: /^\d.* s$/ }).waitFor();
    await page.locator('.minimap .map-done').waitFor({ state: 'attached' });
    await isLoaded(page, '7');
    await findsNothingInThemes(workbench, page, 'graph-done');

    // What the server had from before is cached.
    workbench.write('watched.json', JSON.stringify(smallPrompt(6, 2), null, 2));
    await page.locator('.run', { hasText: 'the file has changed since' }).waitFor();
    await workbench.editorAction('Run Workflow').click();
    await expect
      .poll(() => statesIn(page), soon)
      .toEqual({ ...allDone, 1: 'cached', 2: 'cached', 3: 'cached', 4: 'cached' });
    await page.getByRole('button', { name: 'Hide Run' }).click();
    await expect.poll(() => statesIn(page), soon).toEqual({});
  });

  test('is drawn at most once in a frame, whatever a server sends', async ({ workbench }) => {
    const page = await openGraph(workbench, 'flooded.json', smallPrompt(5, 30));
    const [drawn, said] = await drawnFor(page, 1_000);
    expect(said).toBe('step 1000');
    expect(drawn).toBeLessThan(100);
  });
});

describe('a run that is over', () => {
  test.override({
    settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' },
  });

  nightlyTest('is shown on its graph from its row and its record', async ({ workbench }) => {
    workbench.write('kept.json', JSON.stringify(smallPrompt(), null, 2));
    await workbench.selectServer('Sandbox');
    await workbench.openFile('kept.json');
    await workbench.editorAction('Run Workflow').click();
    const row = 'kept.json, completed';
    await workbench.activity('Comfy Deck').click();
    await workbench.treeRow(row).filter({ hasText: '1 output' }).first().waitFor(soon);
    await workbench.command('View: Close All Editors');

    await workbench.treeRow(row).first().click({ button: 'right' });
    await workbench.chooseInMenu('Show in Graph');
    await graphTab(workbench, 'kept.json').waitFor();
    const page = workbench.webview();
    await expect.poll(() => statesIn(page), soon).toEqual(allDone);
    await isLoaded(page, '7');
    const output = page.locator('[data-node="7"]');
    expect(await output.getAttribute('aria-label')).toMatch(/, image [^,]+\.png/);
    await output.press('o');
    await workbench.tab('.png').waitFor();

    await workbench.command('View: Close All Editors');
    const record = readdirSync(workbench.path('outputs')).find((name) => name.endsWith('.run.json')) ?? '';
    workbench.write('kept.json', JSON.stringify(smallPrompt(99), null, 2));
    await workbench.openFile(record);
    await workbench.webview().getByRole('heading', { name: 'kept.json' }).waitFor();
    await workbench.command('Comfy Deck: Show in Graph');
    await graphTab(workbench, 'kept.json').waitFor();
    await page.locator('.run', { hasText: 'the file has changed since' }).waitFor();
    await expect.poll(() => statesIn(page), soon).toEqual(allDone);
    // The line leads back to the record, the picture to the output.
    await page.locator('.picture image').click();
    await workbench.tab('.png').waitFor();
    await graphTab(workbench, 'kept.json').waitFor({ state: 'detached' });

    await workbench.command('View: Close All Editors');
    for (const name of readdirSync(workbench.path('outputs')).filter((each) => each.endsWith('.png'))) {
      rmSync(workbench.path('outputs', name));
    }
    await workbench.openFile(record);
    await workbench.webview().getByRole('heading', { name: 'kept.json' }).waitFor();
    await workbench.command('Comfy Deck: Show in Graph');
    await graphTab(workbench, 'kept.json').waitFor();
    await page.locator('[data-node="7"] .lost', { hasText: 'Deleted or moved' }).waitFor();
    expect(await page.locator('[data-node="7"] image').isVisible()).toBe(false);
    await workbench.picture('graph-lost-image');
  });
});
