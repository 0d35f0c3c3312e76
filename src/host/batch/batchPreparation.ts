import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ableServers, knownServers, type KnownServer } from '../../core/batch/ableServers';
import { BatchProblem } from '../../core/batch/batchProblem';
import { keepBatch, type KeptBatch } from '../../core/batch/batchProgress';
import { rowText, type BatchAxis } from '../../core/batch/batchTable';
import { axisName, stepText } from '../../core/batch/batchWords';
import { hashOf, planBatch } from '../../core/batch/planBatch';
import { refusedSteps } from '../../core/batch/refusedSteps';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { mostKept, relativeSource } from '../owed/owedRuns';
import { settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import { showWarning, withProgress } from '../platform/show';
import { withoutSecrets } from '../platform/shownSecrets';
import { findLocalMedia } from '../runs/findLocalMedia';
import type { WorkflowSource } from '../platform/workflowSource';
import { sandboxName } from '../servers/knownServers';
import type { Batches } from './batches';
import type { ControllerParts } from './batchParts';
import { BatchQuestions } from './batchQuestions';
import { readBatchSource, savedWorkflow } from './batchSource';
import type { BatchStart } from './hostBatch';
import { openServers, type HostServer } from './hostServers';
import type { BatchPlace } from './unfinishedBatches';

const defaultPatience = 120_000;
export const defaultWindow = 2;
export const defaultStopAfterErrors = 3;

/** A new batch, ready to run. */
interface PreparedBatch {
  readonly place: BatchPlace;
  readonly kept: KeptBatch;
  readonly start: BatchStart;
}

type PreparationParts = Pick<
  ControllerParts,
  'log' | 'servers' | 'places' | 'saved' | 'consent' | 'readySession' | 'patience'
>;

/** All that comes before the first row of a batch: reading, asking the servers, asking the person, keeping it. */
export class BatchPreparation {
  readonly #parts: PreparationParts;

  constructor(parts: PreparationParts) {
    this.#parts = parts;
  }

  /** A new batch, kept on disk; undefined if the person declined, and then nothing is kept. */
  async ofFile(
    ...[file, named, refuseUnheard, text]: Parameters<Batches['start']>
  ): Promise<PreparedBatch | undefined> {
    const { places, consent } = this.#parts;
    const { spec, workflow, batchHash, readText, texts } = await readBatchSource(file, text);
    const window = spec.window ?? defaultWindow;
    const servers = await this.#servers(named ?? spec.servers, window);
    if (!servers) return undefined;
    const folder = await places.ask(workflow.uri);
    if (!folder) return undefined;
    const plan = await this.#plan(workflow, servers, true, async (known) => {
      const catalog = known.find(({ definitions }) => definitions?.catalog)?.definitions?.catalog;
      const planned = await planBatch({ workflow: workflow.workflow, spec, catalog, readText });
      if (planned.kind === 'plan') return planned;
      throw new BatchProblem(t`${workflow.label}: ${planned.message}`, planned.nextAction);
    });
    const { axes, partners, rows, able } = plan;
    refuseSecrets(axes);
    const questions = new BatchQuestions(consent);
    const { label } = workflow;
    const areSandboxes = able.every(({ server }) => server.isSandbox);
    if (!areSandboxes && !(await questions.maySpend(label, partners, rows))) return undefined;
    const localMedia = mediaOf(workflow);
    const workflowText = workflow.workflow.text;
    if (!(await questions.maySendTexts(texts, able))) return undefined;
    if (!(await questions.mayUpload({ label, workflowText, axes, servers: able, localMedia })))
      return undefined;
    const { name, batch: kept } = await keepBatch(
      new NodeFolder(folder.fsPath),
      {
        label,
        workflow: relativePath(folder, workflow.uri),
        workflowHash: plan.workflowHash,
        batchHash,
        isPaid: partners.length > 0,
        axes,
      },
      Date.now(),
    );
    const place: BatchPlace = {
      id: kept.id,
      folder,
      name,
      workflow: workflow.uri,
      servers: able.map(({ server }) => server.name),
      window,
      stopAfterErrors: spec.stopAfterErrors ?? defaultStopAfterErrors,
    };
    return { place, kept, start: this.#startOf(workflow, able, questions, folder, { refuseUnheard }) };
  }

  /**
   * What a kept batch needs to go on; undefined if the person declined.
   * @throws UserProblem when the workflow has changed since
   */
  async ofKept(place: BatchPlace, kept: KeptBatch): Promise<BatchStart | undefined> {
    const workflow = await savedWorkflow(place.workflow);
    if (hashOf(workflow.workflow.text) !== kept.workflowHash) {
      throw new UserProblem(
        shown`${workflow.label} has changed since the batch was started.`,
        shown`Restore it, or start a new batch.`,
      );
    }
    const servers = await this.#servers(place.servers, place.window);
    if (!servers) return undefined;
    const { able } = await this.#plan(workflow, servers, false, () => Promise.resolve(kept));
    return this.#startOf(workflow, able, new BatchQuestions(this.#parts.consent), place.folder);
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

  /**
   * Asks the servers what they have; those that would refuse the first row are left out and named.
   * @param isNew all values are checked; rows of a kept batch may be done, and the others are checked as they are sent
   */
  async #plan<P extends { readonly axes: readonly BatchAxis[] }>(
    { label, workflow }: WorkflowSource,
    servers: readonly HostServer[],
    isNew: boolean,
    plan: (known: readonly KnownServer<HostServer>[]) => Promise<P>,
  ): Promise<P & { readonly able: readonly KnownServer<HostServer>[] }> {
    const abort = new AbortController();
    return withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: shown`${label}: checking the batch`,
        cancellable: true,
      },
      async (_progress, token) => {
        token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
        const known = await knownServers(servers, abort.signal);
        const planned = await plan(known);
        const first = WorkflowDocument.of(rowText(workflow.text, planned.axes, 0));
        const checked = ableServers(known, { workflow: first, label }, {});
        const able = checked.filter(({ problem }) => problem === undefined);
        for (const { server, problem } of checked) {
          if (problem === undefined) continue;
          if (able.length === 0) throw new BatchProblem(`${server.name}: ${problem}`, '');
          void showWarning(shown`${server.name} isn't used for this batch: ${problem}`);
        }
        if (isNew) await requireValues(workflow.text, planned.axes, able, abort.signal);
        return { ...planned, able };
      },
    );
  }

  #startOf(
    workflow: WorkflowSource,
    able: readonly KnownServer<HostServer>[],
    questions: BatchQuestions,
    folder: vscode.Uri,
    choices: BatchStart['work']['choices'] = {},
  ): BatchStart {
    const { servers, saved, log } = this.#parts;
    const used = able.map(({ server }) => server);
    const { uri, label } = workflow;
    return {
      servers: used,
      work: {
        workflowText: workflow.workflow.text,
        uri,
        sourceUri: relativeSource(uri.toString(), folder),
        choices,
        temporaryToo: readSetting(settings.saveTemporaryOutputs, uri),
        asks: questions.asks(label, used, mediaOf(workflow)),
        // The sandbox accepts any key, and never gets a real one.
        partnerKey: async ({ name, session }) =>
          used.some((each) => each.name === name && each.isSandbox)
            ? 'sandbox'
            : servers.keys.get(session.origin),
        hide: withoutSecrets,
        mostKept: mostKept(uri.toString()),
        patience: this.#parts.patience ?? defaultPatience,
        onSaved: (job, files) => {
          saved.add(job.id, files).catch((error: unknown) => log.error('Remembering saved outputs', error));
        },
      },
      hold: () => {
        const held = used.map(({ session }) => servers.sessions.hold(session.origin));
        return () => held.forEach((release) => release());
      },
      isGone: (origin) =>
        servers.nameOf(origin) === sandboxName && used.every(({ session }) => session.origin !== origin),
    };
  }
}

