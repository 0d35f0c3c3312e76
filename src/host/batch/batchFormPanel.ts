import * as vscode from 'vscode';
import { specOf, type BatchForm } from '../../core/batch/batchForm';
import { batchInputsOf, type BatchInputs } from '../../core/batch/batchInputs';
import { inputChoices } from '../../core/batch/inputChoices';
import type { BatchPlan } from '../../core/batch/planBatch';
import { partnerWords } from '../../core/batch/batchWords';
import { planForm, previewTable } from '../../core/batch/planForm';
import { writeBatchFile } from '../../core/batch/writeBatchFile';
import type { Catalog } from '../../core/catalog/catalog';
import { coalesce } from '../../core/jobs/coalesce';
import { estimateText } from '../../core/safety/timeText';
import { listText, t } from '../../core/safety/localize';
import type { Secrets } from '../../core/safety/secrets';
import { shown } from '../../core/safety/shownText';
import { seedsOf } from '../../core/workflow/seeds';
import type { BatchPreview, FromBatchForm, ToBatchForm } from '../../webview/contract/batchEntry';
import { panelFolder, panelIcon, panelPage } from '../platform/panelPage';
import { isCancellation, UserProblem } from '../platform/problems';
import { requireTrust } from '../runs/requireTrust';
import { nameOf, readSource } from '../platform/workflowSource';
import type { Batches } from './batches';
import type { BatchFormFile } from './batchFormFile';
import { readFormMessage } from './batchMessages';
import type { BatchTimes, TimedServer } from './batchTimes';
import { pickTextFile, textFilesIn } from './batchTextFiles';

/** A changed form is planned at most this often (ms). */
const planEvery = 200;
/** Rows of the table that are shown. */
const mostRows = 50;
/** Runs of a new form, if the workflow has seeds. */
const usualCount = '4';

/** A server to choose, by its name in a batch file. */
export interface FormServer extends TimedServer {
  readonly id: string;
  readonly isCurrent: boolean;
}

