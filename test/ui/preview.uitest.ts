import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { test } from '../support/uiTest';

describe('the preview panel', () => {
  test.override({ opensLater: true, settings: { 'comfyDeck.notifyWhenDone': 'never' } });

  let server: Sandbox;
  beforeAll(async () => {
    server = await startSandbox({ dialect: 'local', timing: 'fast' });
  });
  afterAll(() => server.close());

  test('shows messages with their times, can be run again there, and is replaced by a refusal', async ({
    workbench,
  }) => {
    await workbench.opensOn('My ComfyUI', server.url);
    const sent = (): number => server.seen.count('POST', '/prompt') - before;
    const before = server.seen.count('POST', '/prompt');
    workbench.write('talks.json', talkingWorkflow(workbench.read('text-to-image.json')));
    await workbench.runFile('talks.json');
    const panel = workbench.webview();
    const picture = panel.locator('.output img.picture');
    await picture.waitFor();

    // The messages, and the nodes in execution order.
    await panel.locator('.words li', { hasText: 'Slow: step 6 of 6' }).waitFor();
    await panel.locator('.node-details summary').click();
    const names = await panel.locator('.nodes .node-name').allTextContents();
    expect(names.slice(-2)).toEqual(['Slow', 'Save']);
    for (const time of await panel.locator('.nodes .node-time').allTextContents())
      expect(time).toMatch(/^(\d+\.\d|under 0\.1) s$/);

    // Buttons and shortcut.
    const done = (count: number): Promise<void> =>
      expect.poll(sent, { timeout: 40_000, message: `${count} runs were sent` }).toBe(count);
    await panel.getByRole('button', { name: 'Run Again' }).click();
    await done(2);
    await panel.getByRole('button', { name: 'Run with New Seeds' }).click();
    await done(3);
    await picture.waitFor();
    await panel.locator('.stage').click();
    await workbench.page.keyboard.press('Control+Alt+Enter');
    await done(4);

    // The previous run's picture over the new one, up to the position of the slider.
    await picture.waitFor();
    await panel.getByRole('button', { name: 'Compare with the previous run' }).click();
    const earlier = panel.locator('.placed .earlier');
    const slider = panel.getByRole('slider', { name: 'How much of the previous image to show' });
    await expect
      .poll(() => earlier.evaluate((shown) => (shown as HTMLImageElement).naturalWidth), { timeout: 20_000 })
      .toBeGreaterThan(0);
    expect(await earlier.getAttribute('src')).not.toBe(await picture.getAttribute('src'));
    expect(await earlier.boundingBox()).toEqual(await picture.boundingBox());
    const split = (): Promise<string> => earlier.evaluate((shown) => getComputedStyle(shown).clipPath);
    const half = await split();
    await slider.press('End');
    expect(await split()).not.toBe(half);

    // A run that does not start replaces the picture.
    workbench.write('wrong.json', JSON.stringify(wrong, null, 2));
    await workbench.runFile('wrong.json');
    const refusal = panel.locator('.refusal');
    await refusal.getByRole('heading', { name: 'wrong.json Not run' }).waitFor();
    expect(await picture.isVisible()).toBe(false);
    await refusal.locator('.problems button').first().click();
    await workbench.page.locator('.tab.active[data-resource-name="wrong.json"]').waitFor();
    await workbench.picturesInThemes('refused');
    await workbench.runFile('text-to-image.json');
    await picture.waitFor();
    await workbench.picturesInThemes('preview');
  });
});

type Nodes = Record<
  string,
  { class_type: string; inputs: Record<string, unknown>; _meta?: { title: string } }
>;

/**
 * The sample with a node before the last one that sends messages while it works; in the file it comes after the last
 * one.
 */
function talkingWorkflow(sample: string): string {
  const nodes = JSON.parse(sample) as Nodes;
  for (const node of Object.values(nodes)) {
    if (node.class_type !== 'SaveImage') continue;
    const inputs = { value: node.inputs.images, steps: 6 };
    nodes['99'] = { class_type: 'SandboxSlow', inputs, _meta: { title: 'Slow' } };
    node.inputs.images = ['99', 0];
    node._meta = { title: 'Save' };
  }
  return JSON.stringify(nodes, null, 2);
}

const wrong = {
  1: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'wrong' } },
  2: { class_type: 'EmptyImage', inputs: { width: -5, height: 512, batch_size: 1, color: 99 } },
};
