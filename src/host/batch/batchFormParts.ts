import * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { commands } from '../platform/contributions';
import { tellProblem } from '../platform/problems';
import { nameOf } from '../platform/workflowSource';
import { serverOrigin, type KnownServer } from '../servers/knownServers';
import type { Services } from '../services';
import type { Batches } from './batches';
import type { BatchFormFile } from './batchFormFile';
import type { BatchFormParts } from './batchFormPanel';
import { BatchTimes } from './batchTimes';

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
  const folder = folderOf(file.workflow, [...places.expected(), ...saved.folders()]);
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
