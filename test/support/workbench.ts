import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Scratch, Settings } from './scratch';

/** Themes that every picture is looked at in: VS Code's own dark, light and the two of high contrast. */
export const themes = {
  dark: { name: 'Default Dark Modern', mark: '.vs-dark' },
  light: { name: 'Default Light Modern', mark: '.vs' },
  highContrast: { name: 'Default High Contrast', mark: '.hc-black' },
  highContrastLight: { name: 'Default High Contrast Light', mark: '.hc-light' },
} as const;

/** What a person sees and does in the workbench, in their words. The selectors hold for VS Code 1.100 to 1.139. */
export class Workbench {
  constructor(
    /** For what has no method here. Wait for what should be seen, never for time to pass. */
    readonly page: Page,
    readonly scratch: Scratch,
    readonly address: string,
  ) {}

  /** Opens the page and waits until the workbench is there. */
  async open(): Promise<void> {
    // The half of the key that seals stored secrets; this server has none, and without it they are lost on a reload.
    await this.page.route('**/mint-key', (route) =>
      route.fulfill({ body: Buffer.alloc(32, 7), contentType: 'application/octet-stream' }),
    );
    await this.page.goto(this.address);
    await this.#shown();
  }

  /** Loads the window anew, as "Developer: Reload Window" does. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.#shown();
  }

  async #shown(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
  }

  /** Runs a command by its title in the palette, with its category as it is shown: "Comfy Deck: Run Workflow". */
  async command(title: string): Promise<void> {
    await this.#quickOpen('F1', `>${title}`, title);
  }

  /** Opens a file of the workspace in an editor. */
  async openFile(name: string): Promise<void> {
    await this.#quickOpen('Control+P', name, path.basename(name));
    await this.tab(path.basename(name)).waitFor();
  }

  /** An editor that is still opening takes the focus and closes the list again: then it is asked for once more. */
  async #quickOpen(key: string, text: string, row: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.page.keyboard.press(key);
        await this.quickInput.waitFor({ timeout: 2000 });
        await this.quickInput.fill(text, { timeout: 2000 });
        await this.choice(row).click({ timeout: 5000 });
        return;
      } catch (error) {
        if (attempt === 4) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** The field of the palette, of a quick pick or of an input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget input.input');
  }

  /** A row of the open quick pick. */
  choice(text: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
  }

  /** Answers the input box whose prompt or title holds `prompt`. */
  async answer(prompt: string, text: string): Promise<void> {
    await this.page.locator('.quick-input-widget', { hasText: prompt }).waitFor();
    await this.quickInput.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** The entry of a view container in the activity bar. */
  activity(title: string): Locator {
    return this.page.locator(`.activitybar .action-label[aria-label^="${title}"]`);
  }

  /** A row of a tree in the side bar, by the start of what a screen reader says. Only rows in sight exist. */
  treeRow(label: string): Locator {
    return this.page.locator(`.sidebar .monaco-list-row[aria-label^="${label}"]`);
  }

  /** A button in a row of a tree, by its tooltip; it shows while the pointer is over the row. */
  async rowAction(label: string, action: string): Promise<void> {
    const row = this.treeRow(label).first();
    await row.hover();
    await row.locator(`.action-label[aria-label^="${action}"]`).click();
  }

  /** The tab of an editor or a panel. */
  tab(name: string): Locator {
    return this.page.locator('.tab.active').filter({ hasText: name });
  }

  /** An action in the title bar of the active editor, by its tooltip. */
  editorAction(title: string): Locator {
    return this.page.locator(`.editor-actions .action-label[aria-label^="${title}"]`);
  }

  /** A notification that is shown as a toast. */
  notification(text: string): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  /** Presses a button of a notification. */
  async pressInNotification(text: string, button: string): Promise<void> {
    await this.notification(text).locator('.monaco-button', { hasText: button }).click();
  }

  /** A modal dialog. */
  dialog(text: string): Locator {
    return this.page.locator('.monaco-dialog-box', { hasText: text });
  }

  /** An item of the status bar, by what it shows. */
  statusItem(text: string): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  /** The rows of the Problems panel. */
  async problems(): Promise<Locator> {
    await this.command('Problems: Focus on Problems View');
    return this.page.locator('.markers-panel .monaco-list-row');
  }

  /** The inside of a webview; with several in sight, the `nth` of them. */
  webview(nth = 0): FrameLocator {
    return this.page.locator('iframe.webview.ready').nth(nth).contentFrame().frameLocator('#active-frame');
  }

  /** Changes user settings; VS Code takes them over while it runs. */
  changeSettings(change: Settings): void {
    this.scratch.changeSettings(change);
  }

  async useTheme(theme: keyof typeof themes): Promise<void> {
    this.changeSettings({ 'workbench.colorTheme': themes[theme].name });
    await this.page.locator(`.monaco-workbench${themes[theme].mark}`).waitFor();
  }

  /** The path of a file in the workspace of this test. */
  path(...name: readonly string[]): string {
    return path.join(this.scratch.workspace, ...name);
  }

  has(...name: readonly string[]): boolean {
    return existsSync(this.path(...name));
  }

  read(...name: readonly string[]): string {
    return readFileSync(this.path(...name), 'utf8');
  }

  async screenshot(file: string): Promise<void> {
    await this.page.screenshot({ path: file });
  }
}
