import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../core/jobs/job';
import { runsBefore } from '../../core/jobs/jobWords';
import {
  filesNotSaved,
  filesWorthSaving,
  filesWorthShowing,
  isTemporary,
} from '../../core/outputs/outputNames';
import type { OutputFile } from '../../core/protocol/outputFile';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { mapDefined } from '../../core/safety/lists';
import { t } from '../../core/safety/localize';
import { savesTemporary, jobSourceUri } from '../outputs/savingShown';
import type { WindowRuns } from '../runs/windowRuns';
import { commands } from '../platform/contributions';
import { uriName } from '../platform/workflowSource';
import type { Servers } from '../servers/servers';
import { holdsAnswer, jobRow, nodesToList, outputRow, rowOfNode } from './jobRow';
import type { JobsShown } from './jobsShown';
import { rowTreeItem, onceKnownRow, type Row } from './jobTree';
import type { RunDifferences } from './runDifferences';
import type { TooltipPictures } from './tooltipPictures';

const tooltipPictures = 6;

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

interface JobItemRuns extends Pick<WindowRuns, 'runs' | 'temporary' | 'savedUri' | 'outputUri'> {
  readonly servers: Pick<Servers, 'details' | 'foreignNameOf' | 'sessions'>;
}

/** The rows of jobs, and of the outputs and nodes below them, with what each shows now. */
export class JobItems {
  readonly #rows = new Map<string, Row>();
  #before: ReadonlyMap<string, Job> = new Map();
  /** Loaded when a failure holds a server's answer. */
  #failureWords: ((failure: ExecutionFailure) => string) | undefined;

  constructor(
    private readonly runs: JobItemRuns,
    private readonly shown: Pick<JobsShown, 'choice'>,
    private readonly differences: Pick<RunDifferences, 'of' | 'onDidChange'>,
    private readonly pictures: Pick<TooltipPictures, 'find'>,
  ) {}

  onDidChange(listener: (jobIds: readonly string[]) => void): vscode.Disposable {
    const { runs, temporary, servers } = this.runs;
    const one = (jobId: string): void => listener([jobId]);
    return vscode.Disposable.from(
      new vscode.Disposable(
        runs.onDidChange(({ added, changed, removed }) => listener([...added, ...changed, ...removed])),
      ),
      temporary.onDidChange(one),
      this.differences.onDidChange(one),
      servers.sessions.onDidChangeSilence((origin) => listener(runs.live(origin).map(({ id }) => id))),
    );
  }

  async load(): Promise<void> {
    if (this.runs.runs.jobs().some(({ failure }) => failure && holdsAnswer(failure)))
      this.#failureWords ??= (await import('../../core/jobs/failureText')).failureWords;
  }

  /** Jobs have moved, so the rows of those that are no longer listed go. */
  keep(listed: ReadonlySet<string>): void {
    this.#before = runsBefore(this.runs.runs.jobs());
    for (const [id, { jobId }] of this.#rows)
      if (jobId !== undefined && !listed.has(jobId)) this.#rows.delete(id);
  }

  made(jobId: string): Row | undefined {
    return this.#rows.get(rowId(jobId));
  }

  find(jobId: string): Row | undefined {
    return this.runs.runs.job(jobId) && this.of(jobId);
  }

  of(jobId: string): Row {
    const id = rowId(jobId);
    return onceKnownRow(this.#rows, {
      kind: 'job',
      id,
      jobId,
      item: (pictures) => this.#jobItem(id, jobId, pictures),
      pictures: () => {
        const job = this.runs.runs.job(jobId);
        return this.#pictures(jobId, job ? filesWorthSaving(job, savesTemporaryOf(job)) : []);
      },
      children: () => this.#below(jobId),
    });
  }

