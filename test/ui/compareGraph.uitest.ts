import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findsNothingInThemes } from '../support/accessibility';
import { imageSubgraph, smallGraph } from '../support/graphFile';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const soon = { timeout: 30_000 };

/** A graph of two images that are saved, with an instance of a subgraph. */
function graph(
  width: number,
  prefix: string,
  inner: number,
  { last, link }: { readonly last: object; readonly link: number },
): string {
  const { nodes, ...rest } = smallGraph(width);
  const [empty, save] = nodes as Record<string, unknown>[];
  const { instance, definition } = imageSubgraph(inner);
  return JSON.stringify(
    {
      ...rest,
      nodes: [
        empty,
        { ...save, inputs: [{ name: 'images', type: 'IMAGE', link: 1 }], widgets_values: [prefix] },
        instance,
        last,
      ],
      links: [[1, link, 0, 2, 0, 'IMAGE']],
      definitions: { subgraphs: [definition] },
    },
    null,
    2,
  );
}

const outputs = [{ name: 'IMAGE', type: 'IMAGE', links: [] }];
const [inverted, other] = [
  { id: 4, type: 'ImageInvert', pos: [450, 340], size: [270, 60], mode: 0, outputs, inputs: [] },
  {
    ...{ id: 6, type: 'EmptyImage', title: 'A second image', pos: [450, 340], size: [270, 130], mode: 0 },
    ...{ outputs, inputs: [], widgets_values: [32, 32, 1, 0] },
  },
];

async function compare(workbench: Workbench, one: string, two: string): Promise<void> {
  await workbench.openFile(one);
  await workbench.command('Comfy Deck: Compare Workflows…');
  await workbench.choice(two).click();
  await workbench.choice('Show Graph').click();
}

function writeVersions(workbench: Workbench): void {
  workbench.write(
    'one.json',
    graph(64, 'a long name of a file, version one', 32, { last: inverted, link: 1 }),
  );
  workbench.write('two.json', graph(96, 'a long name of a file, version two', 48, { last: other, link: 6 }));
}

/** A double-click on what the first click moves away, as a text does that opens beside it. */
function doubleClickAway(what: Locator): Promise<void> {
  return what.evaluate((target) => {
    const canvas = target.closest('.canvas') ?? target;
    const { x, y } = target.getBoundingClientRect();
    const at = { clientX: x + 1, clientY: y + 1, bubbles: true };
    for (const each of [target, canvas]) {
      each.dispatchEvent(new PointerEvent('pointerdown', at));
      each.dispatchEvent(new PointerEvent('pointerup', at));
      canvas.dispatchEvent(new WheelEvent('wheel', { deltaX: 300 }));
    }
    canvas.dispatchEvent(new MouseEvent('dblclick', at));
  });
}

