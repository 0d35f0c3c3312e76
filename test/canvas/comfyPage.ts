import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { PageEdits } from './pageEdits';
import { findChromium, launchChromium } from '../support/chromium';

/** As the proxy answers them: no tabs of before, no questions, no requests to other hosts. */
const settings = {
  'Comfy.Workflow.Persist': false,
  'Comfy.TutorialCompleted': true,
  'Comfy.Notification.ShowVersionUpdates': false,
  'Comfy.Window.UnloadConfirmation': false,
  'Comfy.RightSidePanel.ShowErrorsTab': false,
  'Comfy.Workflow.AutoSave': 'off',
  'Comfy.EnableWorkflowViewRestore': false,
  'Comfy.VueNodes.Enabled': false,
  'Comfy.Workflow.ShowMissingNodesWarning': false,
  'Comfy.Workflow.ShowMissingModelsWarning': false,
};

/** The page of a real ComfyUI server in Chromium. */
export class ComfyPage {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
    readonly types: ReadonlySet<string>,
  ) {}

  /** @param definitions the path of node definitions to serve instead of the server's */
  static async open(url: string, definitions?: string): Promise<ComfyPage> {
    const browser = await launchChromium(findChromium());
    const page = await browser.newPage();
    await page.route(/\/api\/settings(?:\/|$)/, (route) =>
      route.fulfill(route.request().method() === 'GET' ? { json: settings } : { status: 200, body: '' }),
    );
    if (definitions !== undefined) {
      const body = readFileSync(definitions, 'utf8');
      await page.route(/\/api\/object_info$/, (route) =>
        route.fulfill({ body, contentType: 'application/json' }),
      );
    }
    const script = await build({
      entryPoints: ['test/canvas/pageEdits.ts'],
      bundle: true,
      write: false,
      format: 'iife',
    });
    await page.addInitScript({ content: script.outputFiles[0]?.text ?? '' });
    await page.goto(url);
    await page.waitForFunction(
      () => globalThis.app?.extensionManager.spinner === false && !document.querySelector('#splash-loader'),
      undefined,
      { timeout: 180_000 },
    );
    const types = await page.evaluate(() => canvasEdits.types());
    return new ComfyPage(browser, page, new Set(types));
  }

  /** The serialization once it has settled; undefined if the page can't load the text, or never settles. */
  async load(text: string): Promise<string | undefined> {
    return this.page.evaluate((data) => canvasEdits.load(data), text);
  }

  /** The graph that the page makes of a prompt. */
  async importPrompt(text: string): Promise<string | undefined> {
    return this.page.evaluate((prompt) => canvasEdits.importPrompt(prompt), text);
  }

  /** What it would run, as JSON, if nothing were muted or bypassed. */
  async prompt(): Promise<string> {
    return this.page.evaluate(() => canvasEdits.prompt());
  }

  async edit(name: string, seed: number): Promise<string | undefined> {
    return this.page.evaluate(([edit, number]) => canvasEdits.run(edit, number), [name, seed] as const);
  }

  async captureForUndo(): Promise<void> {
    await this.page.evaluate(() => {
      canvasEdits.capture();
    });
  }

  async undo(): Promise<void> {
    await this.page.evaluate(() => canvasEdits.undo());
  }

  async settledState(): Promise<string | undefined> {
    return this.page.evaluate(() => canvasEdits.settled());
  }

  async editNames(): Promise<PageEdits['names']> {
    return this.page.evaluate(() => canvasEdits.names);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}
