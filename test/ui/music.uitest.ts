import { readdirSync, readFileSync } from 'node:fs';
import { decode } from 'fast-png';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { axeFindings } from '../support/accessibility';
import { type FaultySandbox, startFaultySandbox } from '../support/faults/faultySandbox';
import { fragmentSamples, tuneRate, tuneSample } from '../support/tune';
import { textSeed } from '../../src/sandbox/music/musicLines';
import { nightlyTest, test } from '../support/uiTest';
import { testedThemes, themes, type Workbench } from '../support/workbench';

const prompt = 'Slow piano, rain on the window';

async function openMusic(workbench: Workbench): Promise<FrameLocator> {
  await workbench.command('Comfy Deck: Open Music Panel');
  const panel = workbench.webview();
  await panel.getByLabel('Describe the music').waitFor();
  return panel;
}

async function ask(panel: FrameLocator, seconds: number): Promise<void> {
  await panel.getByLabel('Describe the music').fill(prompt);
  await panel.getByRole('spinbutton', { name: 'Duration (seconds)' }).fill(String(seconds));
  await panel.getByRole('button', { name: 'Generate', exact: true }).click();
}

/** The player's position in seconds. */
async function position(panel: FrameLocator): Promise<number> {
  const text = (await panel.locator('.time').textContent()) ?? '';
  const [minutes = '0', seconds = '0'] = (text.split(' / ')[0] ?? '').split(':');
  return Number(minutes) * 60 + Number(seconds);
}

/** How many different colors the waveform has been painted with, and how many bars stand out. */
async function painted(wave: Locator): Promise<number> {
  return wave.evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const { data, width, height } = canvas
      .getContext('2d')
      ?.getImageData(0, 0, canvas.width, canvas.height) ?? {
      data: new Uint8ClampedArray(),
      width: 0,
      height: 0,
    };
    // Heights of the columns: a drawn waveform has many, a flat line one.
    const heights = new Set<number>();
    for (let x = 0; x < width; x += 1) {
      let tall = 0;
      for (let y = 0; y < height; y += 1) if ((data[(y * width + x) * 4 + 3] ?? 0) > 0) tall += 1;
      heights.add(tall);
    }
    return heights.size;
  });
}

async function seesTrack(panel: FrameLocator): Promise<Locator> {
  const row = panel.locator('.track').first();
  await row.waitFor();
  await panel.locator('.waveform[data-peaks="240"]').waitFor();
  await expect.poll(() => painted(panel.locator('.waveform'))).toBeGreaterThan(6);
  return row;
}

async function hearsIt(panel: FrameLocator): Promise<void> {
  await panel.locator('.controls').getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => position(panel), { timeout: 15_000 }).toBeGreaterThan(1);
  await panel.locator('.controls').getByRole('button', { name: 'Pause' }).click();
}

/** Red, green and blue of a point in the middle of an element, 0 to 255, averaged. @param across 0 to 1 */
async function brightness(element: Locator, across: number): Promise<number> {
  const { width, height, channels, data } = decode(await element.screenshot());
  const at = (Math.floor(height / 2) * width + Math.floor(across * width)) * channels;
  return (Number(data[at]) + Number(data[at + 1]) + Number(data[at + 2])) / 3;
}

/** Elements that extend beyond the edge of the panel. */
function tooWide(panel: FrameLocator): Promise<string[]> {
  return panel
    .locator('main *:not(.spoken)')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
        .map(({ outerHTML }) => outerHTML.slice(0, 80)),
    );
}

