import * as vscode from 'vscode';
import type { BatchRow } from '../../core/batch/batchRow';
import type { JobStore } from '../../core/jobs/jobStore';
import { plural, t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { itemOf } from '../jobs/rowItem';
import { commands } from '../platform/contributions';
import { treeItem } from '../platform/showItems';
import { batchRow, listedRows, partRow } from './batchRowWords';
import type { HostBatch } from './hostBatch';

/** A row below a batch: a job that the list knows, or a row of the table by its index. */
export type BatchChild =
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'row'; readonly index: number }
  | { readonly kind: 'more' };

/** Rows that are listed below a batch. */
const mostListed = 50;

/** The batches as rows of the Jobs view, and a bounded part of their rows below each. */
export class BatchRows {
  readonly #batches: () => readonly HostBatch[];
  readonly #store: Pick<JobStore, 'get'>;

  constructor(batches: () => readonly HostBatch[], store: Pick<JobStore, 'get'>) {
    this.#batches = batches;
    this.#store = store;
  }

  ids(): string[] {
    return this.#batches().map(({ id }) => id);
  }

  item(rowId: string, id: string): vscode.TreeItem | undefined {
    const batch = this.#find(id);
    if (!batch) return undefined;
    const { Collapsed } = vscode.TreeItemCollapsibleState;
    const item = itemOf(rowId, batchRow(batch, batch.isCancelling), Collapsed);
    item.command = { command: commands.showBatch, title: t`Show Batch`, arguments: [id] };
    return item;
  }

  /** What runs, what went wrong and what was saved last. */
  children(id: string): BatchChild[] {
    const batch = this.#find(id);
    if (!batch) return [];
    const { rows, more } = listedRows(batch.rows, mostListed);
    const listed = rows.map(({ index, job }): BatchChild => {
      return job !== undefined && this.#store.get(job) ? { kind: 'job', jobId: job } : { kind: 'row', index };
    });
    return more > 0 ? [...listed, { kind: 'more' }] : listed;
  }

  childItem(rowId: string, id: string, index: number | undefined): vscode.TreeItem | undefined {
    const batch = this.#find(id);
    if (!batch) return undefined;
    if (index === undefined) return moreItem(rowId, batch);
    const row: BatchRow | undefined = batch.rows[index];
    if (!row) return undefined;
    const item = itemOf(rowId, partRow(batch.axes, row));
    if (row.record !== undefined) {
      item.command = {
        command: commands.showRun,
        title: t`Show Run`,
        arguments: [vscode.Uri.joinPath(batch.folder, row.record)],
      };
    }
    return item;
  }

  #find(id: string): HostBatch | undefined {
    return this.#batches().find((batch) => batch.id === id);
  }
}

function moreItem(rowId: string, { id, rows }: HostBatch): vscode.TreeItem {
  const { more } = listedRows(rows, mostListed);
  const words = plural(more, shown`1 more run`, shown`${more} more runs`);
  const item = treeItem({ label: words, description: shown``, spoken: words });
  item.id = rowId;
  item.command = { command: commands.showBatch, title: t`Show Batch`, arguments: [id] };
  return item;
}
