import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Scratch, Settings } from './scratch';

export const themes = {
  dark: { label: 'Dark Modern', mark: '.vs-dark' },
  light: { label: 'Light Modern', mark: '.vs' },
  highContrast: { label: 'Dark High Contrast', mark: '.hc-black' },
  highContrastLight: { label: 'Light High Contrast', mark: '.hc-light' },
} as const;

/** Set by `npm run test:ui -- --review`: the folder of the pictures to look at. */
const review = process.env.COMFY_DECK_REVIEW;

const allThemes = ['light', 'highContrast', 'highContrastLight', 'dark'] as const;

/** The themes that panels are tested in: two for each change, all of them for pictures and every night. */
export const testedThemes: readonly (keyof typeof themes)[] =
  review === undefined && process.env.COMFY_DECK_NIGHTLY === undefined ? ['light', 'dark'] : allThemes;

/** What a person sees and does in the workbench, in their words. The selectors work in VS Code 1.100 to 1.139. */
export class Workbench {
  /** Set by a test that adds scripts to the page: nothing removes them, so no other window gets this page. */
  hasOwnScripts = false;

  constructor(
    /** For anything without a method here. Wait for what should be visible, never for time to pass. */
    readonly page: Page,
    readonly scratch: Scratch,
    readonly address: string,
  ) {}

  async open(): Promise<void> {
    // Half of the key that encrypts stored secrets; this server has none, and without it they are lost on a reload.
    await this.page.route('**/mint-key', (route) =>
      route.fulfill({ body: Buffer.alloc(32, 7), contentType: 'application/octet-stream' }),
    );
    await this.page.goto(this.address);
    await this.#shown();
  }

