import * as vscode from 'vscode';
import { entryAt } from '../../core/safety/lists';
import { jobLabel } from '../../core/jobs/jobWords';
import { outputKey } from '../../core/outputs/expectedFile';
import { jobOfRecord } from '../../core/records/jobOfRecord';
import type { GraphAct, PageAct } from '../../webview/contract/graphPanel';
import type { BatchList } from '../batch/batchList';
import { argumentJobId } from '../jobs/jobCommands';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { sourceOfRecord } from '../outputs/outputPlace';
import { activeDocument, columnOfGraph } from '../platform/activeDocument';
import { customEditors } from '../platform/contributions';
import { openFileIn, openText } from '../platform/openFile';
import { commandRecord } from '../records/recordFeature';
import { requireRecord, textOfRecord } from '../records/readRecord';
import { isSourceGone, requireSource, sourceGone } from '../runs/goneSource';
import type { Platform } from '../platform/platform';
import type { WindowRuns } from '../runs/windowRuns';
import { GraphPage } from './graphPage';
import type { ChosenRun } from './shownRun';

/** The graphs that are open as editors: one for each file. */
export class GraphPages {
  readonly #open = new Map<string, GraphPage>();
  readonly #chosen = new Map<string, ChosenRun | undefined>();

  constructor(
    private readonly platform: Platform,
    private readonly runs: WindowRuns,
    private readonly batches: BatchList,
    private readonly definitions: NodeDefinitions,
  ) {}

  async show(file: vscode.Uri): Promise<void> {
    await this.#show(file, undefined);
  }

  /** Opens the graph of what was run: of a row of the Jobs view or of a contact sheet, or of a run record. */
  async showRun(args: readonly unknown[]): Promise<void> {
    await this.runs.ready();
    const jobId = argumentJobId(args[0]);
    if (jobId === undefined) await this.#showRecord(this.batches.recordOf(args[0]) ?? commandRecord(args[0]));
    else await this.#showJob(jobId);
  }

  act(act: GraphAct | PageAct, context: unknown): unknown {
    return entryAt(this.#open, activeDocument()?.uri.toString())?.act(act, context);
  }

  shows(jobId: string): boolean {
    return [...this.#open.values()].some((page) => page.shows(jobId));
  }

  async #showJob(id: string): Promise<void> {
    const { runs, folders } = this.runs;
    const job = runs.job(id);
    if (!job) return;
    const source = requireSource(job);
    const sent = async (): Promise<string | undefined> => {
      const texts = await folders.sent(job);
      return texts?.workflowText ?? texts?.promptText;
    };
    await this.#showGraph(source, jobLabel(job), sent, { job });
  }

  async #showRecord(uri: vscode.Uri): Promise<void> {
    const record = await requireRecord(uri);
    const job = jobOfRecord(record);
    const folder = vscode.Uri.joinPath(uri, '..');
    const outputs = new Map(
      record.files.map((file) => [outputKey(file), vscode.Uri.joinPath(folder, file.name)]),
    );
    const run = job && { job, record: { uri, outputs } };
    await this.#showGraph(sourceOfRecord(uri, record), record.label, () => textOfRecord(record), run);
  }

  /** @param sent the workflow as it was sent, in case its file is gone */
  async #showGraph(
    file: vscode.Uri,
    label: string,
    sent: () => string | undefined | Promise<string | undefined>,
    run: ChosenRun | undefined,
  ): Promise<void> {
    if (!(await isSourceGone(file))) {
      await this.#show(file, run);
      return;
    }
    const text = await sent();
    if (text === undefined) throw sourceGone(label);
    await this.#show((await openText(text)).uri, run);
  }

  async #show(file: vscode.Uri, run: ChosenRun | undefined): Promise<void> {
    const key = file.toString();
    const { Active, Beside } = vscode.ViewColumn;
    const isText = vscode.window.activeTextEditor?.document.uri.toString() === key;
    this.#chosen.set(key, run);
    this.#open.get(key)?.showRun(run);
    const viewColumn = columnOfGraph(file) ?? (isText ? Beside : Active);
    // An output that is opened from it must not replace it.
    await openFileIn(file, customEditors.graph, { viewColumn, preview: false });
  }

  fill(panel: vscode.WebviewPanel, document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const { platform, definitions, runs } = this;
    const page = new GraphPage(panel, document, platform, definitions, runs);
    page.showRun(this.#chosen.get(key));
    this.#chosen.delete(key);
    this.#open.set(key, page);
    panel.onDidDispose(() => {
      if (this.#open.get(key) === page) this.#open.delete(key);
    });
  }
}
