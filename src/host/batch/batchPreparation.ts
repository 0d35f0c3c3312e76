import * as vscode from 'vscode';
import { batchDefaults, type BatchSpec } from '../../core/batch/batchFile';
import { BatchProblem } from '../../core/batch/batchProblem';
import type { StartedBatch } from '../../core/batch/startedBatch';
import { axisName, stepText } from '../../core/batch/batchWords';
import {
  prepareBatch,
  workflowFrom,
  type BatchPorts,
  type PreparedBatch as Prepared,
  type NamedBatch,
} from '../../core/batch/prepareBatch';
import type { RefusedStep } from '../../core/batch/refusedSteps';
import type { JobStore } from '../../core/jobs/jobStore';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import type { RunSession } from '../../core/runLife/runSession';
import { budgets } from '../../core/safety/budgets';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import type { OutputPlaces } from '../outputs/outputPlace';
import type { SavedOutputs } from '../outputs/savedOutputs';
import { mostKept, relativeSource } from '../outputs/outputPlace';
import { settings } from '../platform/contributions';
import type { Log } from '../platform/log';
import { readSetting } from '../platform/settings';
import { showWarning, withProgress } from '../platform/show';
import { withoutSecrets } from '../platform/shownSecrets';
import type { Consent } from '../runs/consent';
import { findLocalMedia } from '../runs/findLocalMedia';
import type { WorkflowSource } from '../platform/workflowSource';
import type { Servers } from '../servers/servers';
import type { Batch, BatchStart } from './batch';
import { BatchQuestions } from './batchQuestions';
import { readBatchSource, savedWorkflow } from './batchSource';
import { openServers, type HostServer } from './hostServers';
import type { BatchPlace, BatchPlaces } from './unfinishedBatches';

/** What running batches needs of the window. */
export interface BatchParts {
  readonly log: Log;
  readonly store: JobStore;
  readonly servers: Servers;
  readonly places: OutputPlaces;
  readonly saved: SavedOutputs;
  readonly consent: Consent;
  /** A session of the selected server, after asking for what is missing; undefined when cancelled. */
  readonly readySession: () => Promise<RunSession | undefined>;
  /** Resolves when it is known where earlier runs wrote to. */
  readonly ready: () => Promise<void>;
  /** How long a server may be unreachable, ms; two minutes by default: a restart takes less. */
  readonly giveUpAfter?: number;
}

/** The parts, with what the window adds when it loads this. */
export interface ControllerParts extends BatchParts {
  readonly unfinished: BatchPlaces;
  readonly workspaceState: vscode.Memento;
  /** At most 10 times per second and batch. */
  readonly changed: (batch: Batch) => void;
  /** A batch was added or removed. */
  readonly listed: () => void;
}

/** A new batch, ready to run. */
interface PreparedBatch {
  readonly place: BatchPlace;
  readonly kept: StartedBatch;
  readonly start: BatchStart;
}

type PreparationParts = Pick<
  ControllerParts,
  'log' | 'servers' | 'places' | 'saved' | 'consent' | 'readySession' | 'giveUpAfter'
>;

/** All that comes before the first row of a batch: reading, asking the servers, asking the person, keeping it. */
export class BatchPreparation {
  readonly #parts: PreparationParts;

  constructor(parts: PreparationParts) {
    this.#parts = parts;
  }

  /**
   * A new batch, kept on disk; undefined if the person declined, and then nothing is kept.
   * @param refuseUnheard see `RunChoices`
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
    const folder = await this.#parts.places.ask(workflow.uri);
    if (!folder) return undefined;
    const questions = new BatchQuestions(this.#parts.consent, workflow.label);
    const prepared = await prepare(workflow, folder, { spec, batchHash }, { servers, files, questions });
    if (!prepared) return undefined;
    const place: BatchPlace = {
      id: prepared.batch.id,
      folder,
      name: prepared.name,
      workflow: workflow.uri,
      servers: prepared.servers.map(({ name }) => name),
      window,
      stopAfterErrors: spec.stopAfterErrors ?? batchDefaults.stopAfterErrors,
    };
    const start = this.#startOf(workflow, prepared.servers, questions, folder, { refuseUnheard });
    return { place, kept: prepared.batch, start };
  }

  /**
   * What a kept batch needs to go on; undefined if the person declined.
   * @throws BatchProblem when the workflow has changed since
   */
  async ofKept(place: BatchPlace, kept: StartedBatch): Promise<BatchStart | undefined> {
    const workflow = await savedWorkflow(place.workflow);
    const servers = await this.#servers(place.servers, place.window);
    if (!servers) return undefined;
    const questions = new BatchQuestions(this.#parts.consent, workflow.label);
    const started = { spec: { set: [] }, kept: { name: place.name, batch: kept } };
    const prepared = await prepare(workflow, place.folder, started, { servers, questions });
    return prepared && this.#startOf(workflow, prepared.servers, questions, place.folder);
  }

  /** The servers that are named, or the selected one. */
  async #servers(
    names: readonly string[] | undefined,
    window: number,
  ): Promise<readonly HostServer[] | undefined> {
    const { servers, readySession } = this.#parts;
    if (names && names.length > 0) return openServers(names, window, servers);
    const session = await readySession();
    return session && openServers([session.server.name], window, servers);
  }

  #startOf(
    workflow: WorkflowSource,
    used: readonly HostServer[],
    questions: BatchQuestions,
    folder: vscode.Uri,
    choices: BatchStart['work']['choices'] = {},
  ): BatchStart {
    const { servers, saved } = this.#parts;
    const { uri } = workflow;
    return {
      servers: used,
      work: {
        workflowText: workflow.workflow.text,
        uri,
        sourceUri: relativeSource(uri.toString(), folder),
        choices,
        temporaryToo: readSetting(settings.saveTemporaryOutputs, uri),
        asks: questions.asks(used, mediaOf(workflow)),
        // The sandbox accepts any key, and never gets a real one.
        partnerKey: async ({ name, session }) =>
          used.some((each) => each.name === name && each.isSandbox)
            ? 'sandbox'
            : servers.keys.get(session.origin),
        hide: withoutSecrets,
        mostKept: mostKept(uri.toString()),
        giveUpAfter: this.#parts.giveUpAfter ?? budgets.serverAway,
        onSaved: (job, files) => {
          saved.add(job.id, files);
        },
      },
      hold: () => {
        const held = used.map(({ session }) => servers.sessions.hold(session.origin));
        return () => held.forEach((release) => release());
      },
    };
  }
}

/** @returns undefined if the person declined, and then nothing is kept */
async function prepare(
  workflow: WorkflowSource,
  folder: vscode.Uri,
  batch: { readonly spec: BatchSpec; readonly batchHash?: string; readonly kept?: NamedBatch },
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
      choices: {},
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

const noFiles = { read: () => Promise.reject(new Error('A kept batch reads no files.')), texts: [] };

async function checking<T>(label: string, abort: AbortController, check: () => Promise<T>): Promise<T> {
  return withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: shown`${label}: checking the batch`,
      cancellable: true,
    },
    (_progress, token) => {
      token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
      return check();
    },
  );
}

function mediaOf({ uri }: WorkflowSource) {
  return (name: string) => findLocalMedia(uri, name);
}
