import * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import { commands } from '../platform/contributions';
import type { Owned } from '../platform/feature';
import type { Row, TreeSection } from './row';

/**
 * The tree is refreshed at most this often (ms). VS Code debounces for 200 ms: a tree that changes more often never
 * updates.
 */
export const refreshEvery = 300;

export class JobTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #owned: readonly Owned[];
  #noteListed: () => void = () => undefined;
  readonly listed = new Promise<void>((resolve) => {
    this.#noteListed = resolve;
  });
  #waiting: Set<Row> | 'all' = new Set();
  readonly #changed = new vscode.EventEmitter<Row[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    private readonly sections: readonly TreeSection[],
    private readonly onListed: () => void,
  ) {
    const refresh = coalesce(() => this.#refresh(), refreshEvery);
    const listening = sections.map(({ onDidChange }) =>
      onDidChange((rows) => {
        if (!rows) this.#waiting = 'all';
        else if (this.#waiting !== 'all') for (const row of rows) this.#waiting.add(row);
        refresh();
      }),
    );
    this.#owned = [...listening, this.#changed, { dispose: () => refresh.cancel() }];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const item = row.item();
    // VS Code forgets a command with arguments when the row is refreshed, so a click at that moment would do nothing.
    if (item.command) item.command = { command: commands.openRow, title: item.command.title };
    // VS Code asks for the tooltip only if it is missing.
    if (row.pictures) delete item.tooltip;
    return item;
  }

  async resolveTreeItem(_: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    return row.item(await row.pictures?.());
  }

  /** One section after the other: jobs of a batch are listed elsewhere if the batches are not known yet. */
  async getChildren(row?: Row): Promise<Row[]> {
    if (row) return [...((await row.children?.()) ?? [])];
    const rows: Row[] = [];
    for (const section of this.sections) rows.push(...(await section.roots()));
    this.onListed();
    this.#noteListed();
    return rows;
  }

  dispose(): void {
    for (const each of this.#owned) each.dispose();
  }

  #refresh(): void {
    const rows = this.#waiting;
    this.#waiting = new Set();
    if (rows === 'all') this.#changed.fire(undefined);
    else if (rows.size > 0) this.#changed.fire([...rows]);
  }
}
