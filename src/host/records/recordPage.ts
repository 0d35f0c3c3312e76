import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import { inputFields, wrongChanges } from '../../core/runs/changeValues';
import { t } from '../../core/safety/localize';
import type { FromRecord, RecordAction, RecordChange, ToRecord } from '../../webview/contract/record';
import { openFile } from '../platform/openFile';
import { Panel, type PanelParts } from '../platform/panel';
import { nameOf } from '../platform/workflowSource';
import { readRecord } from './readRecord';
import { recordMessages } from './recordMessage';
import { lookOf } from './recordView';

/** The file is read again at most this often (ms). */
const refreshEvery = 300;

export interface RecordPageParts extends PanelParts {
  /** The node definitions of the selected server, if they are known before long. */
  readonly catalog: () => Promise<Catalog | undefined>;
  /** Runs the command of a button. */
  readonly act: (action: RecordAction, record: vscode.Uri) => Promise<unknown>;
  /** Runs the prompt of the record with other values; whether it was sent. */
  readonly runWith: (record: vscode.Uri, changes: readonly RecordChange[]) => Promise<boolean>;
}

/** One tab with the page of a run record. It follows the file and the outputs next to it. */
export class RecordPage extends Panel<FromRecord, ToRecord> {
  readonly record: vscode.Uri;
  readonly #folder: vscode.Uri;
  readonly #parts: RecordPageParts;
  #promptText: string | undefined;
  #seeds: readonly string[] = [];
  /** The outputs that the page shows. */
  #names: readonly string[] = [];
  #startsEditing = false;

  constructor(panel: vscode.WebviewPanel, uri: vscode.Uri, parts: RecordPageParts) {
    const folder = vscode.Uri.joinPath(uri, '..');
    const { cspSource } = panel.webview;
    super(panel, parts, {
      title: t`Run Record`,
      name: 'record',
      allows: { 'img-src': cspSource, 'media-src': cspSource },
      messages: recordMessages,
      folders: [folder],
    });
    this.record = uri;
    this.#folder = folder;
    this.#parts = parts;
    const refresh = this.paced(refreshEvery, () => this.#show());
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    const changed = (file: vscode.Uri): void => {
      if (file.path === uri.path || this.#names.includes(nameOf(file))) refresh();
    };
    this.own(
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
    );
  }

  /** Lets the user edit the values. */
  edit(): void {
    if (this.isReady) this.post({ type: 'edit' });
    else this.#startsEditing = true;
  }

  async #show(): Promise<void> {
    if (!this.isReady) return;
    const reading = await readRecord(this.record);
    if (reading.kind === 'problem') {
      this.post({ type: 'problem', message: reading.message });
      return;
    }
    const { view, names } = await lookOf(reading.record, this.#folder, (file) => this.address(file));
    this.#promptText = reading.record.promptText;
    this.#names = names;
    this.#seeds = Object.values(reading.record.seeds);
    this.post({ type: 'show', view });
    if (this.#startsEditing) this.post({ type: 'edit' });
    this.#startsEditing = false;
  }

  protected override async receive(message: FromRecord): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.#show();
      case 'fields': {
        const catalog = await this.#parts.catalog();
        const fields = catalog ? inputFields(this.#promptText ?? '{}', catalog) : [];
        this.post({ type: 'fields', fields });
        return;
      }
      case 'judge': {
        const wrong = wrongChanges(this.#promptText ?? '{}', message.changes, await this.#parts.catalog());
        this.post({ type: 'wrong', wrong });
        return;
      }
      case 'act':
        await this.#parts.act(message.action, this.record);
        return;
      case 'runWith':
        if (await this.#parts.runWith(this.record, message.changes)) this.post({ type: 'sent' });
        return;
      case 'copySeed': {
        const digits = this.#seeds[message.index];
        if (digits !== undefined) await vscode.env.clipboard.writeText(digits);
        return;
      }
      case 'openOutput': {
        const name = this.#names[message.index];
        if (name !== undefined) await openFile(vscode.Uri.joinPath(this.#folder, name));
      }
    }
  }
}
