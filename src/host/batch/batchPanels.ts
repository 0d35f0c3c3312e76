import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { dayAndTime } from '../../core/safety/timeText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { commands, webviewPanels } from '../platform/contributions';
import { openFileIn } from '../platform/openFile';
import { tellProblem, UserProblem } from '../platform/problems';
import { pickOne } from '../platform/show';
import type { Services } from '../services';
import type { ShownBatch } from './batch';
import type { Batches } from './batches';
import { BatchFormFile } from './batchFormFile';
import { batchRow } from './batchRowWords';
import { BatchFormPanel, type BatchFormParts } from './batchFormPanel';
import { BatchSheetPanel } from './batchSheetPanel';
import { coalesce } from '../../core/jobs/coalesce';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { nameOf } from '../platform/workflowSource';
import { type KnownServer, serverOrigin } from '../servers/knownServers';
import { BatchTimes } from '../../core/batch/batchTime';

export interface BatchPanelParts {
  readonly extensionUri: vscode.Uri;
  readonly services: Pick<Services, 'log' | 'secrets' | 'servers' | 'places' | 'saved'>;
  readonly definitions: () => Promise<NodeDefinitions>;
  readonly batches: Batches;
}

const hidden = { enableScripts: true, localResourceRoots: [] };

/** The open forms and contact sheets: one for each batch file, and for each batch. */
export class BatchPanels {
  readonly #parts: BatchPanelParts;
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(parts: BatchPanelParts) {
    this.#parts = parts;
  }

  /** @param uri of a workflow, or of a batch file */
  async showForm(uri: vscode.Uri): Promise<void> {
    const file = await BatchFormFile.of(uri);
    if (this.#reveal(file.file.toString())) return;
    // A third column beside the preview would leave no room for any.
    const { Active, Beside } = vscode.ViewColumn;
    const column = vscode.window.tabGroups.all.length > 1 ? Active : Beside;
    await this.#fillForm(
      vscode.window.createWebviewPanel(webviewPanels.batchForm, t`Run Batch`, column, hidden),
      file,
    );
  }

  async restoreForm(panel: vscode.WebviewPanel, uri: vscode.Uri): Promise<void> {
    await this.#fillForm(panel, await BatchFormFile.of(uri));
  }

  showSheet(id: string): void {
    if (this.#reveal(id)) return;
    const { Active } = vscode.ViewColumn;
    this.fillSheet(
      vscode.window.createWebviewPanel(webviewPanels.batchSheet, t`Contact Sheet`, Active, hidden),
      id,
    );
  }

  /** @param panel new, restored, or the editor of the batch's file */
  fillSheet(panel: vscode.WebviewPanel, id: string): void {
    const { services, batches, extensionUri } = this.#parts;
    const { secrets, log } = services;
    this.#keep(id, panel);
    new BatchSheetPanel(panel, id, {
      extensionUri,
      secrets,
      batches,
      onError: (error) => tellProblem(error, log),
    });
  }

  /** The editor of a file that is a started batch; as text if it is none, or may not be read. */
  async fillFile(panel: vscode.WebviewPanel, file: vscode.Uri): Promise<void> {
    const { services, batches } = this.#parts;
    try {
      this.fillSheet(panel, await (await batches.loaded()).showKept(file));
    } catch (error) {
      tellProblem(error, services.log);
      panel.dispose();
      await openFileIn(file, 'default');
    }
  }

  async #fillForm(panel: vscode.WebviewPanel, file: BatchFormFile): Promise<void> {
    const { services, batches, extensionUri, definitions } = this.#parts;
    this.#keep(file.file.toString(), panel);
    new BatchFormPanel(panel, formParts(extensionUri, file, services, await definitions(), batches));
  }

  #keep(key: string, panel: vscode.WebviewPanel): void {
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

/** One that the person picks. @throws UserProblem if there is none */
export async function pickBatch(batches: readonly ShownBatch[]): Promise<string | undefined> {
  const rows = batches.map((batch) => ({
    id: batch.id,
    label: shown`${batch.label}`,
    description: shown`${batchRow(batch).description}`,
    detail: shown`${dayAndTime(batch.startedAt)}`,
  }));
  if (rows.length === 0)
    throw new UserProblem(shown`No batches yet.`, shown`To start one, open a workflow and use Run Batch.`);
  return (await pickOne(rows, { title: shown`Open Batch` }))?.id;
}

/** Earlier runs are read at most this often while runs are saved, ms. */
const readEvery = 10_000;

/** What the form needs of this window. */
export function formParts(
  extensionUri: vscode.Uri,
  file: BatchFormFile,
  {
    log,
    secrets,
    servers,
    places,
    saved,
  }: Pick<Services, 'log' | 'secrets' | 'servers' | 'places' | 'saved'>,
  definitions: NodeDefinitions,
  batches: Batches,
): BatchFormParts {
  const folder = folderOf(file.workflow, places.all());
  return {
    extensionUri,
    secrets,
    file,
    start: async (used, text) => (await batches.loaded()).start(file.file, used, undefined, text),
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
      const now = coalesce(() => void listener(undefined), readEvery);
      return vscode.Disposable.from(
        definitions.onDidChangeRules(listener),
        servers.onDidChange(listener),
        saved.onDidChange(now),
        { dispose: () => now.cancel() },
      );
    },
    times: new BatchTimes(new NodeFolder(folder.fsPath), nameOf(file.workflow)),
    showBatch: (id) => Promise.resolve(vscode.commands.executeCommand(commands.openBatch, id)),
    onError: (error) => tellProblem(error, log),
  };
}

/** As a batch file names it. */
function idOf({ kind, url, name }: KnownServer): string {
  if (kind === 'cloud' || kind === 'sandbox') return kind;
  return url ?? name;
}

/** Where outputs of the workflow are: that of its workspace folder. */
function folderOf(workflow: vscode.Uri, known: readonly vscode.Uri[]): vscode.Uri {
  const root = vscode.workspace.getWorkspaceFolder(workflow)?.uri;
  const own = known.find((folder) => root !== undefined && folder.path.startsWith(`${root.path}/`));
  return own ?? known[0] ?? vscode.Uri.joinPath(workflow, '..');
}