/** As in VS Code's own builds: neither elements, whatever they say, nor the audio API play AAC, in any frame of the page. */
async function withoutAac(workbench: Workbench): Promise<void> {
  workbench.hasOwnScripts = true;
  await workbench.page.addInitScript(() => {
    const isAac = (blob: Blob): boolean => blob.type === 'audio/mp4';
    const aacUrls = new Set<string>();
    const createObjectURL = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (object: Blob) => {
      const url = createObjectURL(object);
      if (isAac(object)) aacUrls.add(url);
      return url;
    };
    HTMLMediaElement.prototype.canPlayType = () => 'probably';
    const source: PropertyDescriptor =
      Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'src') ?? {};
    Object.defineProperty(HTMLMediaElement.prototype, 'src', {
      ...source,
      set(this: HTMLMediaElement, url: string) {
        if (aacUrls.has(url)) this.dispatchEvent(new Event('error'));
        else source.set?.call(this, url);
      },
    });
    BaseAudioContext.prototype.decodeAudioData = () =>
      Promise.reject(new DOMException('Unable to decode audio data', 'EncodingError'));
  });
}

describe('music in the workbench', () => {
  test.override({ settings: { 'comfyDeck.musicService': 'sandbox' } });

  nightlyTest('supports seek, loop, volume, vary, copy, reveal, delete and undo', async ({ workbench }) => {
    const panel = await openMusic(workbench);
    await ask(panel, 30);
    const row = await seesTrack(panel);
    const wave = panel.getByRole('slider', { name: 'Position' });
    await wave.focus();
    await wave.press('ArrowRight');
    await wave.press('ArrowRight');
    await expect.poll(() => position(panel)).toBe(10);
    await expect.poll(() => wave.getAttribute('aria-valuetext')).toBe('10 seconds of 30 seconds');
    await wave.press('Home');
    await expect.poll(() => position(panel)).toBe(0);
    const loop = panel.getByRole('button', { name: 'Loop' });
    await loop.press('Enter');
    expect(await loop.getAttribute('aria-pressed')).toBe('true');
    await panel.getByLabel('Volume').press('End');
    expect(await panel.getByLabel('Volume').inputValue()).toBe('100');

    await panel.getByLabel('Describe the music').fill('x'.repeat(1001));
    await panel.getByText('1001 / 1000').waitFor();
    await panel.getByText('The prompt is too long. The limit is 1000 characters.').waitFor();
    const generate = panel.getByRole('button', { name: 'Generate', exact: true });
    expect(await generate.getAttribute('aria-disabled')).toBe('true');
    await generate.press('Enter');
    await panel.getByLabel('Describe the music').fill(`${'🎵'.repeat(998)}\n`);
    await panel.getByText('1000 / 1000').waitFor();
    for (const wrong of ['0', '361', '1.5', '']) {
      await panel.getByRole('spinbutton', { name: 'Duration (seconds)' }).fill(wrong);
      await panel.getByText('The duration must be a whole number of seconds from 1 to 360.').waitFor();
      await generate.press('Enter');
    }
    expect(await panel.locator('.generation').isVisible(), 'nothing is asked for').toBe(false);
    await row.getByRole('button', { name: /^Edit Prompt/ }).press('Enter');
    expect(await panel.getByLabel('Describe the music').inputValue()).toBe(prompt);
    expect(await panel.getByRole('spinbutton', { name: 'Duration (seconds)' }).inputValue()).toBe('30');

    await row.getByRole('button', { name: 'Copy Prompt' }).press('Enter');
    await expect.poll(() => workbench.page.evaluate(() => navigator.clipboard.readText())).toBe(prompt);
    await row.getByRole('button', { name: 'Reveal' }).press('Enter');
    await workbench
      .treeRow(readdirSync(workbench.path('outputs')).find((name) => name.endsWith('.m4a')) ?? '')
      .waitFor();

    await row.getByRole('button', { name: 'Delete' }).press('Enter');
    await panel.locator('.undo', { hasText: 'Deleted' }).waitFor();
    expect(await panel.locator('.track').count()).toBe(0);
    await panel.getByRole('button', { name: 'Undo' }).press('Enter');
    await seesTrack(panel);
    expect(readdirSync(workbench.path('outputs')).filter((name) => name.endsWith('.m4a'))).toHaveLength(1);

    await row.getByRole('button', { name: 'Delete' }).press('Enter');
    await panel.locator('.undo', { hasText: 'Deleted' }).waitFor();
    await workbench.command('View: Close All Editors');
    await expect
      .poll(() => readdirSync(workbench.path('outputs')), { message: 'the track and its record' })
      .toEqual([]);
  });

  test('turns a prompt into a track that plays in a pane of any theme and width, and after a reload', async ({
    workbench,
  }) => {
    const decoders = decodersLoaded(workbench);
    let panel = await openMusic(workbench);
    await ask(panel, 20);
    const title = panel.locator('.generation h2');
    await expect.poll(() => title.textContent()).toMatch(/^[A-Z]\w+ [A-Z]\w+$/);
    await panel.locator('.generation .spoken', { hasText: /^[A-Z]\w+ [A-Z]\w+\. / }).waitFor();
    await panel.locator('.generation .tags', { hasText: 'slow' }).waitFor();
    expect(await panel.locator('.track').count(), 'tracks before the end').toBe(0);
    await panel.locator('.generation .progress-text', { hasText: /[1-9]\d* of 20 s received/ }).waitFor();
    await workbench.picture('music-receiving');
    const named = (await title.textContent()) ?? '';

    const row = await seesTrack(panel);
    await panel
      .getByRole('status')
      .filter({ hasText: `“${named}” is ready.` })
      .waitFor();
    await row.getByRole('heading', { name: named }).waitFor();
    expect(await panel.locator('.player').getAttribute('data-decoded-by')).toBe('browser');
    await hearsIt(panel);
    for (const theme of testedThemes) {
      await workbench.useTheme(theme);
      await panel.locator(`body[data-vscode-theme-name="${themes[theme].label}"]`).waitFor();
      const ahead = await brightness(panel.getByRole('slider', { name: 'Duration (seconds)' }), 0.8);
      expect(ahead > 127, `${theme}: brightness ${ahead}`).toBe(theme.endsWith('ight'));
      expect(await axeFindings(panel), theme).toEqual([]);
    }
    await workbench.page.setViewportSize({ width: 520, height: 800 });
    await expect.poll(() => tooWide(panel), { timeout: 20_000 }).toEqual([]);
    await workbench.picture('music-narrow');
    await workbench.page.setViewportSize({ width: 1400, height: 900 });

    const made = readdirSync(workbench.path('outputs')).sort();
    expect(made).toHaveLength(2);
    expect(made[0]).toMatch(/\.m4a$/);
    expect(JSON.parse(workbench.read('outputs', made[1] ?? ''))).toMatchObject({ kind: 'music', prompt });

    await workbench.reload();
    panel = workbench.webview();
    await seesTrack(panel);
    await panel.locator('.track').getByRole('heading', { name: named }).waitFor();
    expect(await panel.getByLabel('Describe the music').inputValue()).toBe(prompt);
    await hearsIt(panel);
    expect(decoders, 'where VS Code plays AAC, the decoder is not loaded').toEqual([]);
  });

  nightlyTest('works with the keyboard alone, with names for screen readers', async ({ workbench }) => {
    const panel = await openMusic(workbench);
    const { keyboard } = workbench.page;
    const focused = (): Promise<string> =>
      panel.locator('body').evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute('aria-label') ?? element?.id ?? '';
      });
    const tab = async (): Promise<string> => {
      await keyboard.press('Tab');
      return (await focused()) || panel.locator(':focus').innerText();
    };
    await panel.getByLabel('Describe the music').focus();
    await keyboard.type(prompt);
    expect([await tab(), await tab(), await tab()]).toEqual(['seconds', 'Duration (seconds)', 'Generate']);
    await keyboard.press('Enter');
    await panel.getByRole('progressbar', { name: 'Music received' }).waitFor();
    expect(await panel.locator(':focus').innerText(), 'the focus stays while it is busy').toBe('Generate');
    expect(
      await panel.getByRole('button', { name: 'Generate', exact: true }).getAttribute('aria-disabled'),
    ).toBe('true');
    expect([await tab(), await tab()]).toEqual(['Change… the music service', 'Cancel']);
    await keyboard.press('Enter');
    await panel.locator('.generation').waitFor({ state: 'hidden' });
    await expect.poll(focused, { message: 'after Cancel' }).toBe('prompt');
    expect(await panel.locator('.notice').isVisible(), 'cancelling is no error').toBe(false);

    await keyboard.press('Control+Enter');
    await panel.locator('.generation').waitFor();
    await panel.locator('.generation').waitFor({ state: 'hidden' });
    const row = await seesTrack(panel);
    const title = (await row.getByRole('heading').textContent()) ?? '';
    for (const wanted of ['Generate', 'Change… the music service', 'Position', 'Play', 'Loop', 'Volume']) {
      let reached = await tab();
      while (reached === 'seconds' || reached === 'Duration (seconds)') reached = await tab();
      expect(reached).toBe(wanted);
    }
    expect(await tab()).toBe(`Play ${title}`);
    const tree = await panel.locator('body').ariaSnapshot();
    for (const line of [
      '- region "New music":',
      '- textbox "Describe the music"',
      '- spinbutton "Duration (seconds)"',
      '- region "Player":',
      '- slider "Position"',
      '- group "Playback":',
      '- button "Loop"',
      '- slider "Volume"',
      '- heading "History" [level=2]',
      `- button "Play ${title}"`,
      '- list "Tags"',
      `- group "Actions for ${title}":`,
      '- button "Delete"',
    ])
      expect(tree).toContain(line);

    await row.getByRole('button', { name: 'Delete' }).focus();
    await keyboard.press('Enter');
    await panel
      .getByRole('status')
      .filter({ hasText: `Deleted “${title}”.` })
      .waitFor();
    await expect.poll(() => panel.locator(':focus').innerText()).toBe('Undo');
    await keyboard.press('Enter');
    await expect.poll(focused).toBe(`Play ${title}`);
    await keyboard.press('Enter');
    await expect.poll(() => position(panel), { timeout: 15_000 }).toBeGreaterThan(0);
    await keyboard.press('Enter');
  });
});

