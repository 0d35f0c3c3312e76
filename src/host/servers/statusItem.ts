import * as vscode from 'vscode';
import type { StatusPresentation } from './statusPresentation';
import { markdownWithCommands, setStatusWords } from '../platform/showItems';

/** The only status bar item. Hidden until there is something to show in this window. */
export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  #awake = false;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('server', vscode.StatusBarAlignment.Left, 10);
    this.#item.name = 'Comfy Deck';
  }

  update(presentation: StatusPresentation): void {
    const { text, spoken, tooltip, command } = presentation;
    setStatusWords(this.#item, { text, spoken, tooltip: markdownWithCommands(tooltip) });
    this.#item.command = command;
    this.#item.backgroundColor = presentation.warning
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
  }

  /** A workflow was opened or a feature used: from now on the item stays. */
  wake(): void {
    if (this.#awake) return;
    this.#awake = true;
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
