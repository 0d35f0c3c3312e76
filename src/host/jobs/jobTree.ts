import * as vscode from 'vscode';
import { coalesceCalls } from '../../core/jobs/coalesce';
import { commands } from '../platform/contributions';
import { Owner } from '../platform/feature';
import type { OutputFile } from '../../core/protocol/outputFile';
import { t } from '../../core/safety/localize';
import { type RowActions, type RowContent, type RowWords, treeItem } from '../platform/showItems';

export interface RowSubject {
  readonly kind: string;
  readonly jobId?: string;
  readonly file?: OutputFile;
  readonly batchId?: string;
  readonly entryId?: string;
}

/** A row of the Jobs view, created once per ID: VS Code compares rows by identity. Its content is always of now. */
export interface Row extends RowSubject {
  readonly id: string;
  item(pictures?: readonly vscode.Uri[]): vscode.TreeItem;
  /** VS Code asks when someone points at the row. */
  pictures?(): Promise<readonly vscode.Uri[]>;
  children?(): readonly Row[] | Promise<readonly Row[]>;
}

export function onceKnownRow(rows: Map<string, Row>, row: Row): Row {
  const known = rows.get(row.id);
  if (!known) rows.set(row.id, row);
  return known ?? row;
}

export interface TreeSection {
  roots(): Promise<readonly Row[]>;
  /** Rows that look different or have other children now; undefined if rows of the top level came or went. */
  readonly onDidChange: vscode.Event<readonly Row[] | undefined>;
}

/** A row's item. @param content undefined for what has just been removed: VS Code may ask for it once more */
export function rowTreeItem(
  id: string,
  content: RowWords | RowContent | undefined,
  actions?: RowActions,
): vscode.TreeItem {
  const gone = { label: '', description: '', contextValue: '', icon: { id: 'circle-outline' } };
  return treeItem(id, content ?? { ...gone, spoken: t`removed` }, actions);
}

export function groupItem(id: string, label: string, number: number): vscode.TreeItem {
  const spoken = t`${label}, ${number}`;
  const content = { label, description: String(number), spoken, contextValue: 'group' };
  return treeItem(id, content, { state: vscode.TreeItemCollapsibleState.Expanded });
}

/** Milliseconds. VS Code debounces for 200 ms: a tree that changes more often never updates. */
export const refreshEvery = 300;

export class JobTree extends Owner implements vscode.TreeDataProvider<Row> {
  #noteListed: () => void = () => undefined;
  readonly listed = new Promise<void>((resolve) => {
    this.#noteListed = resolve;
  });
  #waiting: Set<Row> | 'all' = new Set();
  readonly #changed = new vscode.EventEmitter<Row[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly sections: readonly TreeSection[]) {
    super();
    const refresh = coalesceCalls(() => this.#refresh(), refreshEvery);
    const listening = sections.map(({ onDidChange }) =>
      onDidChange((rows) => {
        if (!rows) this.#waiting = 'all';
        else if (this.#waiting !== 'all') for (const row of rows) this.#waiting.add(row);
        refresh();
      }),
    );
    this.own(...listening, this.#changed, { dispose: () => refresh.cancel() });
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

  /** One section after the other, because jobs of a batch are listed elsewhere if the batches aren't known yet. */
  async getChildren(row?: Row): Promise<Row[]> {
    if (row) return [...((await row.children?.()) ?? [])];
    const rows: Row[] = [];
    for (const section of this.sections) rows.push(...(await section.roots()));
    this.#noteListed();
    return rows;
  }

  #refresh(): void {
    const rows = this.#waiting;
    this.#waiting = new Set();
    if (rows === 'all') this.#changed.fire(undefined);
    else if (rows.size > 0) this.#changed.fire([...rows]);
  }
}
