import * as vscode from 'vscode';
import type { OutputFile } from '../../core/protocol/outputFile';
import { t } from '../../core/safety/localize';
import { type Shown, shown } from '../../core/safety/shownText';
import { treeItem } from '../platform/showItems';

/** What a command on a row acts on. */
export interface RowSubject {
  readonly kind: string;
  readonly jobId?: string;
  /** Of an output's row. */
  readonly file?: OutputFile;
  readonly batchId?: string;
  /** Of a run whose outputs are owed. */
  readonly entryId?: string;
}

/** A row of the Jobs view, created once per ID: VS Code compares rows by identity. Its content is always of now. */
export interface Row extends RowSubject {
  readonly id: string;
  item(): vscode.TreeItem;
  children?(): readonly Row[] | Promise<readonly Row[]>;
}

/** The row that is known by this ID, or else this one from now on. */
export function once(rows: Map<string, Row>, row: Row): Row {
  const known = rows.get(row.id);
  if (!known) rows.set(row.id, row);
  return known ?? row;
}

/** A part of the Jobs view: the rows that it adds to the top level, in their order. */
export interface TreeSection {
  roots(): Promise<readonly Row[]>;
  /** Rows that look different or have other children now; undefined if rows of the top level came or went. */
  readonly onDidChange: vscode.Event<readonly Row[] | undefined>;
}

/** A product icon, with a theme color if the state has one. */
export interface RowIcon {
  readonly id: string;
  readonly color?: string;
}

/** The content of a row in words. */
export interface RowContent {
  /** Of a running job, how far it is comes first: narrow side bars cut the end, and the description with it. */
  readonly label: string;
  readonly description: string;
  readonly icon: RowIcon;
  /** Words for `when` clauses of menus: `job`, the state, and the possible actions. */
  readonly contextValue: string;
  /** For screen readers: the state in words, never by icon or color alone. */
  readonly spoken: string;
  /** Lines of the tooltip, since narrow side bars cut off the description. */
  readonly tooltip?: Shown;
}

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export interface RowExtras {
  readonly hasChildren?: boolean;
  readonly pictures?: readonly vscode.Uri[];
  readonly command?: vscode.Command | undefined;
}

/** @param content undefined for something that has just been removed: VS Code may ask for it once more */
export function itemOf(id: string, content: RowContent | undefined, extras: RowExtras = {}): vscode.TreeItem {
  const row = content ?? gone();
  const item = treeItem({
    label: shown`${row.label}`,
    description: shown`${row.description}`,
    spoken: shown`${row.spoken}`,
    tooltip: row.tooltip,
    pictures: extras.pictures,
  });
  item.id = id;
  item.collapsibleState = extras.hasChildren ? Collapsed : None;
  item.iconPath = themeIcon(row.icon);
  item.contextValue = row.contextValue;
  if (extras.command) item.command = extras.command;
  return item;
}

/** A heading with the number of rows below it. */
export function groupItem(id: string, label: string, number: number, spoken: Shown): vscode.TreeItem {
  const item = treeItem({ label: shown`${label}`, description: shown`${number}`, spoken });
  item.id = id;
  item.collapsibleState = Expanded;
  item.contextValue = 'group';
  return item;
}

const gone = (): RowContent => ({
  label: '',
  description: '',
  icon: { id: 'circle-outline' },
  contextValue: '',
  spoken: t`removed`,
});

function themeIcon({ id, color }: RowIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
