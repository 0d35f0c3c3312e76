import * as vscode from 'vscode';
import { progressEnding } from '../../core/batch/batchEndings';
import { isRecord } from '../../core/protocol/wire';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { dayAndTime } from '../../core/safety/timeText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { webviewPanels } from '../platform/contributions';
import { openFileIn } from '../platform/openFile';
import type { Log } from '../platform/log';
import type { PanelPlatform } from '../platform/panel';
import { UserProblem } from '../platform/problems';
import { pickOne } from '../platform/show';
import type { WindowRuns } from '../runs/windowRuns';
import type { ShownBatch } from './batch';
import type { BatchList } from './batchList';
import { BatchFormFile } from './batchFormFile';
import { batchRow } from './batchRowWords';
import { BatchFormPanel, type FormSources, type StartBatch } from './batchFormPanel';
import { BatchSheetPanel } from './batchSheetPanel';
import { coalesceCalls } from '../../core/jobs/coalesce';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { uriName } from '../platform/workflowSource';
import { type KnownServer, serverOrigin } from '../servers/knownServers';
import { BatchTimes } from '../../core/batch/batchTime';
import { pathInFolder } from '../platform/sameUri';

const hidden = { enableScripts: true, localResourceRoots: [] };

export class BatchPanels {
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(
    private readonly parts: PanelPlatform,
    private readonly batches: BatchList,
    private readonly sourcesOf: (workflow: vscode.Uri) => Promise<FormSources>,
  ) {}

  async showForm(uri: vscode.Uri): Promise<void> {
    const file = await BatchFormFile.of(uri);
    if (this.#reveal(file.file.toString())) return;
    // A third column beside the preview would leave no room for any.
    const { Active, Beside } = vscode.ViewColumn;
    const column = vscode.window.tabGroups.all.length > 1 ? Active : Beside;
    await this.#fillForm(
      vscode.window.createWebviewPanel(webviewPanels.batchForm, t`Set Up Batch`, column, hidden),
      file,
    );
  }

  shows(id: string): boolean {
    return this.#open.get(id)?.visible === true;
  }

  /** Shows the contact sheet of the batch of an ID or a file, of the active editor, or of one that the person picks. */
  async open(wanted: unknown): Promise<void> {
    const id = await this.#batchOf(wanted);
    if (id === undefined || this.#reveal(id)) return;
    const { Active } = vscode.ViewColumn;
    this.#fillSheet(
      vscode.window.createWebviewPanel(webviewPanels.batchSheet, t`Contact Sheet`, Active, hidden),
      id,
    );
  }

  async restoreForm(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.#restore(panel, state, async (key) =>
      this.#fillForm(panel, await BatchFormFile.of(vscode.Uri.parse(key))),
    );
  }

  async restoreSheet(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.#restore(panel, state, async (key) => {
      await this.batches.ready();
      this.#fillSheet(panel, key);
    });
  }

  /** Opens a started batch in its editor; as text if the file isn't one, or may not be read. */
  async fillFile(panel: vscode.WebviewPanel, file: vscode.Uri): Promise<void> {
    try {
      this.#fillSheet(panel, await (await this.batches.loaded()).showFile(file));
    } catch (error) {
      this.parts.onError(error);
      panel.dispose();
      await openFileIn(file, 'default');
    }
  }

  async #restore(
    panel: vscode.WebviewPanel,
    state: unknown,
    fill: (key: string) => Promise<void>,
  ): Promise<void> {
    const key = keyIn(state);
    try {
      if (key === undefined || !vscode.workspace.isTrusted) panel.dispose();
      else await fill(key);
    } catch (error) {
      panel.dispose();
      this.parts.onError(error);
    }
  }

  async #batchOf(wanted: unknown): Promise<string | undefined> {
    if (typeof wanted === 'string') return wanted;
    const file = wanted instanceof vscode.Uri ? wanted : vscode.window.activeTextEditor?.document.uri;
    if (file?.path.endsWith(progressEnding)) return (await this.batches.loaded()).showFile(file);
    await this.batches.ready();
    return pickBatch(this.batches.shown);
  }

  #fillSheet(panel: vscode.WebviewPanel, id: string): void {
    this.#remember(id, panel);
    new BatchSheetPanel(panel, id, this.parts, this.batches);
  }

  async #fillForm(panel: vscode.WebviewPanel, file: BatchFormFile): Promise<void> {
    this.#remember(file.file.toString(), panel);
    const start: StartBatch = async (servers, text) =>
      (await this.batches.loaded()).start(file.file, servers, undefined, text);
    new BatchFormPanel(panel, this.parts, file, await this.sourcesOf(file.workflow), start);
  }

  #remember(key: string, panel: vscode.WebviewPanel): void {
    this.#open.set(key, panel);
    panel.onDidDispose(() => {
      if (this.#open.get(key) === panel) this.#open.delete(key);
    });
  }

  #reveal(key: string): boolean {
    const panel = this.#open.get(key);
    panel?.reveal();
    return panel !== undefined;
  }
}

async function pickBatch(batches: readonly ShownBatch[]): Promise<string | undefined> {
  const rows = batches.map((batch) => ({
    id: batch.id,
    label: shown`${batch.label}`,
    description: shown`${batchRow(batch).description}`,
    detail: shown`${dayAndTime(batch.startedAt)}`,
  }));
  if (rows.length === 0)
    throw new UserProblem(shown`No batches yet.`, shown`To start one, open a workflow and use Set Up Batch.`);
  return (await pickOne(rows, { title: shown`Open Batch` }))?.id;
}

function keyIn(state: unknown): string | undefined {
  const key = isRecord(state) ? state['key'] : undefined;
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** Earlier runs are read at most this often while runs are saved, ms. */
const readEvery = 10_000;

export function formSources(
  workflow: vscode.Uri,
  definitions: NodeDefinitions,
  log: Log,
  { servers, places, runs }: WindowRuns,
): FormSources {
  const folder = folderOf(workflow, places.all());
  return {
    servers: () => {
      const current = servers.current()?.name;
      return servers.list().map((server) => ({
        id: idOf(server),
        name: server.name,
        origin: serverOrigin(server),
        isCurrent: server.name === current,
      }));
    },
    catalog: async () => {
      const rules = await definitions.ready().catch((error: unknown) => {
        log.warn(`Definitions for a batch: ${String(error)}`);
        return definitions.rules;
      });
      return rules.catalog;
    },
    onDidChange: (listener) => {
      // A batch that runs saves many, and each time all earlier runs would be read.
      const now = coalesceCalls(() => void listener(undefined), readEvery);
      return vscode.Disposable.from(
        definitions.onDidChangeRules(listener),
        servers.onDidChange(listener),
        new vscode.Disposable(runs.onDidChange((_, run) => run && now())),
        { dispose: () => now.cancel() },
      );
    },
    times: new BatchTimes(new NodeFolder(folder.fsPath), uriName(workflow)),
  };
}

function idOf({ kind, url, name }: KnownServer): string {
  if (kind === 'cloud' || kind === 'sandbox') return kind;
  return url ?? name;
}

/** The output folder of a workflow: that of its workspace folder. */
function folderOf(workflow: vscode.Uri, known: readonly vscode.Uri[]): vscode.Uri {
  const root = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  const own = root && known.find((folder) => pathInFolder(root, folder));
  return own ?? known[0] ?? vscode.Uri.joinPath(workflow, '..');
}