  /** Reloads the page. State that VS Code has not stored by then, such as the open editors, is lost. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.#shown();
  }

  /** Reloads the window as a user does; the open editors come back. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.command('Developer: Reload Window');
    await loaded;
    await this.#shown();
  }

  /** Contributions appear a while after the workbench; a palette that is opened earlier would not contain them. */
  async #shown(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
    await this.activity('Comfy Deck').waitFor({ timeout: 60_000 });
  }

  /** Closes what a test left open, and shows the view that a new window shows. */
  async tidy(): Promise<void> {
    await this.page.keyboard.press('Escape');
    const isShown = this.page.locator('.activitybar .checked .action-label[aria-label^="Explorer"]');
    if ((await isShown.count()) === 0) await this.command('View: Show Explorer');
    await this.command('Notifications: Clear All Notifications');
    // VS Code asks about a change of the last second, which isn't saved automatically yet.
    await this.untilDone(async () => {
      await this.command('View: Close All Editors');
      const tab = this.page.locator('.editor-group-container .tab').first();
      await tab.waitFor({ state: 'detached', timeout: 2000 });
    });
    if (await this.page.locator('.part.panel').isVisible()) await this.page.keyboard.press('Control+j');
  }

  /** Runs a command by its title in the palette, including its category: "Comfy Deck: Run Workflow". */
  async command(title: string): Promise<void> {
    await this.#quickOpen('F1', `>${title}`, title);
  }

  async openFile(name: string): Promise<void> {
    // The list may change between the look and the click: then another file has been opened.
    await this.untilDone(async () => {
      await this.#quickOpen('Control+P', name, path.basename(name));
      await this.tab(path.basename(name)).first().waitFor({ timeout: 10_000 });
    });
  }

  /** Opens a file and presses its run button. */
  async runFile(name: string): Promise<void> {
    await this.openFile(name);
    // Until its editor has it, the button above runs the file that was there before.
    const editor = this.page.locator(`.monaco-editor[data-uri$="/${name}"]`);
    await editor.locator('.codelens-decoration').first().waitFor();
    await this.editorAction('Run Workflow').click();
  }

  async selectServer(name: string): Promise<void> {
    await this.untilDone(async () => {
      await this.command('Comfy Deck: Select Server');
      await this.choice(name).click({ timeout: 5000 });
    });
    await this.statusItem(name).waitFor();
  }

  /** Opens the window (again) on this server, as if it had been selected before. */
  async opensOn(name: string, url: string, more: Settings = {}): Promise<void> {
    await this.changeSettings({ 'comfyDeck.servers': [{ name, url }], 'comfyDeck.server': name, ...more });
  }

  async #quickOpen(key: string, text: string, row: string): Promise<void> {
    await this.untilDone(async () => {
      await this.page.keyboard.press(key);
      await this.quickInput.waitFor({ timeout: 2000 });
      await this.quickInput.fill(text, { timeout: 2000 });
      await this.choice(row).click({ timeout: 5000 });
    });
  }

  /** An editor that is still opening takes the focus and closes lists, and extensions do not know it: then again. */
  async untilDone(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await work();
        return;
      } catch (error) {
        if (attempt === 4) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** By keyboard: a click that comes as soon as the menu is there is taken for the end of the one that opened it. */
  async chooseInMenu(entry: string): Promise<void> {
    const item = this.page.getByRole('menuitem', { name: entry, exact: true });
    await item.hover();
    // Enter goes to what has the focus, which the pointer takes along a moment later.
    await this.page.locator('.action-item.focused', { has: item }).waitFor();
    await this.page.keyboard.press('Enter');
    await item.waitFor({ state: 'detached' });
  }

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget input.input');
  }

  choice(text: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
  }

  /** Answers the input box whose prompt or title contains `prompt`. */
  async answer(prompt: string, text: string): Promise<void> {
    await this.page.locator('.quick-input-widget', { hasText: prompt }).waitFor();
    await this.quickInput.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Applies a fix at the cursor, by its title. By keyboard: VS Code 1.100 loses a click in this list. */
  async takeFix(title: string): Promise<void> {
    // The light bulb shows that there is a fix: earlier key presses are lost.
    await this.page.locator('[class*="lightbulb" i]').filter({ visible: true }).first().waitFor();
    const rows = this.page.locator('.action-widget .monaco-list-row');
    const chosen = rows.filter({ hasText: title });
    // An open list stays as it is: a fix that needs an answer of the registry is in a later one.
    const isThere = (): Promise<boolean> =>
      chosen.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
    await this.page.keyboard.press('Control+.');
    for (let tries = 1; tries < 10 && !(await isThere()); tries++) {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+.');
    }
    await chosen.waitFor();
    for (let left = await rows.count(); left > 0; left--) {
      if (await chosen.evaluate((row) => row.classList.contains('focused'))) break;
      await this.page.keyboard.press('ArrowDown');
    }
    await this.page.keyboard.press('Enter');
    await rows.first().waitFor({ state: 'detached' });
  }

  activity(title: string): Locator {
    return this.page.locator(`.activitybar .action-label[aria-label^="${title}"]`);
  }

  /** Drags the edge of the side bar to this width (pixels). */
  async widenSideBar(width: number): Promise<void> {
    const box = await this.page.locator('.part.sidebar').boundingBox();
    if (!box) throw new Error('The side bar is not in sight.');
    const middle = box.y + box.height / 2;
    await this.page.mouse.move(box.x + box.width, middle);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, middle, { steps: 5 });
    await this.page.mouse.up();
  }

  /** A row of a tree in the side bar, by the start of its screen reader label. Only visible rows exist. */
  treeRow(label: string): Locator {
    return this.page.locator(`.sidebar .monaco-list-row[aria-label^="${label}"]`);
  }

  tab(name: string): Locator {
    return this.page.locator('.tab.active').filter({ hasText: name });
  }

  /** An action in the title bar of the active editor, by its tooltip. */
  editorAction(title: string): Locator {
    return this.page.locator(`.editor-actions .action-label[aria-label^="${title}"]`);
  }

  notification(text: string): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  dialog(text: string): Locator {
    return this.page.locator('.monaco-dialog-box', { hasText: text });
  }

  statusItem(text: string): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  async problems(): Promise<Locator> {
    await this.command('Problems: Focus on Problems View');
    return this.page.locator('.markers-panel .monaco-list-row');
  }

  /** The content of a webview; if several are visible, of the `nth`. */
  webview(nth = 0): FrameLocator {
    return this.page.locator('iframe.webview.ready').nth(nth).contentFrame().frameLocator('#active-frame');
  }

  /** The content of the webview that shows this text, whatever others there are. */
  async webviewWith(text: string, limit = 40_000): Promise<FrameLocator> {
    const end = Date.now() + limit;
    while (Date.now() < end) {
      const count = await this.page.locator('iframe.webview.ready').count();
      for (let nth = 0; nth < count; nth++) {
        const found = await this.webview(nth)
          .getByText(text)
          .isVisible()
          .catch(() => false);
        if (found) return this.webview(nth);
      }
      await this.page.waitForTimeout(250);
    }
    throw new Error(`No webview shows ${JSON.stringify(text)}.`);
  }

  /** Waits until all pictures in sight are drawn, in the workbench and in its webviews. */
  async untilDrawn(): Promise<void> {
    const isDrawn = async (): Promise<boolean> => {
      // What is scrolled out of sight may load only when it is needed.
      const inSight = (element: Element): boolean => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return element.checkVisibility() && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
      };
      const images = [...document.images].filter(inSight);
      if (
        [...document.querySelectorAll('[aria-busy="true"]')].some(inSight) ||
        images.some(({ complete }) => !complete)
      )
        return false;
      await Promise.allSettled(images.map((image) => image.decode()));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return true;
    };
    const limit = Date.now() + 30_000;
    for (const frame of this.page.frames()) {
      // The frames of a panel in the background come and go, and draw nothing.
      const element = await frame.frameElement().catch(() => undefined);
      if (element && !(await element.isVisible().catch(() => false))) continue;
      while (!(await frame.evaluate(isDrawn).catch(() => true))) {
        if (Date.now() > limit) throw new Error(`Not drawn: ${frame.url()}`);
        await this.page.waitForTimeout(100);
      }
    }
  }

  /**
   * Changes user settings and opens the window (again): this VS Code does not notice a change of the file. An open
   * window that has them already stays.
   */
  async changeSettings(change: Settings): Promise<void> {
    const before = this.scratch.settings;
    this.scratch.changeSettings(change);
    if (this.page.url() === 'about:blank') await this.open();
    else if (!isDeepStrictEqual(this.scratch.settings, before)) await this.reload();
  }

  /** Switches the color theme while everything stays open. */
  async useTheme(theme: keyof typeof themes): Promise<void> {
    await this.command('Preferences: Color Theme');
    await this.page.locator('.quick-input-widget', { hasText: themes.dark.label }).waitFor();
    await this.quickInput.fill(themes[theme].label);
    await this.choice(themes[theme].label).click();
    await this.page.locator(`.monaco-workbench${themes[theme].mark}`).waitFor();
    // The words that the extension colors get their new colors last.
    for (let before = -1, now = 0; before !== now;) {
      await this.page.waitForTimeout(100);
      [before, now] = [now, await this.#coloursInSight()];
    }
  }

  /** How many colors the texts of the visible editors have. */
  #coloursInSight(): Promise<number> {
    return this.page
      .locator('.view-line span span')
      .evaluateAll((spans) => new Set(spans.map((span) => span.getAttribute('class'))).size);
  }

  path(...name: readonly string[]): string {
    return path.join(this.scratch.workspace, ...name);
  }

  has(...name: readonly string[]): boolean {
    return existsSync(this.path(...name));
  }

  read(...name: readonly string[]): string {
    return readFileSync(this.path(...name), 'utf8');
  }

  write(name: string, text: string): void {
    const file = this.path(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Waits until a file of the workspace exists: the extension writes whenever it is ready. */
  async fileAppears(...name: readonly string[]): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!this.has(...name)) {
      if (Date.now() > deadline) throw new Error(`${name.join('/')} did not appear in the workspace.`);
      await this.page.waitForTimeout(100);
    }
  }

  /** A picture for people to look at; no test depends on it. */
  async picture(name: string): Promise<void> {
    if (review === undefined) return;
    await this.untilDrawn();
    await this.screenshot(path.join(review, `${name}.png`));
  }

  async picturesInThemes(name: string): Promise<void> {
    if (review === undefined) return;
    for (const theme of allThemes) {
      await this.useTheme(theme);
      await this.picture(`${name}-${theme}`);
    }
  }

  async screenshot(file: string): Promise<void> {
    await this.page.screenshot({ path: file });
  }
}
