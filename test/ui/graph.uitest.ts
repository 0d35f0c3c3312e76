import type { FrameLocator, Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axeFindings, findsNothingInThemes } from '../support/accessibility';
import { imageSubgraph, smallGraph } from '../support/graphFile';
import { nightlyTest, test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const soon = { timeout: 30_000 };

/** A graph whose second node is an instance of a subgraph with one node, and where a bypassed one is. */
function withSubgraph(): Record<string, unknown> {
  const { nodes, ...rest } = smallGraph();
  const { instance, definition } = imageSubgraph();
  const bypassed = {
    ...{ id: 4, type: 'ImageInvert', pos: [450, 320], size: [270, 60], mode: 4 },
    inputs: [{ name: 'image', type: 'IMAGE', link: null }],
    outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [] }],
  };
  return {
    ...rest,
    last_node_id: 5,
    nodes: [...(nodes as object[]), instance, bypassed],
    groups: [{ title: 'Both', bounding: [80, 40, 660, 220], color: '#3f789e', font_size: 24 }],
    definitions: { subgraphs: [definition] },
  };
}

/** A row of forty images, one of which is saved far to the right, and an instance with another one. */
function farGraph(): Record<string, unknown> {
  const { nodes, ...rest } = withSubgraph();
  const [image, save, instance] = nodes as readonly Record<string, unknown>[];
  const images = Array.from({ length: 40 }, (_, at) => ({
    ...image,
    ...{ id: at === 0 ? 1 : at + 100, pos: [40 + 330 * at, 100 + (at % 2) * 300] },
    outputs: [{ name: 'IMAGE', type: 'IMAGE', links: at === 0 ? [1] : [] }],
  }));
  return {
    ...rest,
    last_node_id: 42,
    nodes: [
      ...images,
      { ...save, id: 41, pos: [40 + 330 * 40, 100], widgets_values: [7] },
      { ...instance, id: 42, pos: [40, 700] },
    ],
    links: [[1, 1, 0, 41, 0, 'IMAGE']],
    groups: [{ title: 'Row', bounding: [0, 20, 13_600, 600], color: '#3f789e', font_size: 24 }],
  };
}

/** The line with the cursor in the editor beside the graph. */
async function cursorLine(workbench: Workbench): Promise<number> {
  return Number(await workbench.page.locator('.line-numbers.active-line-number').first().textContent());
}

/** Where an element is on the screen. */
function boxOf(part: Locator): Promise<DOMRect> {
  return part.first().evaluate((element) => element.getBoundingClientRect());
}

async function isInSight(page: FrameLocator, part: Locator): Promise<void> {
  const stage = await boxOf(page.locator('.stage'));
  const { left, right, top, bottom } = await boxOf(part);
  expect([left >= stage.left, right <= stage.right, top >= stage.top, bottom <= stage.bottom]).toEqual(
    Array(4).fill(true),
  );
}

/** The line of a text in a file, from 1. */
function lineOf(workbench: Workbench, file: string, text: string): number {
  const lines = workbench.read(file).split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}

