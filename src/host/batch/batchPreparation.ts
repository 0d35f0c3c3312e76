import type * as vscode from 'vscode';
import { normaliseBase } from '../../core/client/address';
import { completeAddress } from '../../core/client/completeAddress';
import { batchDefaults, type BatchSpec } from '../../core/batch/batchFile';
import { BatchProblem } from '../../core/batch/batchProblem';
import type { StartedBatch, NamedBatch } from '../../core/batch/startedBatch';
import { axisName, stepText } from '../../core/batch/batchTable';
import {
  prepareBatch,
  workflowFrom,
  type BatchPorts,
  type PreparedBatch as Prepared,
} from '../../core/batch/prepareBatch';
import type { BatchWork } from '../../core/batch/runRow';
import type { RefusedStep } from '../../core/batch/planBatch';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { budgets } from '../../core/safety/budgets';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { largestKeptInput, workspaceSourcePath } from '../outputs/outputPlace';
import { commands, settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import { showCancellable, showWarning } from '../platform/show';
import { withoutSecrets } from '../platform/shownSecrets';
import type { Consent } from '../runs/consent';
import { findLocalMedia } from '../runs/findLocalMedia';
import type { WorkflowSource } from '../platform/workflowSource';
import type { WindowRuns } from '../runs/windowRuns';
import { serverOrigin, type KnownServer } from '../servers/knownServers';
import { readySession } from '../servers/serverPicks';
import type { Servers } from '../servers/servers';
import type { BatchPlace } from './batchMemory';
import { BatchQuestions, type HostServer } from './batchQuestions';
import { readBatchSource, savedWorkflow } from './batchSource';

export interface BatchStart {
  readonly servers: readonly HostServer[];
  readonly work: Omit<BatchWork, 'batch' | 'folder'>;
  /** Keeps the servers' sessions open; returns what releases them. */
  readonly hold: () => Promise<() => void>;
}

interface PreparedBatch {
  readonly place: BatchPlace;
  readonly started: StartedBatch;
  readonly start: BatchStart;
}

export interface BatchWindow {
  readonly windowRuns: WindowRuns;
  readonly consent: Consent;
  /** How long a server may be unreachable, ms; two minutes by default: a restart takes less. */
  readonly giveUpAfter?: number;
}

/** Everything before the first row of a batch: reading, asking the servers, asking the person, and saving the batch. */
export class BatchPreparation {
  constructor(private readonly window: BatchWindow) {}

  /**
   * Undefined if the person declined: then nothing is written.
   * @param text what the file would contain: it is not read, and need not exist
   */
  async ofFile(
    file: vscode.Uri,
    named?: readonly string[],
    refuseUnheard?: boolean,
    text?: string,
  ): Promise<PreparedBatch | undefined> {
    const { spec, workflow, batchHash, files } = await readBatchSource(file, text);
    const window = spec.window ?? batchDefaults.window;
    const servers = await this.#servers(named ?? spec.servers, window);
    if (!servers) return undefined;
    const folder = await this.window.windowRuns.places.ask(workflow.uri);
    if (!folder) return undefined;
    const questions = new BatchQuestions(this.window.consent, workflow.label);
    const prepared = await prepare(workflow, folder, { spec, batchHash }, { servers, files, questions });
    if (!prepared) return undefined;
    const { stopAfterErrors = batchDefaults.stopAfterErrors } = spec;
    const place: BatchPlace = {
      ...{ id: prepared.batch.id, folder, name: prepared.name, workflow: workflow.uri },
      ...{ window, stopAfterErrors, servers: prepared.servers.map(({ name }) => name) },
    };
    const start = await this.#startOf(workflow, prepared, questions, folder, { refuseUnheard });
    return { place, started: prepared.batch, start };
  }

  /** Undefined if the person declined. @throws BatchProblem when the workflow has changed */
  async ofStarted(place: BatchPlace, started: StartedBatch): Promise<BatchStart | undefined> {
    const workflow = await savedWorkflow(place.workflow);
    const servers = await this.#servers(place.servers, place.window);
    if (!servers) return undefined;
    const questions = new BatchQuestions(this.window.consent, workflow.label);
    const batch = { spec: { set: [] }, earlier: { name: place.name, batch: started } };
    const prepared = await prepare(workflow, place.folder, batch, { servers, questions });
    return prepared && this.#startOf(workflow, prepared, questions, place.folder);
  }

  async #servers(
    names: readonly string[] | undefined,
    window: number,
  ): Promise<readonly HostServer[] | undefined> {
    const { servers } = this.window.windowRuns;
    if (names && names.length > 0) return openServers(names, window, servers);
    const session = await readySession(servers);
    return session && openServers([session.server.name], window, servers);
  }

  async #startOf(
    workflow: WorkflowSource,
    { batch, servers: used }: Prepared<HostServer>,
    questions: BatchQuestions,
    folder: vscode.Uri,
    choices: BatchStart['work']['choices'] = {},
  ): Promise<BatchStart> {
    const { servers, pointers } = this.window.windowRuns;
    const { uri } = workflow;
    const attempts = await this.window.windowRuns.attempts();
    return {
      servers: used,
      work: {
        runs: attempts.work,
        workflowText: workflow.workflow.text,
        uri,
        sourceUri: workspaceSourcePath(uri.toString(), folder),
        choices: { allowLoss: questions.hasAcceptedLoss(workflow), ...choices },
        temporaryToo: readSetting(settings.saveTemporaryOutputs, uri),
        asks: questions.asks(used, mediaOf(workflow)),
        // The sandbox accepts any key, and never gets a real one.
        partnerKey: async ({ name, session }) =>
          used.some((each) => each.name === name && each.isSandbox)
            ? 'sandbox'
            : servers.keys.get(session.origin),
        hide: withoutSecrets,
        largestCopy: largestKeptInput(uri.toString()),
        giveUpAfter: this.window.giveUpAfter ?? budgets.serverAway,
        pointers: ({ session, isSandbox = false }) =>
          pointers.ofRow({
            ...{ server: session.origin, serverName: session.server.name, isSandbox },
            ...{ folder: folder.fsPath, sourceUri: uri.toString() },
          }),
        recorded: attempts.recorded(folder.fsPath),
      },
      hold: async () => {
        const held = used.map(({ session }) => servers.sessions.hold(session.origin));
        held.push(await attempts.leaveRows(batch.id));
        return () => held.forEach((release) => release());
      },
    };
  }
}

