import { readdirSync } from 'node:fs';
import type { FrameLocator, Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axeFindings } from '../support/accessibility';
import { smallGraph } from '../support/graphFile';
import { nightlyTest, test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const soon = { timeout: 30_000 };

/** A graph with a prompt of two lines, whose line ends are those of Windows. */
function graphWithPrompt(): string {
  const { nodes, ...rest } = smallGraph();
  const prompt = {
    ...{ id: 3, type: 'CLIPTextEncode', pos: [100, 320], size: [400, 200], flags: {}, mode: 0 },
    inputs: [{ name: 'clip', type: 'CLIP', link: null }],
    outputs: [{ name: 'CONDITIONING', type: 'CONDITIONING', links: [] }],
    widgets_values: ['a cat,\r\nby day'],
  };
  return JSON.stringify({ ...rest, last_node_id: 3, nodes: [...(nodes as object[]), prompt] }, null, 2);
}

/** The graph of a file, which alone is open. */
async function showGraph(workbench: Workbench, file: string): Promise<FrameLocator> {
  await workbench.openFile(file);
  await workbench.editorAction('Show Graph').click();
  const page = workbench.webview();
  await page.locator('[data-node]').first().waitFor();
  await workbench.page.getByRole('tab', { name: file }).first().click();
  await workbench.command('View: Close Editor');
  await page.locator('.node').first().waitFor();
  await page.locator('svg.canvas').focus();
  return page;
}

function rowOf(page: FrameLocator, node: number, name: string): Locator {
  return page.locator(`[data-node="${node}"] [data-row="${name}"]`);
}

function savedRuns(workbench: Workbench): number {
  const records = readdirSync(workbench.path('outputs')).filter((name) => name.endsWith('.run.json'));
  return records.filter((name) => workbench.read('outputs', name).includes('"state": "saved"')).length;
}

/** The value of a prompt in a file. */
function promptIn(workbench: Workbench, file: string): string {
  const { nodes } = JSON.parse(workbench.read(file)) as { nodes: { id: number; widgets_values: string[] }[] };
  return nodes.find(({ id }) => id === 3)?.widgets_values[0] ?? '';
}

describe('the graph as an editor', () => {
  test.override({ settings: { 'files.autoSave': 'off' } });

  test('has its texts edited in the nodes, undone, done again and saved', async ({ workbench }) => {
    await workbench.selectServer('Sandbox');
    const file = 'prompt.json';
    workbench.write(file, graphWithPrompt());
    const page = await showGraph(workbench, file);
    const row = rowOf(page, 3, 'text');
    const field = page.getByRole('dialog', { name: 'text' }).getByRole('textbox');
    const isChanged = workbench.page.locator('.tab.dirty', { hasText: file });

    // By keyboard: lines are entered, and quotes are ours to escape.
    await page.locator('[data-node="3"]').focus();
    await page.locator('[data-node="3"]').press('F2');
    await page.locator('[data-row="text"]:focus').press('F2');
    await field.waitFor();
    expect(await field.inputValue()).toBe('a cat,\nby day');
    expect(await axeFindings(page)).toEqual([]);
    await field.press('Control+End');
    await field.press('Enter');
    await field.pressSequentially('a "red" hat \\o/');
    // What was typed there is undone there.
    await field.press('Control+z');
    expect(await field.inputValue()).toMatch(/^a cat,\nby day/);
    await field.fill('a cat,\nby day\na "red" hat \\o/');
    await field.press('Control+Enter');
    await row.getByText('"red" hat').waitFor();
    await isChanged.waitFor();
    expect(promptIn(workbench, file)).toBe('a cat,\r\nby day');

    // VS Code's own undo, redo and save, from the graph.
    await page.locator('[data-row="text"]:focus').press('Control+z');
    await isChanged.waitFor({ state: 'detached' });
    await row.getByText('"red" hat').waitFor({ state: 'detached' });
    await page.locator('[data-row="text"]:focus').press('Control+Shift+z');
    await row.getByText('"red" hat').waitFor();
    await page.locator('[data-row="text"]:focus').press('Control+s');
    await isChanged.waitFor({ state: 'detached' });
    expect(promptIn(workbench, file)).toBe('a cat,\r\nby day\r\na "red" hat \\o/');

    // Escape cancels; a save takes what is entered with it; so does whatever else leaves the field.
    await row.dblclick();
    await field.fill('never');
    await field.press('Escape');
    await row.dblclick();
    await field.fill('saved from the field');
    await field.press('Control+s');
    await expect.poll(() => promptIn(workbench, file), soon).toBe('saved from the field');
    await row.dblclick();
    await field.fill('left');
    await page.locator('[data-node="1"] .title').click();
    await row.getByText('left').waitFor();

    // In one line, Enter applies.
    await rowOf(page, 2, 'filename_prefix').dblclick();
    const prefix = page.getByRole('dialog', { name: 'filename_prefix' }).getByRole('textbox');
    await prefix.fill('a "b"');
    await prefix.press('Enter');
    await rowOf(page, 2, 'filename_prefix').getByText('a "b"').waitFor();
    await workbench.command('File: Save');
    await isChanged.waitFor({ state: 'detached' });
  });

  test('has texts of a file in API format edited, with the cursor inside the quotes in its text', async ({
    workbench,
  }) => {
    await workbench.selectServer('Sandbox');
    workbench.write('api.json', workbench.read('text-to-image.json'));
    const page = await showGraph(workbench, 'api.json');
    const row = rowOf(page, 6, 'text');
    await page.locator('[data-node="6"]').focus();
    await page.locator('[data-node="6"]').press('F2');
    await page.locator('[data-row="text"]:focus').press('Enter');
    const field = page.getByRole('dialog', { name: 'text' }).getByRole('textbox');
    await field.fill('say "no"');
    await field.press('Control+s');
    await expect.poll(() => workbench.read('api.json'), soon).toContain('"text": "say \\"no\\""');
    await row.click();
    await page.locator('[data-node="6"]:focus').press('Enter');
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await workbench.page.keyboard.type('My');
    await workbench.page.locator('.view-line', { hasText: '"MyCLIPTextEncode"' }).waitFor();
    await workbench.page.keyboard.press('Control+z');
  });

  test('runs its document by key, by its button, and by the palette', async ({ workbench }) => {
    await workbench.selectServer('Sandbox');
    const file = 'ran.json';
    workbench.write(file, JSON.stringify(smallGraph(), null, 2));
    const page = await showGraph(workbench, file);
    const done = page.locator('.run', { hasText: 'completed' });
    const close = page.getByRole('button', { name: 'Hide Run' });
    let runs = 0;
    const isDone = async (): Promise<void> => {
      await done.waitFor();
      runs++;
      await expect.poll(() => savedRuns(workbench), soon).toBe(runs);
      await close.click();
      await done.waitFor({ state: 'hidden' });
      await page.locator('[data-node="1"]').focus();
    };
    await page.locator('[data-node="1"]').focus();
    await page.locator('[data-node="1"]').press('Control+Alt+Enter');
    await isDone();
    // The graph shows the run: nothing else does, beside or over it.
    await page.getByRole('button', { name: 'Run Workflow' }).click();
    await isDone();
    expect(await workbench.page.locator('.tab', { hasText: 'Comfy Deck Preview' }).count()).toBe(0);
    expect(await workbench.page.locator('.notification-toast', { hasText: file }).count()).toBe(0);
    await workbench.command('Comfy Deck: Run with New Seeds');
    await isDone();
    await page.getByRole('button', { name: 'More Ways to Run' }).click();
    const menu = workbench.page.locator('.context-view .monaco-menu');
    await menu.getByText('Run with New Seeds').waitFor();
    expect(await menu.getByText('Paste').count()).toBe(0);
    await workbench.picture('graph-run-menu');
    await workbench.page.keyboard.press('Escape');
    await page.locator('[data-node="2"]').focus();
    await workbench.command('Comfy Deck: Run to Here');
    await isDone();
    // The graph's own editor is among those of the file.
    await workbench.command('View: Reopen Editor With...');
    await workbench.choice('Workflow Graph').waitFor();
    await workbench.choice('Text Editor').click();
    await workbench.page.locator('.view-line').first().waitFor();
  });
});

describe('the menu of a graph', () => {
  /** Opens the menu of a place, and picks nothing yet. */
  async function menuOf(workbench: Workbench, place: Locator): Promise<Locator> {
    const menu = workbench.page.locator('.context-view .monaco-menu');
    await place.click({ button: 'right' });
    await menu.waitFor();
    return menu;
  }

  /** Its entries, without their keys. */
  function entriesOf(menu: Locator): Promise<string[]> {
    return menu.locator('.action-label:not(.separator)').allInnerTexts();
  }

  nightlyTest(
    'is that of the node, of the row, of the image, and of the background',
    async ({ workbench }) => {
      await workbench.selectServer('Sandbox');
      const file = 'menus.json';
      const { nodes, ...rest } = smallGraph();
      const noise = {
        ...{ id: 3, type: 'RandomNoise', pos: [100, 320], size: [270, 90], flags: {}, mode: 0, inputs: [] },
        outputs: [{ name: 'NOISE', type: 'NOISE', links: [] }],
        widgets_values: [7, 'fixed'],
      };
      const graph = { ...rest, last_node_id: 3, nodes: [...(nodes as object[]), noise] };
      workbench.write(file, JSON.stringify(graph, null, 2));
      const page = await showGraph(workbench, file);
      const title = (node: number): Locator => page.locator(`[data-node="${node}"] .title`);
      const text = (): string => workbench.read(file);

      let menu = await menuOf(workbench, title(2));
      expect(await entriesOf(menu)).toEqual(['Run to Here', 'Go to Text', 'Mute', 'Bypass']);
      await workbench.chooseInMenu('Mute');
      await expect.poll(text, soon).toContain('"mode": 2');
      // Nothing is left to run.
      await page.locator('[data-node="2"] .finding').waitFor();
      menu = await menuOf(workbench, title(2));
      expect(await entriesOf(menu)).toEqual(['Quick Fix…', 'Go to Text', 'Unmute', 'Bypass']);
      await workbench.page.keyboard.press('Escape');
      await page.locator('[data-node="2"]').focus();
      await page.locator('[data-node="2"]').press('Control+m');
      await expect.poll(text, soon).not.toContain('"mode": 2');
      await page.locator('[data-node="2"]').press('Control+b');
      await expect.poll(text, soon).toContain('"mode": 4');
      // VS Code calls a document saved that is undone while it is being saved.
      await workbench.page.locator('.tab.dirty').waitFor({ state: 'detached' });
      await page.locator('[data-node="2"]').press('Control+z');
      await expect.poll(text, soon).not.toContain('"mode": 4');

      menu = await menuOf(workbench, rowOf(page, 1, 'width'));
      expect(await entriesOf(menu)).toEqual(['Edit', 'Reset to Default', 'Go to Text', 'Mute', 'Bypass']);
      await workbench.chooseInMenu('Reset to Default');
      await rowOf(page, 1, 'width').getByText('512').waitFor();
      await rowOf(page, 1, 'height').click({ button: 'right' });
      await workbench.chooseInMenu('Edit');
      const field = page.getByRole('dialog', { name: 'height' }).getByRole('textbox');
      await field.fill('32');
      // A field has the menu of fields.
      expect(await entriesOf(await menuOf(workbench, field))).toEqual(['Cut', 'Copy', 'Paste']);
      await workbench.page.keyboard.press('Escape');
      await field.press('Enter');
      await rowOf(page, 1, 'height').getByText('32').waitFor();

      await title(3).click({ button: 'right' });
      await workbench.chooseInMenu('New Seed');
      await expect.poll(text, soon).toMatch(/\[\s*\d{6,},\s*"fixed"/);

      // The selected node is where a run ends.
      await title(2).click({ button: 'right' });
      await workbench.chooseInMenu('Run to Here');
      const image = page.locator('[data-node="2"] .picture');
      await image.waitFor();
      menu = await menuOf(workbench, image);
      expect(await entriesOf(menu)).toEqual(['Open Image', 'Reveal Image', 'Copy Image']);
      await workbench.chooseInMenu('Copy Image');
      await page.getByText(/^Copied: /).waitFor({ state: 'attached' });

      const corner = page.locator('svg.canvas');
      menu = workbench.page.locator('.context-view .monaco-menu');
      await corner.click({ button: 'right', position: { x: 8, y: 8 } });
      await menu.waitFor();
      expect(await entriesOf(menu)).toEqual(['Run Workflow', 'Edit in ComfyUI', 'Fit Graph', 'Find Node']);
      await workbench.chooseInMenu('Find Node');
      await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();

      await title(1).click({ button: 'right' });
      await workbench.chooseInMenu('Go to Text');
      // Its text has ours, too.
      menu = await menuOf(
        workbench,
        workbench.page.locator('.view-line', { hasText: '"EmptyImage"' }).first(),
      );
      expect(await entriesOf(menu)).toEqual(
        expect.arrayContaining(['Run Workflow', 'Run to Here', 'Show Graph', 'Compare Workflows…']),
      );
      await workbench.page.keyboard.press('Escape');
    },
  );
});