describe('the graph of two versions', () => {
  test.override({
    settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' },
  });

  test('colors what was added, removed and changed, and says it in words', async ({ workbench }) => {
    writeVersions(workbench);
    await workbench.selectServer('Sandbox');
    await compare(workbench, 'one.json', 'two.json');
    await workbench.tab('one.json ↔ two.json').waitFor();
    const page = workbench.webview();
    await page.locator('[data-node="1"][data-change="changed"]').waitFor();
    await page.locator('[data-node="6"][data-change="added"]').waitFor();
    await page.locator('[data-node="removed 4"][data-change="removed"]').waitFor();
    await page.locator('[data-link="6:0>2:images"][data-change="added"]').waitFor({ state: 'attached' });
    await page.locator('[data-link="1:0>2:images"][data-change="removed"]').waitFor({ state: 'attached' });
    await expect
      .poll(() => page.locator('[data-node="1"]').getAttribute('aria-label'), soon)
      .toMatch(/changed.*width: 64 → 96/);
    await page.getByText('1 added').waitFor();
    await page.getByText('1 removed').waitFor();
    await page.getByText('3 changed').waitFor();
    for (const kind of ['added', 'removed', 'changed']) {
      await page.locator(`.minimap .map-${kind}`).waitFor({ state: 'attached' });
    }

    // Both values are in the widget.
    await page.locator('svg.canvas').press('n');
    await page.locator('[data-node="1"]:focus').waitFor();
    await page.locator('[data-row="width"]', { hasText: '64 → 96' }).first().waitFor();
    await page.getByText('1 of 5').waitFor();
    await page.getByText('Empty Image (1): width: 64 → 96').waitFor();
    await page.locator('[data-node="1"]').press('n');
    await page.getByText('2 of 5').waitFor();
    await page.locator('[data-node="2"]').press('p');
    await page.getByText('1 of 5').waitFor();
    await page.getByRole('button', { name: 'Previous Difference (P)' }).click();
    await page.getByText('5 of 5').waitFor();
    await page.locator('svg.canvas').press('0');
    await findsNothingInThemes(workbench, page, 'compare-graph');
  });

  test('goes to a difference in both texts, and into a subgraph', async ({ workbench }) => {
    writeVersions(workbench);
    await workbench.selectServer('Sandbox');
    await compare(workbench, 'one.json', 'two.json');
    const page = workbench.webview();
    await doubleClickAway(page.locator('[data-node="3"] .title'));
    await page.locator('[data-node="3:5"][data-change="changed"]').waitFor();
    await page.getByText('1 changed').waitFor();
    await workbench.picture('compare-graph-inside');
    await page.locator('svg.canvas').press('n');
    await page.getByText('The inner image', { exact: true }).click();
    const lines = workbench.page.locator('.line-numbers.active-line-number');
    const lineOf = (file: string, text: string): string =>
      String(
        workbench
          .read(file)
          .split('\n')
          .findIndex((line) => line.trim() === text) + 1,
      );
    await expect
      .poll(() => lines.allTextContents(), soon)
      .toEqual([lineOf('one.json', '32,'), lineOf('two.json', '48,')]);
    // The texts take two thirds of the room: the node stays in sight.
    const right = async (selector: string): Promise<number> => {
      const box = await page.locator(selector).boundingBox();
      return box ? box.x + box.width : Infinity;
    };
    await expect
      .poll(async () => (await right('[data-node="3:5"]')) <= (await right('svg.canvas')), soon)
      .toBe(true);
    await workbench.picture('compare-graph-texts');
    await page.getByRole('button', { name: 'one.json ↔ two.json' }).click();
    await page.locator('[data-node="1"][data-change="changed"]').waitFor();
  });

  test('lays out two prompts together', async ({ workbench }) => {
    const [earlier, later] = [smallPrompt(1), smallPrompt(2, 8, 'dpmpp_2m')];
    const { 3: removed, ...rest } = later;
    expect(removed.class_type).toBe('CLIPTextEncode');
    const zero = { class_type: 'ConditioningZeroOut', inputs: { conditioning: ['2', 0] } };
    const sampler = { ...later[5], inputs: { ...later[5].inputs, negative: ['9', 0] } };
    workbench.write('prompt.json', JSON.stringify(earlier, null, 2));
    workbench.write('other.json', JSON.stringify({ ...rest, 5: sampler, 9: zero }, null, 2));
    await compare(workbench, 'prompt.json', 'other.json');
    const page = workbench.webview();
    await page.locator('[data-node="5"][data-change="changed"]').waitFor();
    await page.locator('[data-node="removed 3"]').waitFor();
    await workbench.picture('compare-graph-prompts');
    // All stays in sight in less room, until somebody moves it.
    await workbench.page.setViewportSize({ width: 900, height: 900 });
    const right = async (selector: string): Promise<number> => {
      const box = await page.locator(selector).boundingBox();
      return box ? box.x + box.width : Infinity;
    };
    await expect.poll(() => right('svg.canvas'), soon).toBeLessThan(900);
    await expect
      .poll(async () => (await right('[data-node="7"]')) < (await right('svg.canvas')), soon)
      .toBe(true);
    await page.locator('svg.canvas').press('n');
    await page.getByText('1 of 3').waitFor();
    await workbench.picture('compare-graph-prompts-near');
  });
});