describe('music in a VS Code without AAC', () => {
  test.override({ shared: false, opensLater: true, settings: { 'comfyDeck.musicService': 'sandbox' } });

  nightlyTest(
    'that only says that it knows it: is decoded by the extension to the same signal',
    async ({ workbench }) => {
      await withoutAac(workbench);
      await workbench.page.addInitScript(() => {
        const createObjectURL = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (object: Blob) => {
          const url = createObjectURL(object);
          if (object.type === 'audio/wav') Object.assign(window, { playedUrl: url });
          return url;
        };
      });
      await workbench.open();
      const decoders = decodersLoaded(workbench);
      const panel = await openMusic(workbench);
      const workers = workbench.page.waitForEvent('worker', (worker) => worker.url().startsWith('blob:'));
      expect(decoders).toEqual([]);
      await ask(panel, 6);
      await seesTrack(panel);
      expect(await panel.locator('.player').getAttribute('data-decoded-by')).toBe('decoder');
      await workers;
      expect(decoders.some((url) => url.endsWith('.wasm'))).toBe(true);
      await hearsIt(panel);

      const wav = await panel.locator('body').evaluate(async () => {
        const url = (window as unknown as { readonly playedUrl: string }).playedUrl;
        const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
        return Array.from(new Int16Array(bytes.buffer, 44, (bytes.length - 44) >> 1));
      });
      expect(wav.length / 2).toBe(6 * fragmentSamples);
      expect(likeness(wav, textSeed(prompt) * fragmentSamples)).toBeGreaterThan(0.999);
    },
  );
});

