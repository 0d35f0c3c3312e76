import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import type { JobItems } from '../jobs/jobItems';
import { rowTreeItem, onceKnownRow, type Row, type TreeSection } from '../jobs/jobTree';
import { commands } from '../platform/contributions';
import type * as words from './batchRowWords';
import type { ShownBatch } from './batch';
import type { BatchList } from './batchList';

const mostListed = 50;

/** The batches, and a bounded part of the table below each: jobs that the view knows, or rows of the table. */
export class BatchSection implements TreeSection {
  readonly #rows = new Map<string, Row>();
  #words: typeof words | undefined;

  constructor(
    private readonly batches: Pick<BatchList, 'ready' | 'shown' | 'onDidChange' | 'onDidChangeList'>,
    private readonly jobs: Pick<JobItems, 'find'>,
  ) {}

  readonly onDidChange: TreeSection['onDidChange'] = (listener) =>
    vscode.Disposable.from(
      this.batches.onDidChange(({ id }) => {
        const row = this.#rows.get(`batch:${id}`);
        if (row) listener([row]);
      }),
      this.batches.onDidChangeList(() => {
        listener(undefined);
      }),
    );

  async roots(): Promise<readonly Row[]> {
    await this.batches.ready();
    if (this.batches.shown.length > 0) this.#words ??= await import('./batchRowWords');
    return this.batches.shown.map(({ id }) => this.#batch(id));
  }

  #batch(batchId: string): Row {
    const id = `batch:${batchId}`;
    const state = vscode.TreeItemCollapsibleState.Collapsed;
    const item = (): vscode.TreeItem => {
      const batch = this.#find(batchId);
      return rowTreeItem(id, batch && this.#words?.batchRow(batch), { state, command: showBatch(batchId) });
    };
    return onceKnownRow(this.#rows, {
      kind: 'batch',
      id,
      batchId,
      item,
      children: () => this.#below(batchId),
    });
  }

  #below(batchId: string): Row[] {
    const { rows, more } = this.#listed(batchId);
    const listed = rows.map(({ index, job }) => {
      return (job === undefined ? undefined : this.jobs.find(job)) ?? this.#part(batchId, index);
    });
    return more > 0 ? [...listed, this.#more(batchId)] : listed;
  }

  #part(batchId: string, index: number): Row {
    const id = `batchRow:${batchId}:${index}`;
    const item = (): vscode.TreeItem => {
      const batch = this.#find(batchId);
      const row = batch?.rows[index];
      const content = batch && row && this.#words?.partRow(batch.axes, row);
      return rowTreeItem(id, content, { command: batch && showRun(batch.folder, row?.record) });
    };
    return onceKnownRow(this.#rows, { kind: 'batchRow', id, batchId, item });
  }

  #more(batchId: string): Row {
    const id = `batchRow:${batchId}:more`;
    const item = (): vscode.TreeItem => {
      const { more } = this.#listed(batchId);
      const label = t`${more} more`;
      const content = { label, description: '', spoken: label, contextValue: 'batchRow' };
      return rowTreeItem(id, content, { command: showBatch(batchId) });
    };
    return onceKnownRow(this.#rows, { kind: 'batchRow', id, batchId, item });
  }

  #listed(batchId: string): ReturnType<typeof words.listedRows> {
    return this.#words?.listedRows(this.#find(batchId)?.rows ?? [], mostListed) ?? { rows: [], more: 0 };
  }

  #find(id: string): ShownBatch | undefined {
    return this.batches.shown.find((batch) => batch.id === id);
  }
}

function showBatch(id: string): vscode.Command {
  return { command: commands.showBatch, title: t`Show Batch`, arguments: [id] };
}

function showRun(folder: vscode.Uri, record: string | undefined): vscode.Command | undefined {
  if (record === undefined) return undefined;
  const run = vscode.Uri.joinPath(folder, record);
  return { command: commands.showRun, title: t`Show Run`, arguments: [run] };
}
