import * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import { t } from '../../core/safety/localize';
import type { Secrets } from '../../core/safety/secrets';
import type { FromRecord, RecordAction, RecordChange, ToRecord } from '../../webview/contract/record';
import { openFile } from '../platform/openFile';
import { panelFolder, panelPage } from '../platform/panelPage';
import { nameOf } from '../platform/workflowSource';
import { readRecord } from './readRecord';
import { readRecordMessage } from './recordMessage';
import { lookOf } from './recordView';

/** The file is read again at most this often (ms). */
const refreshEvery = 300;

export interface RecordPageParts {
  readonly extensionUri: vscode.Uri;
  readonly secrets: Secrets;
  /** Runs the command of a button. */
  readonly act: (action: RecordAction, record: vscode.Uri) => Promise<unknown>;
  /** Runs the prompt of the record with other values; whether it was sent. */
  readonly runWith: (record: vscode.Uri, changes: readonly RecordChange[]) => Promise<boolean>;
  /** Reports the failure of an action. */
  readonly guard: (action: () => Promise<unknown>) => void;
}

/** One tab with the page of a run record. It follows the file and the outputs next to it. */
export class RecordPage {
  readonly #panel: vscode.WebviewPanel;
  readonly record: vscode.Uri;
  readonly #folder: vscode.Uri;
  readonly #parts: RecordPageParts;
  readonly #refresh: ReturnType<typeof coalesce>;
  #seeds: readonly string[] = [];
  /** The outputs that the page shows. */
  #names: readonly string[] = [];
  #ready = false;
  #startsEditing = false;

  constructor(panel: vscode.WebviewPanel, uri: vscode.Uri, parts: RecordPageParts) {
    this.#panel = panel;
    this.record = uri;
    this.#folder = vscode.Uri.joinPath(uri, '..');
    this.#parts = parts;
    this.#refresh = coalesce(() => this.#parts.guard(() => this.#show()), refreshEvery);
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(this.#folder, '*'));
    const changed = (file: vscode.Uri): void => {
      if (file.path === uri.path || this.#names.includes(nameOf(file))) this.#refresh();
    };
    const subscriptions = [
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
      panel.webview.onDidReceiveMessage((message: unknown) => {
        const known = readRecordMessage(message);
        if (known) parts.guard(() => this.#receive(known));
      }),
    ];
    panel.onDidDispose(() => {
      this.#refresh.cancel();
      for (const subscription of subscriptions) subscription.dispose();
    });
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [panelFolder(parts.extensionUri), this.#folder],
    };
    panel.webview.html = panelPage(panel.webview, parts.extensionUri, {
      title: t`Run Record`,
      name: 'record',
      allows: { 'img-src': panel.webview.cspSource, 'media-src': panel.webview.cspSource },
    });
  }

  /** Lets the user edit the values. */
  edit(): void {
    if (this.#ready) this.#post({ type: 'edit' });
    else this.#startsEditing = true;
  }

  async #show(): Promise<void> {
    if (!this.#ready) return;
    const reading = await readRecord(this.record);
    if (reading.kind === 'problem') {
      this.#post({ type: 'problem', message: reading.message });
      return;
    }
    const { webview } = this.#panel;
    const address = (file: vscode.Uri): string => webview.asWebviewUri(file).toString();
    const { view, names } = await lookOf(reading.record, this.#folder, address);
    this.#names = names;
    this.#seeds = Object.values(reading.record.seeds);
    this.#post({ type: 'show', view });
    if (this.#startsEditing) this.#post({ type: 'edit' });
    this.#startsEditing = false;
  }

  #post(message: ToRecord): void {
    void this.#panel.webview.postMessage(this.#parts.secrets.hideDeep(message));
  }

  async #receive(message: FromRecord): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        return this.#show();
      case 'act':
        await this.#parts.act(message.action, this.record);
        return;
      case 'runWith':
        if (await this.#parts.runWith(this.record, message.changes)) this.#post({ type: 'sent' });
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