describe('music that fails', () => {
  test.override({ opensLater: true });

  let service: FaultySandbox;
  beforeAll(async () => {
    service = await startFaultySandbox({ timing: 'human', apiKey: 'comfyui-test' });
  });
  afterAll(() => service.close());

  test('says why, offers what arrived, and accepts a key that goes nowhere else', async ({ workbench }) => {
    await workbench.changeSettings({ 'comfyDeck.musicService': service.url });
    const panel = await openMusic(workbench);
    await panel.getByText('price unknown').waitFor();
    await ask(panel, 30);
    await panel.locator('.notice', { hasText: 'needs an API key or a token' }).waitFor();
    await panel.locator('.notice').getByRole('button', { name: 'Sign In' }).click();
    await workbench.answer('API key (comfyui-', 'comfyui-test');
    await panel.locator('.notice').waitFor({ state: 'hidden' });

    service.faults.set('musicBreak', { how: 'drop', afterChunks: 12, times: 1 });
    await ask(panel, 30);
    await panel.locator('.notice', { hasText: 'was interrupted' }).waitFor();
    await panel.getByText('had arrived by then').waitFor();
    await workbench.picture('music-broken');
    await panel.getByRole('button', { name: 'Generate', exact: true }).click();
    await workbench.notification('The last track is not saved yet.').waitFor();
    await panel.getByRole('button', { name: 'Keep Partial Track' }).click();
    await panel.locator('.track .meta', { hasText: 'incomplete' }).waitFor();
    expect(generations(service)).toBe(2);

    service.faults.set('musicRefusal', { status: 402, times: 1 });
    await ask(panel, 30);
    await panel.getByText('Add credits to your Comfy account').waitFor();

    service.faults.set('musicBreak', { how: 'stall', times: 1 });
    await ask(panel, 30);
    await panel.locator('.generation').getByRole('button', { name: 'Cancel' }).click();
    await panel.locator('.generation').waitFor({ state: 'hidden' });
    expect(await panel.locator('.notice').isVisible()).toBe(false);

    const html = await panel.locator('html').evaluate((element) => element.outerHTML);
    expect(html).not.toContain('comfyui-test');
    for (const name of readdirSync(workbench.path('outputs')))
      expect(readFileSync(workbench.path('outputs', name)).includes('comfyui-test')).toBe(false);
  });

  nightlyTest('keeps the part received before a reload cut it off', async ({ workbench }) => {
    const before = generations(service);
    let panel = await openMusic(workbench);
    service.faults.set('musicBreak', { how: 'stall', times: 1 });
    await ask(panel, 30);
    await panel.locator('.generation .progress-text', { hasText: 'received' }).waitFor();
    await workbench.reload();

    panel = await openMusic(workbench);
    const notice = panel.getByRole('alert').filter({ hasText: 'before the last track was saved' });
    await notice.getByText('had arrived by then and can be kept').waitFor();
    await notice.getByRole('button', { name: 'Keep Partial Track' }).click();
    await panel.locator('.track .meta', { hasText: 'incomplete' }).nth(1).waitFor();
    expect(generations(service), 'nothing is asked for by itself').toBe(before + 1);
    expect(await panel.locator('.notice').isVisible()).toBe(false);
  });
});

