import * as vscode from 'vscode';
import type { BatchRow } from '../../core/batch/batchRow';
import { axisName, stepText } from '../../core/batch/batchWords';
import { coalesce } from '../../core/jobs/coalesce';
import { t } from '../../core/safety/localize';
import type { Secrets } from '../../core/safety/secrets';
import type { FromBatchSheet, SheetAction, SheetCell, ToBatchSheet } from '../../webview/contract/batchSheet';
import { customEditors } from '../platform/contributions';
import { openFileIn } from '../platform/openFile';
import { panelFolder, panelIcon, panelPage } from '../platform/panelPage';
import type { Batches, ShownBatch } from './batches';
import { readSheetMessage } from './batchMessages';
import { exportMarkdown, exportPicture } from './exportSheet';
import { SheetOutputs } from './sheetOutputs';

/** Changes are sent at most this often (ms). */
const sendEvery = 100;
/** Cells in one message, whose records are read together. */
const mostPerMessage = 50;

export interface BatchSheetParts {
  readonly secrets: Secrets;
  readonly batches: Batches;
  readonly onError: (error: unknown) => void;
}

/** The contact sheet of one batch: tells the page what is in each cell, as rows are saved. */
export class BatchSheetPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #extensionUri: vscode.Uri;
  readonly #parts: BatchSheetParts;
  readonly #id: string;
  readonly #outputs = new SheetOutputs();
  readonly #send: ReturnType<typeof coalesce>;
  /** What the page shows of each row. */
  readonly #sent = new Map<number, string>();
  #sending: Promise<void> = Promise.resolve();
  #ready = false;
  #closed = false;
  #isShown = false;

  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, id: string, parts: BatchSheetParts) {
    this.#panel = panel;
    this.#extensionUri = extensionUri;
    this.#id = id;
    this.#parts = parts;
    this.#send = coalesce(() => {
      this.#sending = this.#sending.then(() => this.#sendChanges()).catch(parts.onError);
    }, sendEvery);
    const subscriptions = [
      panel.webview.onDidReceiveMessage((raw: unknown) => {
        const message = readSheetMessage(raw);
        if (message) this.#receive(message).catch(parts.onError);
      }),
      parts.batches.onDidChange((batch) => {
        if (batch.id === id) this.#changed(batch);
      }),
    ];
    panel.onDidDispose(() => {
      this.#closed = true;
      this.#send.cancel();
      for (const subscription of subscriptions) subscription.dispose();
    });
    panel.iconPath = panelIcon(extensionUri);
    this.#allow(this.#batch);
    const { cspSource } = panel.webview;
    panel.webview.html = panelPage(panel.webview, extensionUri, {
      title: t`Contact Sheet`,
      name: 'batch',
      bodyClass: 'sheet',
      // Pictures are read to be exported.
      allows: { 'img-src': cspSource, 'media-src': cspSource, 'connect-src': cspSource },
    });
  }

  get #batch(): ShownBatch | undefined {
    return this.#parts.batches.shown.find(({ id }) => id === this.#id);
  }

  /** The page may load the outputs once the folder is known; this reloads it, and it asks again. */
  #allow(batch: ShownBatch | undefined): void {
    this.#isShown = batch !== undefined;
    this.#panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [panelFolder(this.#extensionUri), ...(batch ? [batch.folder] : [])],
    };
  }

  #changed(batch: ShownBatch): void {
    if (this.#isShown) this.#send();
    else {
      this.#ready = false;
      this.#allow(batch);
    }
  }

  async #receive(message: FromBatchSheet): Promise<void> {
    const batch = this.#batch;
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#sent.clear();
        this.#post(batch ? { type: 'batch', batch: lookOf(batch) } : { type: 'unknown' });
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
        if (batch) await exportMarkdown(batch);
        return;
      case 'exportPicture':
        if (batch) await exportPicture(batch, message.png);
    }
  }

  async #act(action: SheetAction): Promise<void> {
    const { batches } = this.#parts;
    switch (action) {
      case 'pause':
        batches.pause(this.#id);
        return;
      case 'cancel':
        batches.cancel(this.#id);
        return;
      case 'resume':
        return batches.resume(this.#id);
      case 'retryFailed':
        return batches.retryFailed(this.#id);
    }
  }

  async #sendChanges(): Promise<void> {
    const batch = this.#batch;
    if (!batch || !this.#ready) return;
    const { state, message = '' } = batch;
    const changed = batch.rows.filter((row) => this.#sent.get(row.index) !== keyOf(row));
    // The state is told even if no row has changed.
    for (let start = 0; start === 0 || start < changed.length; start += mostPerMessage) {
      const rows = changed.slice(start, start + mostPerMessage);
      const cells = await Promise.all(rows.map((row) => this.#cellOf(batch, row)));
      if (this.#closed) return;
      for (const row of rows) this.#sent.set(row.index, keyOf(row));
      this.#post({ type: 'cells', cells, state, message });
    }
  }

  async #cellOf({ folder }: ShownBatch, row: BatchRow): Promise<SheetCell> {
    const { index, state, message = '', record } = row;
    const output =
      record !== undefined && state === 'saved' ? await this.#outputs.of(folder, record) : undefined;
    const source = output && this.#panel.webview.asWebviewUri(vscode.Uri.joinPath(folder, output.name));
    return {
      row: index,
      state,
      message,
      hasRecord: record !== undefined,
      output: output && source && { ...output, source: source.toString() },
    };
  }

  #post(message: ToBatchSheet): void {
    void this.#panel.webview.postMessage(this.#parts.secrets.hideDeep(message));
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

function keyOf({ state, record = '', message = '' }: BatchRow): string {
  return [state, record, message].join('\n');
}
