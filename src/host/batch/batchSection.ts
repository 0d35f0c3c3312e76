import * as vscode from 'vscode';
import type { JobSection } from '../jobs/jobSection';
import type { Row, TreeSection } from '../jobs/row';
import type { ShownBatch } from './batches';
import type { BatchRows } from './batchRows';

/** The batches, as the Jobs view shows them. */
export interface ShownBatches {
  /** Looks for those of earlier windows. */
  ready(): Promise<void>;
  /** Newest first. */
  readonly shown: readonly ShownBatch[];
  readonly onDidChange: vscode.Event<Pick<ShownBatch, 'id'>>;
  /** A batch was added or removed. */
  readonly onDidChangeList: vscode.Event<void>;
}

/** The batches and their jobs in the Jobs view. How they are shown is loaded with the first one. */
export class BatchSection implements TreeSection {
  #rows: BatchRows | undefined;

  constructor(
    private readonly batches: ShownBatches,
    private readonly jobs: Pick<JobSection, 'find'>,
  ) {}

  readonly onDidChange: TreeSection['onDidChange'] = (listener) =>
    vscode.Disposable.from(
      this.batches.onDidChange(({ id }) => {
        const row = this.#rows?.known(id);
        if (row) listener([row]);
      }),
      this.batches.onDidChangeList(() => {
        listener(undefined);
      }),
    );

  async roots(): Promise<readonly Row[]> {
    await this.batches.ready();
    if (this.batches.shown.length === 0) return [];
    const { BatchRows: Rows } = await import('./batchRows');
    this.#rows ??= new Rows(this.batches, this.jobs);
    return this.#rows.roots();
  }
}
