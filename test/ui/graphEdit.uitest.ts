import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axeFindings } from '../support/accessibility';
import { nightlyTest, test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const soon = { timeout: 30_000 };

/** A graph whose first node has two whole numbers and a switch; the second one a choice and a number, the third a seed. */
function rows(): string {
  const at = (x: number, y: number): object => ({
    pos: [x, y],
    size: [280, 150],
    flags: {},
    mode: 0,
    outputs: [],
  });
  const image = (name: string): object => ({ name, type: 'IMAGE', link: null });
  const nodes = [
    {
      ...{ id: 1, type: 'ImageCompositeMasked', ...at(40, 60) },
      inputs: [image('destination'), image('source')],
      widgets_values: [10, 20, false],
    },
    {
      id: 2,
      type: 'ImageScaleBy',
      ...at(360, 60),
      inputs: [image('image')],
      widgets_values: ['bilinear', 1.5],
    },
    { id: 3, type: 'RandomNoise', ...at(40, 260), inputs: [], widgets_values: ['the seed', 'fixed'] },
    { id: 4, type: 'ImageScaleBy', ...at(360, 260), inputs: [image('image')], widgets_values: ['area'] },
    {
      ...{ id: 5, type: 'PrimitiveNode', title: 'One factor', ...at(40, 460), inputs: [] },
      ...{ outputs: [{ name: 'FLOAT', type: 'FLOAT', links: [1] }], widgets_values: [2, 'fixed'] },
    },
    {
      ...{ id: 6, type: 'ImageScaleBy', ...at(360, 460), widgets_values: ['area', 3] },
      inputs: [image('image'), { name: 'scale_by', type: 'FLOAT', widget: { name: 'scale_by' }, link: 1 }],
    },
  ];
  const links = [[1, 5, 0, 6, 1, 'FLOAT']];
  const graph = { last_node_id: 6, last_link_id: 1, nodes, links, groups: [], version: 0.4 };
  return JSON.stringify(graph, null, 1).replace('"the seed"', '9007199254740993');
}

/** Clicks the arrow or the switch at a side of a row. */
async function clickSide(row: Locator, side: 'left' | 'right'): Promise<void> {
  const box = await row.boundingBox();
  if (!box) throw new Error('The row is not drawn.');
  await row.click({ position: { x: side === 'left' ? 6 : box.width - 10, y: box.height / 2 } });
}

/** The graph of such a file, and its rows. */
async function showRows(workbench: Workbench, file: string) {
  await workbench.selectServer('Sandbox');
  workbench.write(file, rows());
  await workbench.openFile(file);
  await workbench.editorAction('Show Graph').click();
  const page = workbench.webview();
  const row = (node: number, name: string): Locator =>
    page.locator(`[data-node="${node}"] [data-row="${name}"]`);
  await row(1, 'x').waitFor();
  return { page, row };
}

describe('a workflow changed in its graph', () => {
  test('has the quick fixes of its problems at their nodes, also without an editor', async ({
    workbench,
  }) => {
    await workbench.selectServer('Sandbox');
    const file = 'mistyped.json';
    const whole = workbench.read('text-to-image.json');
    workbench.write(file, whole.replace('"euler"', '"eulre"'));
    await workbench.openFile(file);
    await workbench.editorAction('Show Graph').click();
    const page = workbench.webview();
    await page.locator('[data-node="3"]').waitFor();
    // Neither does the graph need the editor.
    const tab = workbench.page.getByRole('tab', { name: file, exact: true });
    await tab.click();
    await workbench.command('View: Close Editor');
    await tab.waitFor({ state: 'detached' });
    await page.locator('[data-node="3"] .finding').click();
    const box = page.getByRole('dialog', { name: 'Problems of KSampler' });
    await box.getByText('Error').waitFor();
    const fix = box.getByRole('menu').getByRole('menuitem', { name: 'Change to "euler"' });
    await fix.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await fix.press('Escape');
    await box.waitFor({ state: 'detached' });

    // By keyboard from the node, where the focus is again.
    await page.locator('[data-node="3"]:focus').press('.');
    await page.locator('.menu-entry:focus').press('End');
    await page.locator('.menu-entry:focus').press('ArrowDown');
    await page.locator('.menu-entry:focus').press('ArrowUp');
    await page.locator('.menu-entry:focus').press('Home');
    await fix.and(page.locator(':focus')).press('Enter');
    await page.locator('[data-node="3"] .finding').waitFor({ state: 'detached' });
    expect(await box.count()).toBe(0);

    // As after any quick fix, it can be undone in the editor.
    await page.locator('[data-node="3"]:focus').press('Enter');
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await workbench.page.locator('.view-line', { hasText: '"euler"' }).waitFor();
    await workbench.page.keyboard.press('Control+z');
    await workbench.page.locator('.view-line', { hasText: '"eulre"' }).waitFor();
    await page.locator('[data-node="3"] .finding').waitFor();
  });

  test('has its numbers, choices and switches changed in the rows of a graph file', async ({ workbench }) => {
    const file = 'rows.json';
    const { page, row } = await showRows(workbench, file);
    const has = (...values: readonly string[]): Promise<void> =>
      expect.poll(() => workbench.read(file).replaceAll(/\s+/g, ''), soon).toContain(values.join(','));

    // Arrows step, the switch switches, and every digit of a seed stays.
    await clickSide(row(1, 'x'), 'right');
    await page.locator('[data-node="1"] [data-row="x"]', { hasText: '11' }).waitFor();
    await clickSide(row(1, 'y'), 'left');
    await page.locator('[data-node="1"] [data-row="y"]', { hasText: '19' }).waitFor();
    await clickSide(row(1, 'resize_source'), 'right');
    await has('[11', '19', 'true]');
    await clickSide(row(3, 'noise_seed'), 'right');
    await has('[9007199254740994', '"fixed"]');
    await clickSide(row(3, 'control_after_generate'), 'right');
    await has('[9007199254740994', '"increment"]');

    // A double-click opens an editor: a list for a choice.
    await row(2, 'upscale_method').dblclick();
    const box = page.getByRole('dialog', { name: 'upscale_method' });
    await box.getByRole('option', { name: 'lanczos' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await box.getByRole('combobox').fill('lan');
    await box.getByRole('option', { name: 'lanczos' }).click();
    await has('["lanczos"', '1.5]');

    // A field for a number, which says what is wrong.
    await row(2, 'scale_by').dblclick();
    const field = page.getByRole('dialog', { name: 'scale_by' }).getByRole('textbox');
    await field.fill('80');
    await page.getByText('Enter a number of at most 8').waitFor();
    await field.press('Enter');
    await workbench.picture('graph-number');
    expect(await axeFindings(page)).toEqual([]);
    await field.fill('2.25');
    await field.press('Enter');
    await has('["lanczos"', '2.25]');

    // A value that the file doesn't have, and a reason.
    await row(4, 'scale_by').dblclick();
    const refusal = page.locator('.refusal', { hasText: "The file doesn't contain a value for scale_by" });
    await refusal.getByRole('button', { name: 'Go to Text' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('.refusal button').press('Escape');

    // A die draws a seed.
    await page.locator('[data-node="3"] [data-row="noise_seed"] .die').click();
    await row(3, 'noise_seed').getByText('9007199254740994').waitFor({ state: 'detached' });
    await workbench.picture('graph-die');
    await expect.poll(() => workbench.read(file), soon).not.toContain('9007199254740994');
    await page.locator('[data-node="2"]').press('Enter');
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await workbench.page.keyboard.press('Control+z');
    await row(3, 'noise_seed').getByText('9007199254740994').waitFor();

    // Undone in VS Code.
    await page.locator('[data-node="2"]').press('Enter');
    await workbench.page.locator('.monaco-editor.focused').waitFor();
    await workbench.page.keyboard.press('Control+z');
    await has('["lanczos"', '1.5]');
    await workbench.page.keyboard.press('Control+z');
    await has('["bilinear"', '1.5]');
    await row(2, 'upscale_method').getByText('bilinear').waitFor();
  });

  nightlyTest(
    'takes what was entered when its field is left, and says where else a value is',
    async ({ workbench }) => {
      const { page, row } = await showRows(workbench, 'left.json');
      const field = (name: string): Locator => page.getByRole('dialog', { name }).getByRole('textbox');
      const tab = workbench.page.getByRole('tab', { name: /^left\.json.* Group 1/ });

      // Escape cancels.
      await row(1, 'x').dblclick();
      await field('x').fill('12');
      await field('x').press('Escape');
      await page.locator('[data-row="x"]:focus').waitFor();
      // Tab and a click elsewhere take it.
      await row(1, 'y').dblclick();
      await field('y').fill('21');
      await field('y').press('Tab');
      await page.locator('[data-row="y"]:focus', { hasText: '21' }).waitFor();
      await row(1, 'x').dblclick();
      await field('x').fill('13');
      await page.locator('[data-node="2"]').click({ position: { x: 100, y: 20 } });
      await row(1, 'x').getByText('13').waitFor();
      expect(await row(1, 'y').getByText('21').count()).toBe(1);
      // So does the text, unless it can still be corrected.
      await row(1, 'x').dblclick();
      await field('x').fill('1.5');
      await tab.click();
      await field('x').fill('14');
      await tab.click();
      await row(1, 'x').getByText('14').waitFor();
      await field('x').waitFor({ state: 'detached' });
      // What is refused is said.
      await row(2, 'scale_by').dblclick();
      await field('scale_by').fill('80');
      await row(1, 'y').click();
      const refused = page.locator('.refusal', { hasText: "scale_by wasn't set to “80”." });
      await refused.getByText('Enter a number of at most 8').waitFor();
      await refused.press('Escape');

      // A step that is drawn late doesn't close the field.
      await row(1, 'x').click();
      await page.locator('[data-node="1"]:focus').press('F2');
      await page.locator('[data-row="x"]:focus').press('ArrowDown');
      await page.locator('[data-row="y"]:focus').press('Escape');
      await page.locator('[data-node="1"]:focus').press('F2');
      await page.locator('[data-row="x"]:focus').press('ArrowRight');
      await page.locator('[data-row="x"]:focus').press('Enter');
      await row(1, 'x').getByText('15').waitFor();
      await field('x').fill('16');
      await field('x').press('Enter');
      await row(1, 'x').getByText('16').waitFor();

      // From the linked row to where its value can be changed.
      await row(6, 'scale_by').dblclick({ force: true });
      const linked = page.locator('.refusal', { hasText: 'scale_by gets its value from One factor.' });
      await linked.getByRole('button', { name: 'Go to Node' }).click();
      await page.locator('[data-node="5"].selected').waitFor();
      await row(5, 'value').dblclick();
      await field('value').fill('2.5');
      await field('value').press('Enter');
      await row(5, 'value').getByText('2.50').waitFor();

      // In a narrow panel, whose rows are too small until one is entered, all of the field is in sight.
      await workbench.page.setViewportSize({ width: 600, height: 450 });
      await page.locator('[data-node="5"]').focus();
      await page.locator('[data-node="5"]:focus').press('F2');
      await page.locator('[data-row="value"]:focus').press('Enter');
      const box = page.getByRole('dialog', { name: 'value' });
      await box.waitFor();
      expect(await box.evaluate((each) => each.getBoundingClientRect().right <= innerWidth)).toBe(true);
      await workbench.picture('graph-number-narrow');
      await box.getByRole('textbox').press('Escape');
      await workbench.page.setViewportSize({ width: 1400, height: 900 });
    },
  );
});