/** @returns undefined if the person declined, and then nothing is written */
async function prepare(
  workflow: WorkflowSource,
  folder: vscode.Uri,
  batch: { readonly spec: BatchSpec; readonly batchHash?: string; readonly earlier?: NamedBatch },
  window: {
    readonly servers: readonly HostServer[];
    readonly files?: Omit<BatchPorts<HostServer>['files'], 'media'>;
    readonly questions: BatchQuestions;
  },
): Promise<Prepared<HostServer> | undefined> {
  const { servers, files = noFiles, questions } = window;
  const { label, uri } = workflow;
  const abort = new AbortController();
  const prepared = await prepareBatch(
    {
      ...batch,
      label,
      workflowText: workflow.workflow.text,
      workflow: workflowFrom(folder.fsPath, uri.fsPath),
    },
    {
      servers,
      choices: { allowLoss: questions.hasAcceptedLoss(workflow) },
      folder: new NodeFolder(folder.fsPath),
      files: { ...files, media: mediaOf(workflow) },
      ask: questions,
      tell: {
        leftOut: ({ name }, problem) =>
          void showWarning(shown`${name} isn't used for this batch: ${problem}`),
        refused: ({ axis, step, row, refusal }: RefusedStep) => {
          const value = `${axisName(axis)} = ${stepText(axis, step)}`;
          throw new BatchProblem(t`${value} (row ${row + 1}): ${refusal.message}`, refusal.nextAction);
        },
      },
      hide: withoutSecrets,
      checking: (check) => checking(label, abort, check),
    },
    abort.signal,
  );
  return typeof prepared === 'string' ? undefined : prepared;
}

const noFiles = { read: () => Promise.reject(new Error('A started batch reads no files.')), texts: [] };

async function checking<T>(label: string, abort: AbortController, check: () => Promise<T>): Promise<T> {
  return showCancellable(shown`${label}: checking the batch`, (signal) => {
    signal.addEventListener('abort', () => abort.abort(signal.reason));
    return check();
  });
}

function mediaOf({ uri }: WorkflowSource) {
  return (name: string) => findLocalMedia(uri, name);
}

/**
 * Only servers in the settings: a file of a workspace must not decide where a workflow is sent.
 * @param names names as in the settings, addresses, `cloud` or `sandbox`
 */
async function openServers(
  names: readonly string[],
  window: number,
  servers: Servers,
): Promise<HostServer[]> {
  const opened = new Map<string, HostServer>();
  for (const name of names) {
    const server = await openServer(name, window, servers);
    opened.set(server.session.origin, server);
  }
  return [...opened.values()];
}

async function openServer(named: string, window: number, servers: Servers): Promise<HostServer> {
  const known = servers.list().find((server) => isNamed(server, named));
  if (known?.kind === 'sandbox') {
    return { name: known.name, session: await servers.sandboxSession(), window, isSandbox: true };
  }
  const origin = known && serverOrigin(known);
  if (known?.url === undefined || origin === undefined) {
    throw new UserProblem(
      shown`The batch uses the server ${named}, which isn't in your settings.`,
      shown`Add the server, or remove it from the batch file.`,
      [{ label: shown`Add Server`, command: commands.addServer }],
    );
  }
  const { name, url } = known;
  return { name, session: await servers.sessions.open({ name, url, origin }), window, isSandbox: false };
}

function isNamed(server: KnownServer, name: string): boolean {
  if (server.name === name || (server.kind === name && server.kind !== 'own')) return true;
  try {
    return server.url !== undefined && normaliseBase(completeAddress(name)) === normaliseBase(server.url);
  } catch {
    return false;
  }
}