  #jobItem(id: string, jobId: string, pictures?: readonly vscode.Uri[]): vscode.TreeItem {
    const { runs, servers } = this.runs;
    const job = runs.job(jobId);
    if (!job) return rowTreeItem(id, undefined);
    const sender = runs.senderOf(job);
    const before = this.#before.get(jobId);
    const temporaryToo = savesTemporaryOf(job);
    const files = filesWorthSaving(job, temporaryToo);
    const temporary = filesNotSaved(job, temporaryToo);
    const savedFiles = mapDefined(files, (file) => this.runs.savedUri(jobId, file));
    const found = [...savedFiles, ...mapDefined(temporary, (file) => this.runs.outputUri(jobId, file))];
    const row = jobRow(job, {
      files: files.length,
      savedFiles: savedFiles.length,
      temporary: temporary.length,
      outputNames: found.map(uriName),
      before,
      sentFrom: sender && sentFrom()[sender],
      tellsDay: this.shown.choice.by === 'workflow',
      differences: before && this.differences.of(job, before),
      saving: runs.isSaving(jobId),
      serverName: servers.foreignNameOf(job.server),
      silence: servers.sessions.silenceOf(job.server),
      failureWords: this.#failureWords,
      now: Date.now(),
    });
    const hasChildren = files.length > 0 || Object.keys(job.nodes).length > 0 || hasMoreToRead(job);
    return rowTreeItem(id, row, {
      pictures,
      state: hasChildren ? Collapsed : None,
      command: clickOf(job, savedFiles.length),
    });
  }

  /** The server's list tells only the state of a job, so its outputs are requested when the user looks. */
  async #below(jobId: string): Promise<Row[]> {
    const listed = this.runs.runs.job(jobId);
    if (!listed) return [];
    const { runs, servers } = this.runs;
    const read = hasMoreToRead(listed) ? await servers.details(listed) : listed;
    const job = runs.job(jobId) ?? read;
    return [
      ...filesWorthShowing(job).map((file) => this.#outputRow(jobId, file)),
      ...nodesToList(job).map((nodeId) => this.#nodeRow(jobId, nodeId)),
    ];
  }

  #nodeRow(jobId: string, nodeId: string): Row {
    const id = `node:${jobId}:${nodeId}`;
    return onceKnownRow(this.#rows, {
      kind: 'node',
      id,
      jobId,
      item: () => {
        const job = this.runs.runs.job(jobId);
        return rowTreeItem(id, job && rowOfNode(job, nodeId));
      },
    });
  }

  #outputRow(jobId: string, file: OutputFile): Row {
    const id = `output:${jobId}:${file.nodeId}:${file.area}:${file.subfolder}/${file.filename}`;
    const subject = { kind: 'output', jobId, file };
    return onceKnownRow(this.#rows, {
      ...subject,
      id,
      pictures: () => this.#pictures(jobId, [file]),
      item: (pictures) => {
        const savedFile = this.runs.savedUri(jobId, file);
        const uri = this.runs.outputUri(jobId, file);
        const row = outputRow(
          file,
          savedFile && uriName(savedFile),
          this.runs.runs.isSaving(jobId),
          uri !== undefined,
        );
        if (!uri) return rowTreeItem(id, row);
        const open = { command: commands.openOutputs, title: '', arguments: [subject] };
        const item = rowTreeItem(id, row, { pictures, command: open });
        return Object.assign(item, { resourceUri: uri });
      },
    });
  }

  /** The tooltip never shows a file itself, which may be large and of any kind. */
  #pictures(jobId: string, files: readonly OutputFile[]): Promise<readonly vscode.Uri[]> {
    const saved = mapDefined(files.slice(0, tooltipPictures), (file) => this.runs.runs.fileOf(jobId, file));
    return this.pictures.find(jobId, saved);
  }
}

function savesTemporaryOf(job: Job): boolean {
  return job.outputs.some(isTemporary) && savesTemporary(jobSourceUri(job));
}

const rowId = (jobId: string): string => `job:${jobId}`;

const sentFrom = () => ({ window: t`from another window`, record: t`recorded in this workspace` }) as const;

/** A click on a job opens, in one tab, the report of a failed one, the page of a saved run, or the live preview. */
function clickOf({ id, failure, state }: Job, savedFiles: number): vscode.Command {
  const otherwise = savedFiles > 0 ? commands.showRun : commands.previewJob;
  const command = failure && isTerminal(state) ? commands.showError : otherwise;
  return { command, title: '', arguments: [id] };
}

function hasMoreToRead({ origin, state, outputs }: Job): boolean {
  return origin === undefined && isTerminal(state) && outputs.length === 0;
}