function generations(service: FaultySandbox): number {
  return service.seen.count('POST', '/proxy/sonilo/t2m/generate');
}

/** Addresses of requested decoder files, from now on. */
function decodersLoaded(workbench: Workbench): readonly string[] {
  const loaded: string[] = [];
  workbench.page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/decoder\/(worker\.js|decode-audio\.wasm)$/.test(pathname)) loaded.push(pathname);
  });
  return loaded;
}

/**
 * How similar the decoded samples (16 bits, left and right interleaved) are to the formula that was encoded, from a
 * position in the tune: their correlation, 1 for identical. Finds the encoder's delay by trying.
 */
function likeness(wav: readonly number[], start: number): number {
  const [from, count] = [20_000, 40_000];
  const heard = Array.from({ length: count }, (_, at) => wav[(from + at) * 2] ?? 0);
  let best = 0;
  for (let delay = 0; delay <= 2112; delay += 64) {
    const meant = Array.from({ length: count }, (_, at) => tuneSample(start + from + at - delay)[0]);
    best = Math.max(best, correlation(heard, meant));
  }
  return best;
}

function correlation(one: readonly number[], other: readonly number[]): number {
  let [both, ones, others] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const second = other[index] ?? 0;
    both += value * second;
    ones += value * value;
    others += second * second;
  }
  return both / Math.sqrt(ones * others);
}

// The rate is part of the reference: a decoder that resamples would produce a different signal.
expect(tuneRate).toBe(44_100);
