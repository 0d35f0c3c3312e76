import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { describe } from 'vitest';
import { sandboxNodes } from '../../src/sandbox/nodes/nodeSet';
import type { SandboxNode } from '../../src/sandbox/nodes/sandboxNode';
import { startSandbox } from '../../src/sandbox/sandbox';
import { smallGraph } from '../support/graphFile';
import { makePngSmaller } from '../support/smallerPng';
import { test } from '../support/uiTest';
import { themes, type Workbench } from '../support/workbench';

/** The pictures of README.md; `npm run pictures` takes them again. Look at each before you keep it. */
const folder = 'media/readme';

async function keepPicture(workbench: Workbench, name: string): Promise<void> {
  const file = path.join(folder, `${name}.png`);
  // Over nothing that looks different then.
  await workbench.page.mouse.move(700, 890);
  await workbench.untilDrawn();
  await workbench.screenshot(file);
  makePngSmaller(file, 8);
}

/** A KSampler that stays at this step until it may go on: a picture of a run must not depend on how fast it is. */
function stayingAt(held: number, mayGoOn: () => Promise<unknown>): ReadonlyMap<string, SandboxNode> {
  const sampler = sandboxNodes().get('KSampler');
  if (!sampler) throw new Error('The sandbox has no KSampler.');
  const run: SandboxNode['run'] = (inputs, context) =>
    sampler.run(inputs, {
      ...context,
      steps: async (step, steps) => {
        await context.steps(step, steps);
        if (step === held) await mayGoOn();
      },
    });
  return new Map([['KSampler', { ...sampler, run }]]);
}

const draft = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  '2': { class_type: 'SaveIm', inputs: { filename_prefix: 'x' } },
};

const input = (name: string, type: string, link: number) => ({ name, type, link });
const output = (type: string, ...links: readonly number[]) => ({ name: type, type, links });

/** Two groups of nodes as one would place them in the ComfyUI editor. */
const placedGraph = {
  last_node_id: 7,
  last_link_id: 9,
  nodes: [
    {
      ...{ id: 1, type: 'CheckpointLoaderSimple', pos: [20, 60], size: [300, 98] },
      outputs: [output('MODEL', 1), output('CLIP', 2, 3), output('VAE', 8)],
      widgets_values: ['v1-5-pruned-emaonly.safetensors'],
    },
    {
      ...{ id: 2, type: 'CLIPTextEncode', title: 'Prompt', color: '#232', bgcolor: '#353' },
      ...{ pos: [370, 60], size: [320, 120], inputs: [input('clip', 'CLIP', 2)] },
      outputs: [output('CONDITIONING', 4)],
      widgets_values: ['a lighthouse at dusk, oil on canvas'],
    },
    {
      ...{ id: 3, type: 'CLIPTextEncode', title: 'Negative Prompt', color: '#322', bgcolor: '#533' },
      ...{ pos: [370, 250], size: [320, 100], inputs: [input('clip', 'CLIP', 3)] },
      outputs: [output('CONDITIONING', 5)],
      widgets_values: ['blurry, watermark'],
    },
    {
      ...{ id: 4, type: 'EmptyLatentImage', pos: [20, 250], size: [300, 106] },
      outputs: [output('LATENT', 6)],
      widgets_values: [512, 512, 1],
    },
    {
      ...{ id: 5, type: 'KSampler', pos: [20, 480], size: [300, 262] },
      inputs: [
        input('model', 'MODEL', 1),
        input('positive', 'CONDITIONING', 4),
        input('negative', 'CONDITIONING', 5),
        input('latent_image', 'LATENT', 6),
      ],
      outputs: [output('LATENT', 7)],
      widgets_values: [8675309, 'fixed', 20, 7.5, 'euler', 'normal', 1],
    },
    {
      ...{ id: 6, type: 'VAEDecode', pos: [370, 480], size: [150, 46] },
      inputs: [input('samples', 'LATENT', 7), input('vae', 'VAE', 8)],
      outputs: [output('IMAGE', 9)],
      widgets_values: [],
    },
    {
      ...{ id: 7, type: 'SaveImage', pos: [370, 600], size: [320, 58] },
      inputs: [input('images', 'IMAGE', 9)],
      outputs: [],
      widgets_values: ['lighthouse'],
    },
  ],
  links: [
    [1, 1, 0, 5, 0, 'MODEL'],
    [2, 1, 1, 2, 0, 'CLIP'],
    [3, 1, 1, 3, 0, 'CLIP'],
    [4, 2, 0, 5, 1, 'CONDITIONING'],
    [5, 3, 0, 5, 2, 'CONDITIONING'],
    [6, 4, 0, 5, 3, 'LATENT'],
    [7, 5, 0, 6, 0, 'LATENT'],
    [8, 1, 2, 6, 1, 'VAE'],
    [9, 6, 0, 7, 0, 'IMAGE'],
  ],
  groups: [
    { title: 'What to draw', bounding: [0, -20, 710, 380], color: '#3f789e', font_size: 24 },
    { title: 'Drawing', bounding: [0, 390, 710, 620], color: '#8A8', font_size: 24 },
  ],
  version: 0.4,
};

