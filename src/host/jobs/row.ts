import * as vscode from 'vscode';
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

export function once(rows: Map<string, Row>, row: Row): Row {
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
export function itemOf(
  id: string,
  content: RowWords | RowContent | undefined,
  actions?: RowActions,
): vscode.TreeItem {
  const gone = { label: '', description: '', contextValue: '', icon: { id: 'circle-outline' } };
  return treeItem(id, content ?? { ...gone, spoken: t`removed` }, actions);
}

export function groupItem(id: string, label: string, number: number, spoken: string): vscode.TreeItem {
  const content = { label, description: String(number), spoken, contextValue: 'group' };
  return treeItem(id, content, { state: vscode.TreeItemCollapsibleState.Expanded });
}