/** @throws BatchProblem for the first value that all servers would refuse */
async function requireValues(
  workflowText: string,
  axes: readonly BatchAxis[],
  able: readonly KnownServer<HostServer>[],
  signal: AbortSignal,
): Promise<void> {
  const definitions = able.flatMap((each) => each.definitions ?? []);
  for (const refused of refusedSteps({ workflowText, axes, definitions, force: undefined })) {
    // The window stays responsive, and Cancel is heard.
    await setImmediate();
    signal.throwIfAborted();
    if (!refused) continue;
    const { axis, step, row, refusal } = refused;
    const value = `${axisName(axis)} = ${stepText(axis, step)}`;
    throw new BatchProblem(t`${value} (row ${row + 1}): ${refusal.message}`, refusal.nextAction);
  }
}

function mediaOf({ uri }: WorkflowSource) {
  return (name: string) => findLocalMedia(uri, name);
}

function refuseSecrets(axes: readonly BatchAxis[]): void {
  const values = JSON.stringify(axes);
  if (withoutSecrets(values) === values) return;
  throw new BatchProblem(
    t`The values of the batch contain an API key, which must not be written to disk.`,
    t`Remove the key from the batch.`,
  );
}

/** Where the workflow is, as seen from the output folder, for `comfy-deck batch` to continue it. */
function relativePath(folder: vscode.Uri, workflow: vscode.Uri): string {
  const relative = path.relative(folder.fsPath, workflow.fsPath);
  return path.isAbsolute(relative) ? path.basename(workflow.fsPath) : relative.split(path.sep).join('/');
}