describe('the graph of a workflow', () => {
  test('is drawn for a file in API format, follows its text, and goes to its nodes', async ({
    workbench,
  }) => {
    await workbench.openFile('text-to-image.json');
    await workbench.editorAction('Show Graph').click();
    const page = workbench.webview();
    const hint = page.locator('.notice', { hasText: 'Select a server to see' });
    await hint.waitFor();
    await workbench.picture('graph-without-definitions');
    await workbench.selectServer('Sandbox');
    await hint.waitFor({ state: 'hidden' });
    // It opens where titles and values are read, in rows for the shape of its pane.
    await page.locator('[data-node="3"] text', { hasText: 'KSampler' }).waitFor();
    await page.locator('[data-node="3"] [data-row="sampler_name"]').waitFor();
    await isInSight(page, page.locator('[data-node="3"] .title'));
    await isInSight(page, page.locator('[data-node="9"] .title'));
    await workbench.picturesInThemes('graph-api-opened');
    await expect.poll(() => page.locator('[data-link]').count(), soon).toBeGreaterThan(5);
    // Near enough, it has the widgets of the definitions.
    await page.locator('svg.canvas').press('/');
    await page.getByRole('searchbox').fill('ksampler');
    await page.getByText('1 of 1').waitFor();
    await findsNothingInThemes(workbench, page, 'graph-api');
  });

  test('is drawn for a graph file as in the ComfyUI editor, with the inside of its subgraphs', async ({
    workbench,
  }) => {
    workbench.write('part.json', JSON.stringify(withSubgraph(), null, 2));
    await workbench.openFile('part.json');
    await workbench.editorAction('Show Graph').click();
    const page = workbench.webview();
    await page.locator('[data-node="1"]').waitFor();
    await workbench.picturesInThemes('graph-file');

    // A click goes to the node's place in the text, one on a widget to the value.
    await page.locator('[data-node="2"] .title').click();
    await expect.poll(() => cursorLine(workbench), soon).toBe(lineOf(workbench, 'part.json', '"SaveImage"'));
    await page.locator('[data-row="filename_prefix"]').click();
    await expect.poll(() => cursorLine(workbench), soon).toBe(lineOf(workbench, 'part.json', '"graph"'));

    // The cursor selects the node.
    await workbench.page.locator('.view-line', { hasText: '"type": "7f6f6b1c' }).click();
    await page.locator('[data-node="3"].selected').waitFor();

    // By keyboard along the wires, and to the text.
    await page.locator('[data-node="1"]').focus();
    await page.locator('[data-node="1"]').press('ArrowRight');
    await page.locator('[data-node="2"]:focus').waitFor();
    await page.locator('[data-node="2"]').press('ArrowLeft');
    await page.locator('[data-node="1"]:focus').press('Enter');
    await workbench.page.locator('.monaco-editor.focused').waitFor();

    // Found by a value.
    await page.locator('svg.canvas').press('/');
    await page.getByRole('searchbox').fill('graph');
    await page.getByText('1 of 1').waitFor();
    await page.locator('[data-node="2"].selected').waitFor();

    // The inside of the subgraph, and back.
    await page.locator('[data-node="3"] .title').dblclick();
    await page.locator('[data-node="3:5"] text', { hasText: 'The inner image' }).waitFor();
    await page.getByText('The inner image').click();
    await expect
      .poll(() => cursorLine(workbench), soon)
      .toBe(
        workbench
          .read('part.json')
          .split('\n')
          .findLastIndex((line) => line.includes('"EmptyImage"')) + 1,
      );
    await workbench.picture('graph-inside');
    await page.getByRole('button', { name: 'part.json' }).click();
    await page.locator('[data-node="2"]').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    // What can't be read leaves the last drawing, and says so.
    workbench.write('part.json', '{"nodes": [');
    await page.locator('.notice:not([hidden])').waitFor();
    expect(await page.locator('[data-node="2"]').count()).toBe(1);
    await workbench.picture('graph-problem');
  });

  test('goes to the input of each of two links between the same nodes, and lets the keyboard leave', async ({
    workbench,
  }) => {
    const { nodes, ...rest } = smallGraph();
    const [image] = nodes as Record<string, unknown>[];
    const composite = {
      ...{ id: 2, type: 'ImageCompositeMasked', pos: [500, 160], size: [270, 120], mode: 0, outputs: [] },
      inputs: [
        { name: 'destination', type: 'IMAGE', link: 1 },
        { name: 'source', type: 'IMAGE', link: 2 },
      ],
    };
    const graph = {
      ...rest,
      nodes: [{ ...image, outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1, 2] }] }, composite],
      links: [
        [1, 1, 0, 2, 0, 'IMAGE'],
        [2, 1, 0, 2, 1, 'IMAGE'],
      ],
    };
    workbench.write('wires.json', JSON.stringify(graph, null, 2));
    await workbench.openFile('wires.json');
    await workbench.editorAction('Show Graph').click();
    const page = workbench.webview();
    await page.locator('[data-node="2"]').waitFor();
    const wire = page.locator('.links g');
    await wire.nth(1).locator('[data-link]').dispatchEvent('pointerdown');
    await wire.nth(1).locator('[data-link]').dispatchEvent('pointerup');
    // At the start of the input.
    const line = lineOf(workbench, 'wires.json', '"source"') - 1;
    await expect.poll(() => cursorLine(workbench), soon).toBe(line);

    await page.locator('[data-node="1"]').focus();
    await page.locator('[data-node="1"]').press('Tab');
    await page.locator('[data-node="2"]:focus').press('Escape');
    await page.locator('svg.canvas:focus').waitFor();
    expect(await page.locator('.selected').count()).toBe(0);
    await page.locator('svg.canvas').press('Tab');
    await expect.poll(() => page.locator('svg.canvas :focus, svg.canvas:focus').count(), soon).toBe(0);
  });

  test('finds in all subgraphs, zooms to what is found or double-clicked, and shows its keys', async ({
    workbench,
  }) => {
    await workbench.selectServer('Sandbox');
    await workbench.command('View: Close All Editors');
    workbench.write('far.json', JSON.stringify(farGraph(), null, 2));
    await workbench.openFile('far.json');
    await workbench.editorAction('Show Graph').click();
    const page = workbench.webview();
    const canvas = page.locator('svg.canvas');
    // Near the first node, of whose row of forty nodes most are out of sight.
    await page.locator('[data-node="1"] [data-row="width"]').waitFor();
    await isInSight(page, page.locator('[data-node="1"] .title'));
    await workbench.picturesInThemes('graph-opened');

    // From afar, marks have the same size, and titles one that can be read.
    const badge = page.locator('[data-node="41"] .finding circle');
    await canvas.press('0');
    await badge.waitFor();
    const far = await boxOf(badge);
    await workbench.picturesInThemes('graph-afar');
    await boxOf(page.locator('.group-name', { hasText: 'Row' })).then(({ height }) =>
      expect(height).toBeGreaterThan(14),
    );
    await page
      .locator('[data-node="41"] .name, [data-node="41"] .outline')
      .first()
      .waitFor({ state: 'attached' });

    // A search that finds nothing changes nothing.
    await page.locator('[data-node="1"]').focus();
    const before = await page.locator('.world').getAttribute('style');
    await canvas.press('/');
    const field = page.getByRole('searchbox');
    await field.fill('nowhere');
    await page.getByText('Not found').waitFor();
    expect(await page.locator('.world').getAttribute('style')).toBe(before);
    await page.locator('[data-node="1"].selected').waitFor();
    await field.fill('the inner image');
    await page.getByText('1 of 1, in Part').waitFor();
    await page.locator('[data-node="42:5"].selected').waitFor();
    await page.locator('[data-node="42:5"] [data-row="width"]').waitFor();
    await workbench.picture('graph-found');
    await field.fill('deep');
    await page.getByText('Not found').waitFor();
    await page.locator('[data-node="42:5"].selected').waitFor();
    await field.fill('empty');
    await page.getByText('41 of 41, in Part').waitFor();
    await field.press('Enter');
    await page.getByText('1 of 41', { exact: true }).waitFor();
    await page.locator('[data-node="1"].selected [data-row="width"]').waitFor();
    await field.press('Shift+Enter');
    await page.locator('[data-node="42:5"].selected').waitFor();
    await page.getByRole('button', { name: 'far.json' }).click();

    // A double-click comes near.
    await page.locator('[data-node="1"]').waitFor();
    await canvas.press('0');
    await expect.poll(() => page.locator('[data-row]').count(), soon).toBe(0);
    const small = await page.locator('[data-node="120"]').boundingBox();
    if (!small) throw new Error('The node is not drawn.');
    await workbench.page.mouse.dblclick(small.x + small.width / 2, small.y + small.height / 2);
    await page.locator('[data-node="120"] [data-row="width"]').waitFor();
    await isInSight(page, page.locator('[data-node="120"] .title'));
    await canvas.press('/');
    await field.fill('save');
    await page.locator('[data-node="41"].selected [data-row="filename_prefix"]').waitFor();
    await isInSight(page, page.locator('[data-node="41"] .title'));
    const near = await boxOf(badge);
    expect([near.width, near.height].map(Math.round)).toEqual([far.width, far.height].map(Math.round));

    await canvas.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard Shortcuts' });
    await keys.getByText('Find in all subgraphs').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await workbench.picturesInThemes('graph-keys');
    await keys.press('Escape');
    await keys.waitFor({ state: 'hidden' });
  });

  nightlyTest(
    'shows a value in the text from the start of its line, also after one far to the side',
    async ({ workbench }) => {
      await workbench.selectServer('Sandbox');
      await workbench.command('View: Close All Editors');
      const note = JSON.stringify('a lighthouse at night '.repeat(20));
      const values = '"height": 64, "batch_size": 1, "color": 0';
      const node = `"class_type": "EmptyImage", "inputs": {\n    "note": ${note}, "width": 64,\n    ${values}}`;
      workbench.write('long.json', `{\n  "1": {${node}}\n}\n`);
      await workbench.openFile('long.json');
      await workbench.editorAction('Show Graph').click();
      const page = workbench.webview();
      const sideways = (): Promise<number> =>
        workbench.page
          .locator('.editor-instance .lines-content')
          .first()
          .evaluate((lines) => -parseFloat(getComputedStyle(lines).left) || 0);
      await page.locator('[data-row="width"]').click();
      await expect.poll(sideways, soon).toBeGreaterThan(500);
      await page.locator('[data-row="height"]').click();
      await expect.poll(() => cursorLine(workbench), soon).toBe(4);
      await expect.poll(sideways, soon).toBe(0);
      await workbench.picture('graph-start-of-value');
    },
  );
});

