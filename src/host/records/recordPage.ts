import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import { type RunPage, runPage } from '../../core/records/runPage';
import type { RunRecord } from '../../core/records/runRecord';
import { inputFields, wrongChanges } from '../../core/runs/changeValues';
import { t } from '../../core/safety/localize';
import {
  type FromRecord,
  type RecordAction,
  recordMessages,
  type RecordOutput,
  type RecordView,
  type ToRecord,
} from '../../webview/contract/record';
import { commands, type CommandId } from '../platform/contributions';
import { openFile } from '../platform/openFile';
import { Panel } from '../platform/panel';
import type { Platform } from '../platform/platform';
import type { Runs } from '../runs/runs';
import { uriName } from '../platform/workflowSource';
import { readRecord, requireRecord } from './readRecord';
import { runRecordAgain } from './runRecordAgain';
import { isSameUri } from '../platform/sameUri';
import { watchFolder } from '../platform/openFile';

/** The file is read again at most this often (ms). */
const refreshEvery = 300;

const actions: Readonly<Record<RecordAction, CommandId>> = {
  runAgain: commands.runRecordAgain,
  runWithNewSeeds: commands.runRecordWithNewSeeds,
  openWorkflow: commands.openRecordWorkflow,
  openAsText: commands.openRecordAsText,
};

/** The page shows plain fields after that, ms. */
const longestCatalogWait = 1_500;

/** One tab with the page of a run record. It follows the file and the outputs next to it. */
export class RecordPage extends Panel<FromRecord, ToRecord> {
  readonly record: vscode.Uri;
  readonly #folder: vscode.Uri;
  #promptText: string | undefined;
  #seeds: readonly string[] = [];
  #names: readonly string[] = [];
  #startsEditing = false;

  constructor(
    panel: vscode.WebviewPanel,
    uri: vscode.Uri,
    platform: Platform,
    private readonly runs: Runs,
    /** The node definitions of the selected server; undefined if it does not answer. */
    private readonly catalog: () => Promise<Catalog | undefined>,
  ) {
    const folder = vscode.Uri.joinPath(uri, '..');
    const { cspSource } = panel.webview;
    super(panel, platform, {
      title: t`Run Record`,
      name: 'record',
      allows: { 'img-src': cspSource, 'media-src': cspSource },
      messages: recordMessages,
      folders: [folder],
    });
    this.record = uri;
    this.#folder = folder;
    const refresh = this.paced(refreshEvery, () => this.#show());
    this.own(
      watchFolder(folder, (file) => {
        if (isSameUri(file, uri) || this.#names.includes(uriName(file))) refresh();
      }),
    );
  }

  edit(): void {
    if (this.isReady) this.post({ type: 'edit' });
    else this.#startsEditing = true;
  }

  async #show(): Promise<void> {
    if (!this.isReady) return;
    const record = await readRecord(this.record);
    if (typeof record === 'string') {
      this.post({ type: 'problem', message: record });
      return;
    }
    const { view, names } = await recordPageContent(record, this.#folder, (file) => this.address(file));
    this.#promptText = record.promptText;
    this.#names = names;
    this.#seeds = Object.values(record.seeds);
    this.post({ type: 'show', view });
    if (this.#startsEditing) this.post({ type: 'edit' });
    this.#startsEditing = false;
  }

  #catalog(): Promise<Catalog | undefined> {
    return Promise.race([this.catalog(), setTimeout(longestCatalogWait, undefined)]);
  }

  protected override async receive(message: FromRecord): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.#show();
      case 'fields': {
        const catalog = await this.#catalog();
        const fields = catalog ? inputFields(this.#promptText ?? '{}', catalog) : [];
        this.post({ type: 'fields', fields });
        return;
      }
      case 'judge': {
        const wrong = wrongChanges(this.#promptText ?? '{}', message.changes, await this.#catalog());
        this.post({ type: 'wrong', wrong });
        return;
      }
      case 'act':
        await vscode.commands.executeCommand(actions[message.action], this.record);
        return;
      case 'runWith': {
        const choices = { seeds: 'keep', changes: message.changes } as const;
        const record = await requireRecord(this.record);
        const jobId = await runRecordAgain(this.record, record, choices, this.runs);
        if (jobId !== undefined) this.post({ type: 'sent' });
        return;
      }
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

/** @param address by which the page loads a file */
export async function recordPageContent(
  record: RunRecord,
  folder: vscode.Uri,
  address: (file: vscode.Uri) => string,
): Promise<{ readonly view: RecordView; readonly names: readonly string[] }> {
  const page = runPage(record);
  const there = await fileNamesIn(folder);
  const output = ({ name, bytes, ...known }: RunPage['files'][number]): RecordOutput => {
    if (there.has(name)) return { ...known, source: address(vscode.Uri.joinPath(folder, name)) };
    const missing = bytes === undefined ? t`This output wasn't saved.` : t`Deleted or moved`;
    return { ...known, missing };
  };
  const view = { ...page, files: page.files.map(output), canRun: record.promptText !== undefined };
  return { view, names: page.files.map(({ name }) => name) };
}

/** Names of the files in a folder; a link might lead elsewhere. */
async function fileNamesIn(folder: vscode.Uri): Promise<ReadonlySet<string>> {
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
  return new Set(entries.flatMap(([name, type]) => (type === vscode.FileType.File ? [name] : [])));
}