export interface BatchFormParts {
  readonly secrets: Secrets;
  readonly file: BatchFormFile;
  readonly servers: () => readonly FormServer[];
  /** The node definitions of the current server. */
  readonly catalog: () => Promise<Catalog | undefined>;
  /** The definitions, the servers or the earlier runs have changed. */
  readonly onDidChange: vscode.Event<unknown>;
  readonly times: BatchTimes;
  readonly batches: Pick<Batches, 'start'>;
  readonly showBatch: (id: string) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** The Run Batch form of one workflow: plans what is entered, saves it and starts it. */
export class BatchFormPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #parts: BatchFormParts;
  readonly #plan: ReturnType<typeof coalesce>;
  #planning = new AbortController();
  #form: BatchForm | undefined;
  #revision = 0;
  #setup = '';
  #isStarting = false;
  #isClosed = false;

  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, parts: BatchFormParts) {
    this.#panel = panel;
    this.#parts = parts;
    this.#plan = coalesce(() => this.#guard(() => this.#preview()), planEvery);
    const { workflow } = parts.file;
    const subscriptions = [
      panel.webview.onDidReceiveMessage((raw: unknown) => {
        const message = readFormMessage(raw);
        if (message) this.#guard(() => this.#receive(message));
      }),
      parts.onDidChange(() => this.#somethingChanged()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.toString() === workflow.toString() && this.#form) this.#plan();
      }),
    ];
    panel.onDidDispose(() => {
      this.#isClosed = true;
      this.#plan.cancel();
      this.#planning.abort();
      for (const subscription of subscriptions) subscription.dispose();
    });
    panel.iconPath = panelIcon(extensionUri);
    panel.webview.options = { enableScripts: true, localResourceRoots: [panelFolder(extensionUri)] };
    panel.webview.html = panelPage(panel.webview, extensionUri, {
      title: t`Run Batch`,
      name: 'batch',
      allows: {},
    });
  }

  #guard(action: () => Promise<void>): void {
    action().catch((error: unknown) => {
      if (!isCancellation(error)) this.#parts.onError(error);
    });
  }

  #somethingChanged(): void {
    this.#parts.times.forget();
    if (this.#form) this.#plan();
  }

  async #receive(message: FromBatchForm): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#setup = '';
        await this.#begin(message.form ?? this.#form);
        return;
      case 'change':
        this.#form = message.form;
        this.#revision = message.revision;
        this.#plan();
        return;
      case 'pickFile': {
        const picked = await pickTextFile(this.#folder);
        if (picked) this.#post({ type: 'picked', ...picked });
        return;
      }
      case 'save':
        await this.#save(message.form);
        return;
      case 'run': {
        // The second click of a double click.
        if (this.#isStarting) return;
        this.#isStarting = true;
        await this.#run(message.form).finally(() => (this.#isStarting = false));
      }
    }
  }

  async #run(form: BatchForm): Promise<void> {
    requireTrust();
    if (!(await this.#save(form))) return;
    const { batches, file, showBatch } = this.#parts;
    const id = await batches.start(file.file, form.servers);
    if (id !== undefined) await showBatch(id);
  }

  /** Shows what the page had, or the batch file, or else a new form. */
  async #begin(entered: BatchForm | undefined): Promise<void> {
    const { file } = this.#parts;
    const known = await this.#postSetup();
    const isFirst = this.#form === undefined;
    const own = this.#parts.servers().flatMap(({ id, isCurrent }) => (isCurrent ? [id] : []));
    // Read even if the page has a form: what it does not show is kept when it is saved.
    const opened = isFirst ? await file.open(known?.inputs ?? [], own, entered === undefined) : undefined;
    const hasSeeds =
      known !== undefined && seedsOf(known.read.prompt, await this.#parts.catalog()).length > 0;
    const fresh = { count: hasSeeds ? usualCount : '', axes: [], servers: own, window: '' };
    this.#form = entered ?? opened ?? fresh;
    this.#post({ type: 'form', form: this.#form });
    this.#plan();
  }

  /** The inputs to choose from, and the servers; nothing if the workflow can't be read now. */
  async #postSetup(): Promise<BatchInputs | undefined> {
    const { file, servers, catalog } = this.#parts;
    const { workflow } = await readSource(file.workflow);
    const known = batchInputsOf(workflow, await catalog());
    const message: ToBatchForm = {
      type: 'setup',
      setup: {
        workflow: nameOf(file.workflow),
        file: nameOf(file.file),
        uri: file.file.toString(),
        choices: known.kind === 'inputs' ? inputChoices(known.inputs, workflow.text) : [],
        servers: servers().map(({ id, name }) => ({ id, name })),
      },
    };
    const text = JSON.stringify(message);
    if (text !== this.#setup) this.#post(message);
    this.#setup = text;
    return known.kind === 'inputs' ? known : undefined;
  }

  async #preview(): Promise<void> {
    this.#planning.abort();
    this.#planning = new AbortController();
    const { signal } = this.#planning;
    const [form, revision] = [this.#form, this.#revision];
    // What was on its way when the form was closed may ask for a plan even now.
    if (!form || this.#isClosed) return;
    await this.#postSetup();
    const { file, catalog } = this.#parts;
    const { workflow } = await readSource(file.workflow);
    const readText = textFilesIn(this.#folder);
    const { plan, problems } = await planForm({ workflow, form, catalog: await catalog(), readText, signal });
    const table = plan && (await this.#tableOf(plan, form, signal));
    if (!signal.aborted) this.#post({ type: 'preview', revision, preview: { table, problems } });
  }

  async #tableOf(plan: BatchPlan, form: BatchForm, signal: AbortSignal): Promise<BatchPreview['table']> {
    const { times, servers } = this.#parts;
    const time = await times.of(
      plan.rows,
      form.servers.map((id) => servers().find((each) => each.id === id) ?? { name: id, origin: id }),
      signal,
    );
    return {
      ...previewTable(plan, form.count.trim() !== '', mostRows),
      count: plan.rows,
      facts: [
        time.kind === 'time'
          ? t`Estimated time: ${estimateText(time.ms)}, based on earlier runs of this workflow.`
          : t`No time estimate yet for ${listText(time.servers)}.`,
        ...plan.partners.map(partnerWords),
      ],
    };
  }

  /** @throws UserProblem for a form that can't be written down */
  async #save(form: BatchForm): Promise<boolean> {
    const { file, catalog } = this.#parts;
    const { workflow } = await readSource(file.workflow);
    const known = batchInputsOf(workflow, await catalog());
    const { spec, problems } = specOf(form, known.kind === 'inputs' ? known.inputs : []);
    const [first] = problems;
    if (first) throw new UserProblem(shown`The batch is incomplete.`, shown`${first.message}`);
    const text = writeBatchFile(nameOf(file.workflow), form, spec, file.opened);
    const isSaved = await file.save(text, form);
    if (isSaved) this.#post({ type: 'saved' });
    return isSaved;
  }

  get #folder(): vscode.Uri {
    return vscode.Uri.joinPath(this.#parts.file.file, '..');
  }

  #post(message: ToBatchForm): void {
    if (!this.#isClosed) void this.#panel.webview.postMessage(this.#parts.secrets.hideDeep(message));
  }
}