describe('pictures of the workbench', () => {
  test.override({
    settings: {
      'comfyDeck.notifyWhenDone': 'never',
      'editor.minimap.enabled': false,
      'breadcrumbs.enabled': false,
      'editor.guides.indentation': false,
      'window.commandCenter': false,
      'workbench.layoutControl.enabled': false,
    },
  });

  test('while jobs run, and when they have ended, in each theme', async ({ workbench }) => {
    const pictures = new EventEmitter();
    const nodes = stayingAt(13, () => once(pictures, 'taken'));
    const server = await startSandbox({ dialect: 'local', timing: 'human', nodes });
    const keep = (name: string): Promise<void> => keepPicture(workbench, name);
    try {
      await workbench.changeSettings({ 'comfyDeck.servers': [{ name: 'My ComfyUI', url: server.url }] });
      await workbench.selectServer('My ComfyUI');
      await workbench.activity('Comfy Deck').click();
      await workbench.widenSideBar(410);

      await workbench.openFile('blend-batch.json');
      await workbench.editorAction('Run Workflow').click();
      await workbench.treeRow('blend-batch.json, completed').waitFor();
      await workbench.openFile('text-to-image.json');
      await workbench.editorAction('Run Workflow').click();
      const running = workbench.treeRow('text-to-image.json, running');
      await running.locator('.monaco-tl-twistie').click();
      await running.filter({ hasText: 'step 13' }).waitFor();
      await workbench.webview().getByText('step 13/20').first().waitFor();
      await workbench.webview().getByText('Live preview of KSampler').waitFor();
      await keep('running');
      pictures.emit('taken');

      await workbench.treeRow('text-to-image.json, completed').waitFor();
      await workbench.webview().locator('img.picture').first().waitFor();
      for (const theme of ['light', 'dark', 'highContrast'] satisfies (keyof typeof themes)[]) {
        await workbench.useTheme(theme);
        await keep(theme);
      }
    } finally {
      await server.close();
    }
  });

  test('of a finding, of completion, of a graph file and of music', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.useTheme('dark');
    await workbench.selectServer('Sandbox');

    const sample = workbench.read('text-to-image.json');
    workbench.write('text-to-image.json', sample.replace('"euler"', '"Euler"'));
    await workbench.openFile('text-to-image.json');
    await page.locator('.squiggly-error').first().waitFor();
    await (await workbench.problems()).filter({ hasText: 'option-spelling' }).first().waitFor();
    await keepPicture(workbench, 'finding');
    await workbench.command('View: Hide Panel');

    workbench.write('draft.json', JSON.stringify(draft, null, 2));
    await workbench.openFile('draft.json');
    await page.locator('.squiggly-error').first().waitFor();
    await page.locator('.view-line', { hasText: 'SaveIm' }).click();
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    await workbench.command('Trigger Suggest');
    await page.locator('.suggest-widget .monaco-list-row', { hasText: 'SaveImage' }).first().waitFor();
    await keepPicture(workbench, 'completion');
    await page.keyboard.press('Escape');

    workbench.write('graph.json', JSON.stringify(smallGraph(), null, 2));
    await workbench.openFile('graph.json');
    await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
    await keepPicture(workbench, 'graph');

    await workbench.command('Comfy Deck: Open Music Panel');
    const panel = await workbench.webviewWith('Describe the music');
    await panel.getByLabel('Describe the music').fill('Slow piano, rain on the window');
    await panel.getByRole('spinbutton', { name: 'Duration (seconds)' }).fill('20');
    await panel.getByRole('button', { name: 'Generate', exact: true }).click();
    await panel.locator('.track').first().waitFor();
    await panel.locator('.waveform[data-peaks="240"]').waitFor();
    await panel.locator('.waveform').press('ArrowRight');
    await keepPicture(workbench, 'music');
  });

  test('of a batch, its record and the gallery, each in another theme', async ({ workbench }) => {
    await workbench.selectServer('Sandbox');
    const batch = {
      format: 1,
      workflow: 'text-to-image.json',
      set: {
        'Prompt.text': { prompt: 'a quiet mountain lake, {golden light|moonlight|thunderstorm}' },
        'KSampler.seed': [11, 12, 13, 14],
      },
    };
    workbench.write('text-to-image.batch.json', JSON.stringify(batch, null, 2));
    await workbench.openFile('text-to-image.batch.json');
    await workbench.page.locator('.codelens-decoration', { hasText: '12 runs' }).waitFor();
    await workbench.editorAction('Run Batch').click();
    await workbench.activity('Comfy Deck').click();
    // So wide that the whole sheet is in sight.
    await workbench.widenSideBar(410);
    await workbench.treeRow('Batch text-to-image.json, 12 of 12 saved').waitFor({ timeout: 120_000 });
    await workbench.useTheme('light');
    await workbench.command('Comfy Deck: Open Batch…');
    await workbench.choice('text-to-image.json').click();
    const sheet = workbench.webview();
    await sheet.getByText('12 of 12 saved').waitFor();
    await sheet.locator('.cell img').nth(11).waitFor();
    await keepPicture(workbench, 'batch');

    await workbench.useTheme('dark');
    await workbench.command('Comfy Deck: Open Gallery');
    const gallery = await workbench.webviewWith('Favorites');
    await gallery.locator('.tile canvas').nth(8).waitFor();
    await keepPicture(workbench, 'gallery');

    await workbench.useTheme('highContrast');
    await workbench.page.locator('.tab', { hasText: 'text-to-image.json, ' }).click();
    const shownAgain = await workbench.webviewWith('12 of 12 saved');
    await shownAgain.locator('.cell img').first().click();
    await workbench.tab('.run.json').waitFor();
    await workbench.webviewWith('Run Again');
    await keepPicture(workbench, 'record');
  });

  test('of a graph with a run on it, in each theme', async ({ workbench }) => {
    const pictures = new EventEmitter();
    const nodes = stayingAt(13, () => once(pictures, 'taken'));
    const server = await startSandbox({ dialect: 'local', timing: 'human', nodes });
    try {
      await workbench.changeSettings({
        'comfyDeck.servers': [{ name: 'My ComfyUI', url: server.url }],
        'comfyDeck.openPreviewOnRun': false,
      });
      await workbench.selectServer('My ComfyUI');
      workbench.write('lighthouse.json', JSON.stringify(placedGraph, null, 2));
      await workbench.openFile('lighthouse.json');
      await workbench.editorAction('Show Graph').click();
      const graph = workbench.webview();
      await graph.locator('[data-node="1"]').waitFor();
      await workbench.command('View: Toggle Primary Side Bar Visibility');
      await workbench.page.mouse.move(10, 10);
      await workbench.page.locator('.monaco-editor .view-line').first().click();
      await workbench.editorAction('Run Workflow').click();
      await graph.locator('[data-node="5"][data-state="running"] .frame image').waitFor();
      await graph.getByText('13/20').first().waitFor();
      await graph.locator('[data-node="5"] .title').click();
      await workbench.page.locator('.view-line', { hasText: '"KSampler"' }).first().waitFor();
      await graph.locator('svg.canvas').press('0');
      for (const theme of ['light', 'highContrast', 'dark'] satisfies (keyof typeof themes)[]) {
        await workbench.useTheme(theme);
        await graph.locator(`body[data-vscode-theme-name="${themes[theme].label}"]`).waitFor();
        await keepPicture(workbench, `run-on-graph-${theme}`);
      }
      pictures.emit('taken');
    } finally {
      await server.close();
    }
  });
});
