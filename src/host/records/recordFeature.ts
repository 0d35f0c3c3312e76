import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import type { RunRecord } from '../../core/records/runRecord';
import { shown } from '../../core/safety/shownText';
import { argumentRows } from '../jobs/jobCommands';
import type { RowSubject } from '../jobs/jobTree';
import { registerCommand } from '../platform/commandRegistry';
import { type CommandId, commands, customEditors } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Platform } from '../platform/platform';
import { fileStat, openFile, openFileIn, revealFile } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { requireTrust } from '../platform/requireTrust';
import type { Runs } from '../runs/runs';
import type { GalleryFeature } from '../gallery/galleryFeature';
import type { RecordPage } from './recordPage';
import type { AgainChoices } from './runRecordAgain';
import { isSameUri } from '../platform/sameUri';

export class RecordFeature implements Feature {
  readonly #pages = new Map<vscode.WebviewPanel, RecordPage>();

  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
    private readonly catalog: () => Promise<Catalog | undefined>,
    private readonly gallery: GalleryFeature,
  ) {}

  register(context: vscode.ExtensionContext): void {
    const { log } = this.platform;
    const on = (id: CommandId, act: (record: vscode.Uri) => unknown): vscode.Disposable =>
      registerCommand(log, id, (first) => act(commandRecord(first)));
    context.subscriptions.push(
      vscode.window.registerCustomEditorProvider(
        customEditors.runRecord,
        {
          openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
          resolveCustomEditor: ({ uri }, panel) => this.#fill(panel, uri),
        },
        { supportsMultipleEditorsPerDocument: true },
      ),
      on(commands.runRecordAgain, (uri) => this.#run(uri, { seeds: 'keep' })),
      on(commands.runRecordWithNewSeeds, (uri) => this.#run(uri, { seeds: 'new' })),
      registerCommand(log, commands.runRecordWith, (first, changes) => this.#runWith(first, changes)),
      on(commands.openRecordWorkflow, (uri) => openWorkflow(uri)),
      on(commands.openRecordAsText, (uri) => openFileIn(uri, 'default')),
      on(commands.revealRecordOutputs, (uri) => revealOutputs(uri)),
      on(commands.compareRecord, (uri) => this.#compareWith(uri)),
      registerCommand(log, commands.pruneRuns, () => this.#prune()),
      registerCommand(log, commands.showRun, async (...args) =>
        openFile(await this.#recordOf(args), { preview: true }),
      ),
      registerCommand(log, commands.runJobWith, async (...args) =>
        vscode.commands.executeCommand(commands.runRecordWith, await this.#recordOf(args)),
      ),
      registerCommand(log, commands.openJobWorkflow, (...args) => this.#openWorkflow(args)),
    );
  }

  async #runWith(first: unknown, changes: unknown): Promise<string | undefined> {
    const uri = commandRecord(first);
    const { recordChanges } = await import('../../webview/contract/record');
    const { data } = recordChanges.safeParse(changes);
    if (data) return this.#run(uri, { seeds: 'keep', changes: data });
    if (!this.#pageOf(uri)) await openFileIn(uri, customEditors.runRecord);
    this.#pageOf(uri)?.edit();
    return undefined;
  }

  #pageOf(uri: vscode.Uri): RecordPage | undefined {
    const shown = [...this.#pages].filter(([, page]) => isSameUri(page.record, uri));
    const [panel] = shown.find(([{ active }]) => active) ?? shown[0] ?? [];
    panel?.reveal();
    return panel && this.#pages.get(panel);
  }

  async #fill(panel: vscode.WebviewPanel, uri: vscode.Uri): Promise<void> {
    const { RecordPage: Page } = await import('./recordPage');
    const page = new Page(panel, uri, this.platform, this.runs, this.catalog);
    this.#pages.set(panel, page);
    panel.onDidDispose(() => this.#pages.delete(panel));
  }

  async #run(uri: vscode.Uri, choices: AgainChoices): Promise<string | undefined> {
    const { runRecordAgain } = await import('./runRecordAgain');
    return runRecordAgain(uri, await requireRecord(uri), choices, this.runs);
  }

  async #compareWith(uri: vscode.Uri): Promise<void> {
    requireTrust();
    await this.runs.windowRuns.ready();
    const { pickOtherRun } = await import('./compareWith');
    const folders = this.runs.windowRuns.places.all();
    const other = await pickOtherRun(uri, await requireRecord(uri), folders, this.runs.windowRuns.servers);
    if (other) await this.gallery.compare([uri, other]);
  }

  async #prune(): Promise<void> {
    await this.runs.windowRuns.ready();
    const [{ pruneRunsCommand }, { Ratings }] = await Promise.all([
      import('./pruneCommand'),
      import('../gallery/ratings'),
    ]);
    const ratings = new Ratings(this.platform.context.workspaceState);
    await pruneRunsCommand(
      this.runs.windowRuns.places.all(),
      (file, sha256) => ratings.of({ file, sha256 }) === 5,
    );
  }

  async #recordOf(args: readonly unknown[]): Promise<vscode.Uri> {
    await this.runs.windowRuns.ready();
    const { recordOfFile, recordOfJob } = await import('./readRecord');
    const folders = this.runs.windowRuns.places.all();
    const [row] = argumentRows(args);
    const file = row === undefined ? fileOfCommand(args[0]) : this.#fileOfRow(row);
    if (file) return recordOfFile(file, folders);
    if (row?.jobId !== undefined) return recordOfJob(row.jobId, this.runs.windowRuns.runs);
    throw new UserProblem(shown`No output is open.`, shown`Open an output of a run, then show its run.`);
  }

  /** As it was sent, if the file is gone and there is a record. */
  async #openWorkflow(args: readonly unknown[]): Promise<void> {
    const [row] = argumentRows(args);
    const record = await this.#recordOf(args).catch(() => undefined);
    const job = row?.jobId === undefined ? undefined : this.runs.windowRuns.runs.job(row.jobId);
    if (record) await openWorkflow(record);
    else if (job)
      await vscode.window.showTextDocument(await (await import('../runs/showNode')).openSource(job));
  }

  #fileOfRow({ jobId, file }: RowSubject): vscode.Uri | undefined {
    return jobId !== undefined && file ? this.runs.windowRuns.savedUri(jobId, file) : undefined;
  }
}

/** The record that a command is about: its argument, or the active page. */
export function commandRecord(first: unknown): vscode.Uri {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (first instanceof vscode.Uri) return first;
  if (input instanceof vscode.TabInputCustom && input.viewType === customEditors.runRecord) return input.uri;
  throw new UserProblem(shown`No run record is open.`, shown`Open a run record (.run.json) first.`);
}

function fileOfCommand(first: unknown): vscode.Uri | undefined {
  if (first instanceof vscode.Uri) return first;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText
    ? input.uri
    : undefined;
}

async function requireRecord(uri: vscode.Uri): Promise<RunRecord> {
  return (await import('./readRecord')).requireRecord(uri);
}

async function openWorkflow(uri: vscode.Uri): Promise<void> {
  const { openRecordWorkflow } = await import('./readRecord');
  await openRecordWorkflow(uri, await requireRecord(uri));
}

/** The first output that is there, or else the record itself. */
async function revealOutputs(uri: vscode.Uri): Promise<void> {
  const { files } = await requireRecord(uri);
  for (const { name } of files.slice(0, 20)) {
    const file = vscode.Uri.joinPath(uri, '..', name);
    const found = await fileStat(file);
    if (found) return revealFile(file);
  }
  await revealFile(uri);
}
