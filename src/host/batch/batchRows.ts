import * as vscode from 'vscode';
import { plural, t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import type { JobSection } from '../jobs/jobSection';
import { itemOf, once, type Row } from '../jobs/row';
import { commands } from '../platform/contributions';
import { treeItem } from '../platform/showItems';
import type { ShownBatch } from './batches';
import type { ShownBatches } from './batchSection';
import { batchRow, listedRows, partRow } from './batchRowWords';

/** Rows that are listed below a batch. */
const mostListed = 50;

/** The row of each batch, and a bounded part of its table below it: jobs that the list knows, or rows of the table. */
export class BatchRows {
  readonly #batches: Pick<ShownBatches, 'shown'>;
  readonly #jobs: Pick<JobSection, 'find'>;
  readonly #rows = new Map<string, Row>();

  constructor(batches: Pick<ShownBatches, 'shown'>, jobs: Pick<JobSection, 'find'>) {
    this.#batches = batches;
    this.#jobs = jobs;
  }

  roots(): readonly Row[] {
    return this.#batches.shown.map(({ id }) => this.#batch(id));
  }

  /** The row of a batch if it was listed. */
  known(batchId: string): Row | undefined {
    return this.#rows.get(`batch:${batchId}`);
  }

  #batch(batchId: string): Row {
    const id = `batch:${batchId}`;
    const item = (): vscode.TreeItem => {
      const batch = this.#find(batchId);
      return itemOf(id, batch && batchRow(batch), { hasChildren: true, command: showBatch(batchId) });
    };
    return once(this.#rows, { kind: 'batch', id, batchId, item, children: () => this.#below(batchId) });
  }

  /** What runs, what went wrong and what was saved last. */
  #below(batchId: string): Row[] {
    const { rows, more } = listedRows(this.#find(batchId)?.rows ?? [], mostListed);
    const listed = rows.map(({ index, job }) => {
      return (job === undefined ? undefined : this.#jobs.find(job)) ?? this.#part(batchId, index);
    });
    return more > 0 ? [...listed, this.#more(batchId)] : listed;
  }

  #part(batchId: string, index: number): Row {
    const id = `batchRow:${batchId}:${index}`;
    const item = (): vscode.TreeItem => {
      const batch = this.#find(batchId);
      const row = batch?.rows[index];
      const content = batch && row && partRow(batch.axes, row);
      return itemOf(id, content, { command: batch && showRun(batch.folder, row?.record) });
    };
    return once(this.#rows, { kind: 'batchRow', id, batchId, item });
  }

  #more(batchId: string): Row {
    const id = `batchRow:${batchId}:more`;
    const item = (): vscode.TreeItem => {
      const { more } = listedRows(this.#find(batchId)?.rows ?? [], mostListed);
      const words = plural(more, shown`1 more run`, shown`${more} more runs`);
      return Object.assign(treeItem({ label: words, description: shown``, spoken: words }), {
        id,
        command: showBatch(batchId),
      });
    };
    return once(this.#rows, { kind: 'batchRow', id, batchId, item });
  }

  #find(id: string): ShownBatch | undefined {
    return this.#batches.shown.find((batch) => batch.id === id);
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
