import * as vscode from 'vscode';
import { coalesce } from '../../core/jobs/coalesce';
import type { Job, JobFile } from '../../core/jobs/job';
import { jobToFollow } from '../../core/jobs/jobGroups';
import { filesNotKept, filesWorthShowing } from '../../core/outputs/outputNames';
import type { OutputFile } from '../../core/protocol/outputFile';
import { t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import { shown, type Shown } from '../../core/safety/shownText';
import type {
  FromPreview,
  OutputAction,
  PreviewJob,
  PreviewOutput,
  PreviewRefusal,
  ToPreview,
} from '../../webview/contract/preview';
import { commands } from '../platform/contributions';
import { openFile, revealFile } from '../platform/openFile';
import { panelFolder, panelIcon, panelPage } from '../platform/panelPage';
import { FramePacer, type PreviewFrame } from './framePacer';
import { readPreviewMessage } from './previewMessage';
import { previewOf, refusalOf, tabState, type OutputPlace } from './previewModel';
import { previousPicture } from './previousPicture';
import type { PreviewSources } from './previewSources';
import { setPanelTitle } from '../platform/showItems';
import { isWorkflowDocument, nameOf } from '../platform/workflowSource';
import { fileKey } from '../../core/jobs/jobOutputs';

/** State is sent to the panel at most this often (ms); frames have their own pace. */
const refreshEvery = 100;

/**
 * One preview panel. It follows the job of this window that runs until it shows a specific one; then it stays with that
 * until opened again without a job.
 */
export class PreviewPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #sources: PreviewSources;
  readonly #extensionUri: vscode.Uri;
  readonly #pacer = new FramePacer((serial, frame) => this.#postFrame(serial, frame));
  readonly #refresh: ReturnType<typeof coalesce>;
  readonly #subscriptions: vscode.Disposable[] = [];
  #jobId: string | undefined;
  #following = true;
  #ready = false;

  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, sources: PreviewSources) {
    this.#panel = panel;
    this.#sources = sources;
    this.#extensionUri = extensionUri;
    this.#refresh = coalesce(() => this.#postState(), refreshEvery);
    this.#allowOutputFolders();
    this.#subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      new vscode.Disposable(sources.jobs.onDidChange(({ added, changed }) => this.#onJobs(added, changed))),
      sources.onDidSave((jobId) => {
        this.#allowOutputFolders();
        this.#onJobs([], [jobId]);
      }),
      sources.onDidChangeSilence(() => {
        this.#follow();
        this.#refresh();
      }),
      sources.refused.onDidChange(() => this.#refresh()),
      sources.onPreview((frame) => this.#onFrame(frame)),
      new vscode.Disposable(() => this.#refresh.cancel()),
    );
    panel.onDidDispose(() => {
      for (const subscription of this.#subscriptions) subscription.dispose();
    });
    panel.iconPath = panelIcon(extensionUri);
    const ownAndBlobs = `${panel.webview.cspSource} blob:`;
    panel.webview.html = panelPage(panel.webview, extensionUri, {
      title: t`Comfy Deck Preview`,
      name: 'preview',
      allows: { 'img-src': ownAndBlobs, 'media-src': ownAndBlobs },
      bodyClass: 'empty',
    });
  }

  /** Shows a specific job or, without one, what runs from now on. */
  show(jobId?: string): void {
    this.#following = jobId === undefined;
    if (jobId === undefined) this.#follow();
    else {
      this.#sources.refused.forget();
      this.#switchTo(jobId);
    }
    this.#refresh();
  }

  /**
   * Runs the file of what is shown, in its current state; if the file is gone, what was sent. While nothing is shown,
   * the workflow beside the panel: to VS Code, no editor is active while the panel is.
   */
  async run(): Promise<void> {
    const job = this.#job();
    const file = this.#sources.refused.last?.uri ?? (job && (await sourceThatIsThere(job)));
    if (file === undefined && job !== undefined)
      return vscode.commands.executeCommand(commands.runAgain, job.id);
    const uri =
      file ?? vscode.window.visibleTextEditors.map(({ document }) => document).find(isWorkflowDocument)?.uri;
    await vscode.commands.executeCommand(commands.run, ...(uri === undefined ? [] : [uri]));
  }

  /** Only for a new folder, such as one just selected: changing these options reloads the page. */
  #allowOutputFolders(): void {
    const roots = [panelFolder(this.#extensionUri), ...this.#sources.outputFolders()];
    const allowed = new Set(this.#panel.webview.options.localResourceRoots?.map(String));
    if (roots.every((root) => allowed.has(root.toString()))) return;
    this.#panel.webview.options = { enableScripts: true, localResourceRoots: roots };
  }

  #follow(): void {
    if (!this.#following) return;
    const sources = this.#sources;
    const isSilent = ({ server }: Job): boolean => sources.silenceOf(server) !== undefined;
    const job = jobToFollow(sources.jobs.jobs(), this.#jobId, isSilent);
    this.#switchTo(job?.id);
  }

  #switchTo(jobId: string | undefined): void {
    if (jobId === this.#jobId) return;
    this.#pacer.reset();
    this.#jobId = jobId;
    this.#refresh();
  }

  #onJobs(added: readonly string[], changed: readonly string[]): void {
    this.#follow();
    if (this.#jobId !== undefined && (added.includes(this.#jobId) || changed.includes(this.#jobId)))
      this.#refresh();
  }

  #onFrame(frame: PreviewFrame): void {
    if (this.#ready && this.#panel.visible && frame.jobId === this.#jobId) this.#pacer.offer(frame);
  }

  #postFrame(serial: number, frame: PreviewFrame): void {
    const names = this.#job()?.origin?.nodeNames ?? {};
    const nodeName = frame.nodeId === undefined ? '' : (names[frame.nodeId] ?? '');
    // A copy: the socket's buffer may be a slice of a larger one, which would be transferred completely.
    const image = new Uint8Array(frame.image);
    this.#post({ type: 'frame', serial, jobId: frame.jobId, nodeName, mime: frame.mime, image });
  }

  #postState(): void {
    if (!this.#ready) return;
    const job = this.#job();
    const passing = new Set(job && this.#passing(job));
    const view =
      job &&
      previewOf(
        job,
        this.#sources.serverName(job.server),
        (file) => this.#place(job, file, !passing.has(file)),
        this.#sources.silenceOf(job.server),
      );
    const refused = this.#sources.refused.last;
    const refusal = refused ? refusalOf(refused) : null;
    setPanelTitle(this.#panel, titleOf(view, refusal));
    this.#post({ type: 'show', job: view ?? null, refusal });
  }

  /** Temporary outputs that are not saved. */
  #passing(job: Job): readonly OutputFile[] {
    const sources = this.#sources;
    const files = filesNotKept(job, sources.savesTemporary(job));
    return files.filter((file) => sources.savedOutput(job.id, file) === undefined);
  }

  /** @param isKept it is saved, or will be */
  #place(job: Job, file: JobFile, isKept: boolean): OutputPlace {
    const sources = this.#sources;
    const { temporary } = sources;
    const found = sources.savedOutput(job.id, file) ?? temporary.find(job.id, file);
    const passing = isKept ? {} : { temporary: true as const };
    if (!found) return { ...passing, fetching: sources.isSaving(job.id) || temporary.isFetching(job.id) };
    const previous = this.#previous(job, file);
    return { ...passing, source: this.#address(found), previous };
  }

  #previous(job: Job, file: JobFile): PreviewOutput['previous'] {
    const sources = this.#sources;
    const isSaved = (id: string, other: JobFile): boolean => sources.savedOutput(id, other) !== undefined;
    const earlier = previousPicture(sources.jobs.jobs(), job, file, isSaved);
    const saved = earlier && sources.savedOutput(earlier.job.id, earlier.file);
    return saved && { source: this.#address(saved), name: plainText(nameOf(saved)) };
  }

  #address(file: vscode.Uri): string {
    return this.#panel.webview.asWebviewUri(file).toString();
  }

  #job(): Job | undefined {
    return this.#jobId === undefined ? undefined : this.#sources.jobs.get(this.#jobId);
  }

  #post(message: ToPreview): void {
    void this.#panel.webview.postMessage(this.#sources.secrets.hideDeep(message));
  }

  #receive(raw: unknown): void {
    const message = readPreviewMessage(raw);
    if (message === undefined) return;
    this.#sources.guard(() => this.#act(message));
  }

  async #act(message: FromPreview): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#pacer.reset();
        if (message.jobId !== undefined && this.#jobId === undefined) this.#jobId = message.jobId;
        if (this.#job() === undefined) this.#follow();
        this.#postState();
        return;
      case 'selected': {
        const job = this.#sources.jobs.get(message.jobId);
        this.#sources.temporary.look(message.jobId, job && outputOf(job, message.key));
        return;
      }
      case 'framePainted':
        this.#pacer.painted(message.serial);
        return;
      case 'run':
        return this.run();
      case 'runAgain':
        await vscode.commands.executeCommand(
          message.seeds === 'keep' ? commands.runAgain : commands.runAgainWithNewSeeds,
          message.jobId,
        );
        return;
      case 'showProblems':
        await vscode.commands.executeCommand('workbench.actions.view.problems');
        return;
      case 'goToProblem': {
        const refused = this.#sources.refused.last;
        return refused && this.#sources.goToProblem(refused, message.index);
      }
      case 'cancel':
        await vscode.commands.executeCommand(commands.cancelJobs, message.jobId);
        return;
      case 'showReport':
        await vscode.commands.executeCommand(commands.showError, message.jobId);
        return;
      case 'goToNode':
        return this.#sources.goToNode(message.jobId, message.nodeId);
      case 'output':
        return this.#actOnOutput(message.action, message.jobId, message.key);
    }
  }

  async #actOnOutput(action: OutputAction, jobId: string, key: string): Promise<void> {
    const job = this.#sources.jobs.get(jobId);
    if (action === 'fetch') {
      await vscode.commands.executeCommand(commands.saveOutputs, jobId);
      return;
    }
    const text = job && previewOf(job, '', () => ({})).outputs.find((output) => output.key === key)?.text;
    if (text !== undefined) return vscode.env.clipboard.writeText(text);
    const file = job && outputOf(job, key);
    const saved =
      file && (this.#sources.savedOutput(jobId, file) ?? this.#sources.temporary.find(jobId, file));
    if (saved === undefined) return;
    switch (action) {
      case 'open':
        return openFile(saved);
      case 'reveal':
        return revealFile(saved);
      case 'copy':
        return vscode.env.clipboard.writeText(saved.scheme === 'file' ? saved.fsPath : saved.toString());
      case 'saveAs': {
        const target = await vscode.window.showSaveDialog({ defaultUri: saved, title: t`Save Output As` });
        if (target !== undefined && target.toString() !== saved.toString())
          await vscode.workspace.fs.copy(saved, target, { overwrite: true });
      }
    }
  }
}

function outputOf(job: Job, key: string): OutputFile | undefined {
  return filesWorthShowing(job).find((file) => fileKey(file) === key);
}

function titleOf(job: PreviewJob | undefined, refusal: PreviewRefusal | null): Shown {
  if (refusal) return shown`${refusal.title} (Not Run)`;
  return job ? shown`${job.title} (${tabState(job)})` : shown`Comfy Deck Preview`;
}

/** The workflow file of a job; undefined when there is none, or it is gone. */
async function sourceThatIsThere({ origin }: Job): Promise<vscode.Uri | undefined> {
  if (origin?.sourceUri === undefined) return undefined;
  const uri = vscode.Uri.parse(origin.sourceUri);
  if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString()))
    return uri;
  try {
    await vscode.workspace.fs.stat(uri);
    return uri;
  } catch {
    return undefined;
  }
}
