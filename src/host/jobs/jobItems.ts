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
import { t } from '../../core/safety/localize';
import { savesTemporary, jobSourceUri } from '../outputs/savingShown';
import type { WindowRuns } from '../runs/windowRuns';
import { commands } from '../platform/contributions';
import { uriName } from '../platform/workflowSource';
import type { Servers } from '../servers/servers';
import { holdsAnswer, jobRow, type JobRowFacts, nodesToList, outputRow, rowOfNode } from './jobRow';
import type { JobsShown } from './jobsShown';
import { rowTreeItem, onceKnownRow, type Row } from './jobTree';
import type { RunDifferences } from './runDifferences';
import type { RunsElsewhere } from './runsElsewhere';
import type { TooltipPictures } from './tooltipPictures';

const tooltipPictures = 6;

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

interface JobItemRuns extends Pick<WindowRuns, 'store' | 'saved' | 'temporary'> {
  readonly servers: Pick<Servers, 'details' | 'foreignNameOf' | 'sessions'>;
}

/** The rows of jobs, and of the outputs and nodes below them, with what each shows now. */
export class JobItems {
  readonly #rows = new Map<string, Row>();
  #before: ReadonlyMap<string, Job> = new Map();
  /** Loaded when a failure holds a server's answer. */
  #failureWords: JobRowFacts['failureWords'];

  constructor(
    private readonly runs: JobItemRuns,
    private readonly jobs: Pick<RunsElsewhere, 'of' | 'named' | 'onDidChange'>,
    private readonly shown: Pick<JobsShown, 'choice'>,
    private readonly differences: Pick<RunDifferences, 'of' | 'onDidChange'>,
    private readonly pictures: Pick<TooltipPictures, 'find'>,
  ) {}

  onDidChange(listener: (jobIds: readonly string[]) => void): vscode.Disposable {
    const { store, saved, temporary, servers } = this.runs;
    const one = (jobId: string): void => listener([jobId]);
    return vscode.Disposable.from(
      new vscode.Disposable(
        store.onDidChange(({ added, changed, removed }) => listener([...added, ...changed, ...removed])),
      ),
      saved.onDidChange(one),
      temporary.onDidChange(one),
      this.differences.onDidChange(one),
      this.jobs.onDidChange(listener),
      servers.sessions.onDidChangeSilence((origin) => listener(store.live(origin).map(({ id }) => id))),
    );
  }

  async load(): Promise<void> {
    if (this.runs.store.jobs().some(({ failure }) => failure && holdsAnswer(failure)))
      this.#failureWords ??= (await import('../../core/jobs/failureText')).failureWords;
  }

  /** Jobs have moved, so the rows of those that are no longer listed go. */
  keep(listed: ReadonlySet<string>): void {
    this.#before = runsBefore(this.runs.store.jobs());
    for (const [id, { jobId }] of this.#rows)
      if (jobId !== undefined && !listed.has(jobId)) this.#rows.delete(id);
  }

  made(jobId: string): Row | undefined {
    return this.#rows.get(rowId(jobId));
  }

  find(jobId: string): Row | undefined {
    return this.runs.store.get(jobId) && this.of(jobId);
  }

  of(jobId: string): Row {
    const id = rowId(jobId);
    return onceKnownRow(this.#rows, {
      kind: 'job',
      id,
      jobId,
      item: (pictures) => this.#jobItem(id, jobId, pictures),
      pictures: () => {
        const job = this.runs.store.get(jobId);
        return this.#pictures(jobId, job ? filesWorthSaving(job, savesTemporaryOf(job)) : []);
      },
      children: () => this.#below(jobId),
    });
  }

  #jobItem(id: string, jobId: string, pictures?: readonly vscode.Uri[]): vscode.TreeItem {
    const { saved, servers } = this.runs;
    const known = this.runs.store.get(jobId);
    if (!known) return rowTreeItem(id, undefined);
    const job = this.jobs.named(known);
    const sender = this.jobs.of(known)?.from;
    const before = this.#before.get(jobId);
    const temporaryToo = savesTemporaryOf(job);
    const files = filesWorthSaving(job, temporaryToo);
    const temporary = filesNotSaved(job, temporaryToo);
    const savedFiles = files.map((file) => saved.find(jobId, file)).filter((uri) => uri !== undefined);
    const found = [...savedFiles, ...temporary.map((file) => this.#onDisk(jobId, file))].filter(
      (uri) => uri !== undefined,
    );
    const row = jobRow(job, {
      files: files.length,
      savedFiles: savedFiles.length,
      temporary: temporary.length,
      outputNames: found.map(uriName),
      before,
      sentFrom: sender && sentFrom()[sender],
      tellsDay: this.shown.choice.by === 'workflow',
      differences: before && this.differences.of(job, before),
      saving: saved.isSaving(jobId),
      serverName: servers.foreignNameOf(job.server),
      silence: servers.sessions.silenceOf(job.server),
      failureWords: this.#failureWords,
      now: Date.now(),
    });
    const hasChildren = files.length > 0 || Object.keys(job.nodes).length > 0 || hasMoreToRead(known);
    return rowTreeItem(id, row, {
      pictures,
      state: hasChildren ? Collapsed : None,
      command: clickOf(job, savedFiles.length),
    });
  }

  /** The server's list tells only the state of a job, so its outputs are requested when the user looks. */
  async #below(jobId: string): Promise<Row[]> {
    const listed = this.runs.store.get(jobId);
    if (!listed) return [];
    const job = this.jobs.named(hasMoreToRead(listed) ? await this.runs.servers.details(listed) : listed);
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
        const job = this.runs.store.get(jobId);
        return rowTreeItem(id, job && rowOfNode(this.jobs.named(job), nodeId));
      },
    });
  }

  #outputRow(jobId: string, file: OutputFile): Row {
    const id = `output:${jobId}:${file.nodeId}:${file.area}:${file.subfolder}/${file.filename}`;
    const { saved } = this.runs;
    const subject = { kind: 'output', jobId, file };
    return onceKnownRow(this.#rows, {
      ...subject,
      id,
      pictures: () => this.#pictures(jobId, [file]),
      item: (pictures) => {
        const savedFile = saved.find(jobId, file);
        const uri = this.#onDisk(jobId, file);
        const row = outputRow(
          file,
          savedFile && uriName(savedFile),
          saved.isSaving(jobId),
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
    const saved = files
      .slice(0, tooltipPictures)
      .map((file) => this.runs.saved.fileOf(jobId, file))
      .filter((file) => file !== undefined);
    return this.pictures.find(jobId, saved);
  }

  #onDisk(jobId: string, file: OutputFile): vscode.Uri | undefined {
    return this.runs.saved.find(jobId, file) ?? this.runs.temporary.find(jobId, file);
  }
}

function savesTemporaryOf(job: Job): boolean {
  return job.outputs.some(isTemporary) && savesTemporary(jobSourceUri(job));
}

const rowId = (jobId: string): string => `job:${jobId}`;

const sentFrom = () => ({ window: t`from another window`, record: t`recorded in this workspace` }) as const;

/** A click on a job opens, in one tab, the report of a failed one, the page of a saved run, or the live preview. */
function clickOf({ id, failure, state }: Job, savedFiles: number): vscode.Command {
  if (failure && isTerminal(state)) {
    return { command: commands.showError, title: '', arguments: [id] };
  }
  if (savedFiles > 0) return { command: commands.showRun, title: '', arguments: [id] };
  return { command: commands.previewJob, title: '', arguments: [id] };
}

function hasMoreToRead({ origin, state, outputs }: Job): boolean {
  return origin === undefined && isTerminal(state) && outputs.length === 0;
}
