import * as vscode from 'vscode';
import type { BatchRow } from '../../core/batch/batchRow';
import { axisName, stepText } from '../../core/batch/batchTable';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { dayAndTime } from '../../core/safety/timeText';
import {
  type CellState,
  type FromBatchSheet,
  type SheetAction,
  type SheetCell,
  sheetMessages,
  type ToBatchSheet,
} from '../../webview/contract/batchSheet';
import { customEditors, webviewPanels } from '../platform/contributions';
import { openFileIn } from '../platform/openFile';
import { Panel, type PanelPlatform } from '../platform/panel';
import type { ShownBatch } from './batch';
import type { BatchList } from './batchList';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordNamed } from '../../core/records/recordFile';
import path from 'node:path';
import {
  contactSheet,
  fileLinks,
  firstOutput,
  type TableAxes,
  type TableCell,
} from '../../core/batch/contactSheet';
import { rowTrouble } from '../../core/records/runWords';
import { isOwed } from '../../core/records/runRecord';

/** Changes are sent at most this often (ms). */
const sendEvery = 100;
const mostPerMessage = 50;

/** The contact sheet of one batch: tells the page what is in each cell, as rows are saved. */
export class BatchSheetPanel extends Panel<FromBatchSheet, ToBatchSheet> {
  /** By their records, each of which is read once. */
  readonly #outputs = new Map<string, ReturnType<typeof firstOutput>>();
  readonly #send: () => void;
  readonly #sent = new Map<number, string>();
  #sending: Promise<void> = Promise.resolve();

  constructor(
    panel: vscode.WebviewPanel,
    private readonly id: string,
    parts: PanelPlatform,
    private readonly batches: BatchList,
  ) {
    const { cspSource } = panel.webview;
    const known = batches.find(id);
    super(panel, parts, {
      title: t`Contact Sheet`,
      name: 'batch',
      bodyClass: 'sheet',
      // Pictures are read to be exported.
      allows: { 'img-src': cspSource, 'media-src': cspSource, 'connect-src': cspSource },
      messages: sheetMessages,
      folders: known ? [known.folder] : [],
    });
    // Several may be open, also of one workflow. An editor has the name of its file, which tells the same.
    if (known && panel.viewType === webviewPanels.batchSheet)
      this.setTitle(shown`${known.label}, ${dayAndTime(known.startedAt)}`);
    this.#send = this.paced(sendEvery, () => {
      this.#sending = this.#sending.then(() => this.#sendChanges()).catch(parts.onError);
    });
    this.own(
      batches.onDidChange((batch) => {
        if (batch.id !== id) return;
        // The page may load the outputs once the folder is known; this reloads it, and it asks again.
        this.allow([batch.folder]);
        this.#send();
      }),
    );
  }

  get #batch(): ShownBatch | undefined {
    return this.batches.find(this.id);
  }

  protected override async receive(message: FromBatchSheet): Promise<void> {
    const batch = this.#batch;
    switch (message.type) {
      case 'ready':
        this.#sent.clear();
        this.post(batch ? { type: 'batch', batch: lookOf(batch) } : { type: 'unknown' });
        this.#send();
        return;
      case 'act':
        await this.#act(message.action);
        return;
      case 'open': {
        const record = batch?.rows[message.row]?.record;
        if (batch && record !== undefined)
          await openFileIn(vscode.Uri.joinPath(batch.folder, record), customEditors.runRecord);
        return;
      }
      case 'exportMarkdown':
        if (batch) await exportMarkdown(batch, message.across === undefined ? undefined : message);
        return;
      case 'exportPicture':
        if (batch) await exportPicture(batch, message.png);
    }
  }

  async #act(action: SheetAction): Promise<void> {
    const { batches, id } = this;
    switch (action) {
      case 'pause':
        batches.find(id)?.pause();
        return;
      case 'cancel':
        batches.find(id)?.cancel();
        return;
      case 'resume':
        return (await batches.loaded()).resume(id);
      case 'retryFailed':
        return (await batches.loaded()).resume(id, true);
    }
  }

  async #sendChanges(): Promise<void> {
    const batch = this.#batch;
    if (!batch || !this.isReady) return;
    const { state, message = '' } = batch;
    const stateOf = (row: BatchRow): CellState =>
      row.state === 'waiting' && state === 'stopped' ? 'notRun' : row.state;
    const keyOf = (row: BatchRow): string => [stateOf(row), row.record, row.message].join('\n');
    const changed = batch.rows.filter((row) => this.#sent.get(row.index) !== keyOf(row));
    // The state is sent even if no row has changed.
    for (let start = 0; start === 0 || start < changed.length; start += mostPerMessage) {
      const rows = changed.slice(start, start + mostPerMessage);
      const cells = await Promise.all(rows.map((row) => this.#cellOf(batch, row, stateOf(row))));
      for (const row of rows) this.#sent.set(row.index, keyOf(row));
      this.post({ type: 'cells', cells, state, message });
    }
  }

  async #cellOf({ folder }: ShownBatch, row: BatchRow, state: CellState): Promise<SheetCell> {
    const { index, message = '', record } = row;
    const shown = record !== undefined && state === 'saved' ? record : undefined;
    const known = shown && (this.#outputs.get(shown) ?? firstOutput(new NodeFolder(folder.fsPath), shown));
    if (shown && known) this.#outputs.set(shown, known);
    const output = known && (await known);
    const source = output && this.address(vscode.Uri.joinPath(folder, output.name));
    return {
      row: index,
      state,
      message,
      hasRecord: record !== undefined,
      output: output && source !== undefined ? { ...output, source } : undefined,
    };
  }
}

function lookOf({ id, label, axes }: ShownBatch): (ToBatchSheet & { readonly type: 'batch' })['batch'] {
  return {
    id,
    label,
    axes: axes.map((axis) => ({
      name: axisName(axis),
      steps: axis.steps.map((_, step) => stepText(axis, step)),
    })),
  };
}

async function exportMarkdown(batch: ShownBatch, axes?: TableAxes): Promise<void> {
  const target = await askWhere(batch, '.md', 'Markdown');
  if (!target) return;
  const from = path.dirname(target.fsPath);
  const cells = new Map<number, TableCell>();
  for (const { index, record, message } of batch.rows)
    cells.set(index, record === undefined ? { files: [], message } : await cellOf(batch, record, from));
  const text = contactSheet(batch.label, batch.axes, (row) => cells.get(row) ?? { files: [] }, axes);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
}

async function exportPicture(batch: ShownBatch, png: Uint8Array): Promise<void> {
  const target = await askWhere(batch, '.png', 'PNG');
  if (target) await vscode.workspace.fs.writeFile(target, png);
}

async function cellOf({ folder }: ShownBatch, record: string, from: string): Promise<TableCell> {
  const outputs = new NodeFolder(folder.fsPath);
  const known = (await recordNamed(outputs, record).catch(() => undefined))?.record;
  return {
    files: fileLinks(from, outputs, known),
    message: known && (isOwed(known) ? t`not saved yet` : rowTrouble(known)),
  };
}

async function askWhere(
  { folder, label }: ShownBatch,
  ending: string,
  format: string,
): Promise<vscode.Uri | undefined> {
  const name = `${label.replace(/\.jsonc?$/i, '')}${ending}`;
  return vscode.window.showSaveDialog({
    title: t`Export Contact Sheet`,
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { [format]: [ending.slice(1)] },
  });
}