describe('a node that loads an image', () => {
  test('shows it, lets another be chosen, and takes one that is dropped or pasted', async ({ workbench }) => {
    await workbench.selectServer('Sandbox');
    await workbench.openFile('image-to-image.json');
    await workbench.editorAction('Show Graph').click();
    const page = workbench.webview();
    const node = page.locator('[data-node="1"]');
    const image = node.locator('.picture:not(.gone) image');
    await image.waitFor();
    expect(await image.getAttribute('href')).toContain('inputs/landscape.png');
    expect(await axeFindings(page)).toEqual([]);

    // The button asks for one of the workspace, first. The rows are drawn from near.
    await node.focus();
    await node.press('F2');
    await node.locator('[data-row="image"]:focus').waitFor();
    await workbench.picture('graph-image-near');
    await node.locator('[data-row="upload"]').click();
    const entry = workbench.page.getByRole('option', { name: /landscape-mask\.png/ });
    await entry.waitFor();
    await workbench.picture('graph-image-picker');
    await entry.click();
    await node.locator('[data-row="image"]', { hasText: 'landscape-mask' }).waitFor();
    await expect.poll(() => image.getAttribute('href'), soon).toContain('inputs/landscape-mask.png');

    // So does the list of the row.
    await node.locator('[data-row="image"]').dblclick();
    const options = page.getByRole('option');
    await options.first().waitFor();
    expect(await options.allTextContents()).toEqual(
      expect.arrayContaining(['landscape-mask.png', 'landscape.png']),
    );
    await workbench.picture('graph-image-list');
    await page.getByRole('combobox').press('Escape');

    // What is dropped or pasted is put beside the workflow.
    for (const kind of ['drop', 'paste'] as const) {
      // A node that is drawn again is another element: it is looked up at the moment of the event.
      await page.locator('body').evaluate((body, type) => {
        const data = new DataTransfer();
        const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
        data.items.add(new File([png], `${type}.png`, { type: 'image/png' }));
        const event =
          type === 'drop'
            ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', { clipboardData: data, bubbles: true });
        body.querySelector('[data-node="1"]')?.dispatchEvent(event);
      }, kind);
      await node.locator('[data-row="image"]', { hasText: `${kind}.png` }).waitFor();
      expect(workbench.has(`${kind}.png`)).toBe(true);
    }
  });
});
