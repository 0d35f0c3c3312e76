import * as vscode from 'vscode';
import { nodeGivenName, type Job, type JobFile } from '../../core/jobs/job';
import { jobToFollow } from '../../core/jobs/jobGroups';
import { filesNotSaved, filesWorthShowing } from '../../core/outputs/outputNames';
import type { OutputFile } from '../../core/protocol/outputFile';
import { t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import { shown, type Shown } from '../../core/safety/shownText';
import {
  type FromPreview,
  type OutputAction,
  type PreviewJob,
  previewMessages,
  type PreviewOutput,
  type PreviewRefusal,
  type ToPreview,
} from '../../webview/contract/preview';
import { savesTemporary, jobSourceUri } from '../outputs/savingShown';
import { documentsInSight } from '../platform/activeDocument';
import { commands } from '../platform/contributions';
import { definedFields } from '../platform/defined';
import { isThereOrOpen, openFile, revealFile, saveFileAs } from '../platform/openFile';
import { Panel } from '../platform/panel';
import type { Platform } from '../platform/platform';
import { workflowIn } from '../platform/readWorkflow';
import { rangeAt } from '../platform/editorRanges';
import type { RefusedRun } from '../runs/runAnswers';
import { showNode } from '../runs/showNode';
import type { Runs } from '../runs/runs';
import type { WindowRuns } from '../runs/windowRuns';
import type { JobPreview } from '../../core/jobs/eventJob';
import { FramePacer } from './framePacer';
import { previewJob, previewRefusal, previousPicture, tabState, type OutputPlace } from './previewModel';
import { isWorkflowDocument, uriName } from '../platform/workflowSource';
import { jobFileKey } from '../../core/jobs/jobOutputs';

/** State is sent to the panel at most this often (ms); frames have their own pace. */
const refreshEvery = 100;

/** A panel follows the running job of its window until it is opened for a specific one. */
export class PreviewPanel extends Panel<FromPreview, ToPreview> {
  readonly #pacer = new FramePacer((serial, frame) => this.#postFrame(serial, frame));
  readonly #refresh: () => void;
  #jobId: string | undefined;
  #following = true;

  constructor(
    panel: vscode.WebviewPanel,
    platform: Platform,
    private readonly runs: Runs,
  ) {
    const { servers, answers, windowRuns } = runs;
    const ownAndBlobs = `${panel.webview.cspSource} blob:`;
    super(panel, platform, {
      title: t`Comfy Deck Preview`,
      name: 'preview',
      allows: { 'img-src': ownAndBlobs, 'media-src': ownAndBlobs },
      bodyClass: 'waiting',
      messages: previewMessages,
      folders: previewFolders(windowRuns),
    });
    this.#refresh = this.paced(refreshEvery, () => this.#postState());
    const { temporary } = windowRuns;
    const onOutputs = (jobId: string): void => {
      this.allow(previewFolders(windowRuns));
      this.#onJobs([], [jobId]);
    };
    this.own(
      new vscode.Disposable(
        windowRuns.runs.onDidChange(({ added, changed }, run) => {
          if (run) this.allow(previewFolders(windowRuns));
          this.#onJobs(added, changed);
        }),
      ),
      temporary.onDidChange(onOutputs),
      servers.sessions.onDidChangeSilence(() => {
        this.#follow();
        this.#refresh();
      }),
      answers.onDidChange(() => this.#refresh()),
      servers.sessions.onPreview((frame) => {
        if (this.shows(frame.jobId)) this.#pacer.offer(frame);
      }),
    );
  }

  /** Shows a specific job or, without one, what runs from now on. */
  show(jobId?: string): void {
    this.#following = jobId === undefined;
    if (jobId === undefined) this.#follow();
    else {
      this.runs.answers.forget();
      this.#switchTo(jobId);
    }
    this.#refresh();
  }

  shows(jobId: string): boolean {
    return this.isVisible && jobId === this.#jobId;
  }

  /**
   * Runs the file of what is shown, in its current state; if the file is gone, what was sent. While nothing is shown,
   * the workflow beside the panel: to VS Code, no editor is active while the panel is.
   */
  async run(): Promise<void> {
    const job = this.#shownJob();
    const file = this.runs.answers.last?.uri ?? (job && (await sourceThatIsThere(job)));
    if (file === undefined && job !== undefined)
      return vscode.commands.executeCommand(commands.runAgain, job.id);
    const uri = file ?? documentsInSight().find(isWorkflowDocument)?.uri;
    await vscode.commands.executeCommand(commands.run, ...(uri === undefined ? [] : [uri]));
  }

  #follow(): void {
    if (!this.#following) return;
    const { servers, windowRuns } = this.runs;
    const isSilent = ({ server }: Job): boolean => servers.sessions.silenceOf(server) !== undefined;
    const job = jobToFollow(windowRuns.runs.jobs(), this.#jobId, isSilent);
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

  #postFrame(serial: number, frame: JobPreview): void {
    const nodeName =
      frame.nodeId === undefined ? '' : (nodeGivenName(this.#shownJob()?.origin, frame.nodeId) ?? '');
    // A copy: the socket's buffer may be a slice of a larger one, which would be transferred completely.
    const image = new Uint8Array(frame.image);
    this.post({ type: 'frame', serial, jobId: frame.jobId, nodeName, mime: frame.mime, image });
  }

  #postState(): void {
    if (!this.isReady) return;
    const job = this.#shownJob();
    const passing = new Set(job && this.#passing(job));
    const view =
      job &&
      previewJob(
        job,
        this.runs.servers.nameOf(job.server),
        (file) => this.#outputPlace(job, file, !passing.has(file)),
        this.runs.servers.sessions.silenceOf(job.server),
      );
    const refused = this.runs.answers.last;
    const refusal = refused ? previewRefusal(refused) : null;
    this.setTitle(previewTitle(view, refusal));
    this.post({ type: 'show', job: view ?? null, refusal });
  }

  /** Temporary outputs that are not saved. */
  #passing(job: Job): readonly OutputFile[] {
    const files = filesNotSaved(job, savesTemporary(jobSourceUri(job)));
    return files.filter((file) => this.runs.windowRuns.savedUri(job.id, file) === undefined);
  }

  /** @param isKept it is saved, or will be */
  #outputPlace(job: Job, file: JobFile, isKept: boolean): OutputPlace {
    const { windowRuns } = this.runs;
    const { runs, temporary } = windowRuns;
    const found = windowRuns.outputUri(job.id, file);
    const passing = isKept ? {} : { temporary: true as const };
    if (!found) {
      return { ...passing, fetching: runs.isSaving(job.id) || temporary.isFetching(job.id) };
    }
    return { ...passing, source: this.address(found), previous: this.#previous(job, file) };
  }

  #previous(job: Job, file: JobFile): PreviewOutput['previous'] {
    const { windowRuns } = this.runs;
    const isSaved = (id: string, other: JobFile): boolean => windowRuns.savedUri(id, other) !== undefined;
    const earlier = previousPicture(windowRuns.runs.jobs(), job, file, isSaved);
    const picture = earlier && windowRuns.savedUri(earlier.job.id, earlier.file);
    return picture && { source: this.address(picture), name: plainText(uriName(picture)) };
  }

  #shownJob(): Job | undefined {
    return this.#jobId === undefined ? undefined : this.#namedJob(this.#jobId);
  }

  #namedJob(jobId: string): Job | undefined {
    return this.runs.windowRuns.runs.job(jobId);
  }

  protected override async receive(message: FromPreview): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#pacer.reset();
        if (message.jobId !== undefined && this.#jobId === undefined) this.#jobId = message.jobId;
        if (this.#shownJob() === undefined) this.#follow();
        this.#postState();
        return;
      case 'selected': {
        const job = this.#namedJob(message.jobId);
        this.runs.windowRuns.temporary.look(message.jobId, job && outputWithKey(job, message.key));
        return;
      }
      case 'framePainted':
        this.#pacer.painted(message.serial);
        return;
      case 'run':
        return this.run();
      case 'runAgain':
        return vscode.commands.executeCommand(
          message.seeds === 'keep' ? commands.runAgain : commands.runAgainWithNewSeeds,
          message.jobId,
        );
      case 'showProblems':
        return vscode.commands.executeCommand('workbench.actions.view.problems');
      case 'goToProblem': {
        const refused = this.runs.answers.last;
        return refused && goToProblem(refused, message.index);
      }
      case 'cancel':
        return vscode.commands.executeCommand(commands.cancelJobs, message.jobId);
      case 'showReport':
        return vscode.commands.executeCommand(commands.showError, message.jobId);
      case 'goToNode': {
        const job = this.#namedJob(message.jobId);
        return job && showNode(job, message.nodeId);
      }
      case 'output':
        return this.#actOnOutput(message.action, message.jobId, message.key);
    }
  }

  async #actOnOutput(action: OutputAction, jobId: string, key: string): Promise<void> {
    const job = this.#namedJob(jobId);
    if (action === 'fetch') return vscode.commands.executeCommand(commands.saveOutputs, jobId);
    const text = job && previewJob(job, '', () => ({})).outputs.find((output) => output.key === key)?.text;
    if (text !== undefined) return vscode.env.clipboard.writeText(text);
    const file = job && outputWithKey(job, key);
    const saved = file && this.runs.windowRuns.outputUri(jobId, file);
    if (saved === undefined) return;
    switch (action) {
      case 'open':
        return openFile(saved);
      case 'reveal':
        return revealFile(saved);
      case 'copy':
        return vscode.env.clipboard.writeText(saved.scheme === 'file' ? saved.fsPath : saved.toString());
      case 'saveAs':
        return saveFileAs(saved);
    }
  }
}

function outputWithKey(job: Job, key: string): OutputFile | undefined {
  return filesWorthShowing(job).find((file) => jobFileKey(file) === key);
}

function previewTitle(job: PreviewJob | undefined, refusal: PreviewRefusal | null): Shown {
  if (refusal) return shown`${refusal.title} (Not Run)`;
  return job ? shown`${job.title} (${tabState(job)})` : shown`Comfy Deck Preview`;
}

/** The workflow file of a job; undefined when there is none, or it is gone. */
async function sourceThatIsThere(job: Job): Promise<vscode.Uri | undefined> {
  const uri = jobSourceUri(job);
  return uri && (await isThereOrOpen(uri)) ? uri : undefined;
}

function previewFolders({ places, temporary }: WindowRuns): readonly vscode.Uri[] {
  return [...places.all(), temporary.folder];
}

/** Opens the file of a run that did not start, at a problem. */
async function goToProblem({ uri, places }: RefusedRun, index: number): Promise<void> {
  const place = places[index];
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.One,
    ...definedFields({ selection: place && rangeAt(workflowIn(document).positions, place) }),
  });
}
