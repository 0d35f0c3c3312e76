import * as vscode from 'vscode';
import { type BatchForm, batchSpecFromForm, planForm, previewTable } from '../../core/batch/batchForm';
import { type BatchInputs, inputChoices, readBatchInputs } from '../../core/batch/batchInputs';
import { type BatchTimes, type TimedServer, timeWords } from '../../core/batch/batchTime';
import { type BatchPlan, partnerWords } from '../../core/batch/planBatch';
import { writeBatchFile } from '../../core/batch/writeBatchFile';
import type { Catalog } from '../../core/catalog/catalog';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { findSeeds } from '../../core/workflow/seeds';
import {
  type BatchPreview,
  formMessages,
  type FromBatchForm,
  type ToBatchForm,
} from '../../webview/contract/batchEntry';
import { commands } from '../platform/contributions';
import { Panel, type PanelPlatform } from '../platform/panel';
import { UserProblem } from '../platform/problems';
import { requireTrust } from '../platform/requireTrust';
import { uriName, readSource } from '../platform/workflowSource';
import type { BatchFormFile } from './batchFormFile';
import { pickTextFile, textFilesOf } from './batchSource';
import { isSameUri } from '../platform/sameUri';

/** A changed form is planned at most this often (ms). */
const planEvery = 200;
const mostRows = 50;
/** Runs of a new form, if the workflow has seeds. */
const usualCount = '4';

export interface FormServer extends TimedServer {
  readonly id: string;
  readonly isCurrent: boolean;
}

export interface FormSources {
  readonly servers: () => readonly FormServer[];
  readonly catalog: () => Promise<Catalog | undefined>;
  readonly onDidChange: vscode.Event<unknown>;
  readonly times: BatchTimes;
}

/** @param text what the batch file would contain @returns the ID of the batch; undefined if it did not start */
export type StartBatch = (
  servers: readonly string[] | undefined,
  text: string,
) => Promise<string | undefined>;

/** The Set Up Batch form of one workflow: plans what is entered, starts it, and saves it when asked to. */
export class BatchFormPanel extends Panel<FromBatchForm, ToBatchForm> {
  readonly #plan: () => void;
  #planning = new AbortController();
  #form: BatchForm | undefined;
  #revision = 0;
  #preview: BatchPreview | undefined;
  #setup = '';
  #isStarting = false;

  constructor(
    panel: vscode.WebviewPanel,
    parts: PanelPlatform,
    private readonly file: BatchFormFile,
    private readonly sources: FormSources,
    private readonly start: StartBatch,
  ) {
    super(panel, parts, {
      title: t`Set Up Batch`,
      name: 'batch',
      allows: {},
      messages: formMessages,
      folders: [],
    });
    this.#plan = this.paced(planEvery, () => this.#planNow());
    this.own(
      sources.onDidChange(() => {
        sources.times.forget();
        if (this.#form) this.#plan();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isSameUri(document.uri, file.workflow) && this.#form) this.#plan();
      }),
      { dispose: () => this.#planning.abort() },
    );
  }

  protected override async receive(message: FromBatchForm): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#setup = '';
        // The page counts anew.
        this.#revision = 0;
        await this.#begin(message.form ?? this.#form);
        return;
      case 'change':
        this.#form = message.form;
        this.#revision = message.revision;
        this.#plan();
        return;
      case 'pickFile': {
        const picked = await pickTextFile(vscode.Uri.joinPath(this.file.file, '..'));
        if (picked) this.post({ type: 'picked', ...picked });
        return;
      }
      case 'save':
        if (await this.file.save(await this.#textOf(message.form), message.form))
          this.post({ type: 'saved' });
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
    const id = await this.start(form.servers, await this.#textOf(form));
    if (id !== undefined) await vscode.commands.executeCommand(commands.openBatch, id);
  }

  async #begin(entered: BatchForm | undefined): Promise<void> {
    const known = await this.#postSetup();
    const isFirst = this.#form === undefined;
    const own = this.sources.servers().flatMap(({ id, isCurrent }) => (isCurrent ? [id] : []));
    // Read even if the page has a form, because members that it doesn't show are kept when it is saved.
    const opened = isFirst
      ? await this.file.open(known?.inputs ?? [], own, entered === undefined)
      : undefined;
    const hasSeeds =
      known !== undefined && findSeeds(known.read.prompt, await this.sources.catalog()).length > 0;
    const fresh = { count: hasSeeds ? usualCount : '', axes: [], servers: own, window: '' };
    this.#form = entered ?? opened ?? fresh;
    this.post({ type: 'form', form: this.#form });
    if (this.#preview) this.post({ type: 'preview', revision: 0, preview: this.#preview });
    this.#plan();
  }

  /** The inputs to choose from, and the servers; nothing if the workflow can't be read now. */
  async #postSetup(): Promise<BatchInputs | undefined> {
    const { file, sources } = this;
    const { workflow } = await readSource(file.workflow);
    const known = readBatchInputs(workflow, await sources.catalog());
    const message: ToBatchForm = {
      type: 'setup',
      setup: {
        workflow: uriName(file.workflow),
        file: uriName(file.file),
        uri: file.file.toString(),
        choices: known.kind === 'inputs' ? inputChoices(known.inputs, workflow.text) : [],
        servers: sources.servers().map(({ id, name }) => ({ id, name })),
      },
    };
    const text = JSON.stringify(message);
    if (text !== this.#setup) this.post(message);
    this.#setup = text;
    return known.kind === 'inputs' ? known : undefined;
  }

  async #planNow(): Promise<void> {
    this.#planning.abort();
    this.#planning = new AbortController();
    const { signal } = this.#planning;
    const [form, revision] = [this.#form, this.#revision];
    // A request that was on its way when the form was closed may ask for a plan even now.
    if (!form || !this.isReady) return;
    await this.#postSetup();
    const { workflow } = await readSource(this.file.workflow);
    const current = this.sources.servers().find(({ isCurrent }) => isCurrent)?.id;
    const { plan, problems } = await planForm({
      workflow,
      form,
      catalog: await this.sources.catalog(),
      hasOthers: form.servers.some((id) => id !== current),
      readText: textFilesOf(this.file.file),
      signal,
    });
    const table = plan && (await this.#tableOf(plan, form, signal));
    if (signal.aborted) return;
    this.#preview = { table, problems };
    this.post({ type: 'preview', revision, preview: this.#preview });
  }

  async #tableOf(plan: BatchPlan, form: BatchForm, signal: AbortSignal): Promise<BatchPreview['table']> {
    const { times, servers } = this.sources;
    const time = await times.of(
      plan,
      form.servers.map((id) => servers().find((each) => each.id === id) ?? { name: id, origin: id }),
      signal,
    );
    return {
      ...previewTable(plan, form.count.trim() !== '', mostRows),
      count: plan.rows,
      facts: [timeWords(time), ...plan.partners.map(partnerWords)],
    };
  }

  /** The form as a batch file. @throws UserProblem for what can't be written down */
  async #textOf(form: BatchForm): Promise<string> {
    const { file } = this;
    const { workflow } = await readSource(file.workflow);
    const known = readBatchInputs(workflow, await this.sources.catalog());
    const { spec, problems } = batchSpecFromForm(form, known.kind === 'inputs' ? known.inputs : []);
    const [first] = problems;
    if (first) throw new UserProblem(shown`The batch is incomplete.`, shown`${first.message}`);
    return writeBatchFile(uriName(file.workflow), form, spec, file.opened);
  }
}
