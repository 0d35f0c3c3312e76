import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import { runsBefore } from '../../core/jobs/jobWords';
import {
  filesNotSaved,
  filesWorthSaving,
  filesWorthShowing,
  isTemporary,
} from '../../core/outputs/outputNames';
import type { OutputFile } from '../../core/protocol/outputFile';
import { plural, t } from '../../core/safety/localize';
import { commands } from '../platform/contributions';
import type { RowActions } from '../platform/showItems';
import { nameOf } from '../platform/workflowSource';
import type { Silence } from '../servers/sessions';
import { holdsAnswer, jobRow, type JobRowFacts, outputRow } from './jobRow';
import { nodesToList, rowOfNode } from './nodeRow';
import { savesTemporary, sourceOf } from '../outputs/savingShown';
import { groupItem, itemOf, once, type Row, type TreeSection } from './row';
import type { SavedFile, SavedFiles } from '../outputs/savedOutputs';
import { isOurs, treeGroups, type TreeChoice, type TreeGroup } from './treeGroups';

/** The job with what its sender on this machine knows about it, and how it got here. */
export interface NamedJob {
  readonly job: Job;
  readonly sentFrom?: string | undefined;
}

export interface JobSectionParts {
  readonly store: Pick<JobStore, 'jobs' | 'get'>;
  readonly saved: Omit<SavedFiles, 'onDidChange'>;
  /** Outputs that are shown but not saved. */
  readonly temporary?: Pick<SavedFiles, 'find'>;
  /** Asks the server for everything it knows about a job. */
  readonly details: (job: Job) => Promise<Job>;
  /** Resolves when the jobs of earlier windows have been read. */
  readonly ready: () => Promise<void>;
  /** Whether the server of a job does not answer. */
  readonly silenceOf: (origin: string) => Silence | undefined;
  /** Name of the job's server if it is not the selected one. */
  readonly foreignServer: (origin: string) => string | undefined;
  /** Which jobs are shown and how they are grouped. */
  readonly choice?: () => TreeChoice;
  /** What changed since the previous run; undefined until known. */
  readonly differences?: (job: Job, before: Job) => readonly string[] | undefined;
  /** The stored thumbnail of a saved output. */
  readonly thumbnail?: (jobId: string, saved: SavedFile) => vscode.Uri | undefined;
  readonly named?: (job: Job) => NamedJob;
  /** Whether a job's batch has a row of its own: the job is below it. */
  readonly hasRow?: (job: Job) => boolean;
}

/** At most this many pictures are shown in a job's tooltip. */
const tooltipPictures = 6;

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** The queue and the jobs as rows: a projection of the store. */
export class JobSection implements TreeSection, vscode.Disposable {
  readonly #parts: JobSectionParts;
  readonly #rows = new Map<string, Row>();
  /** Job ID -> what its position in the tree depends on. */
  readonly #places = new Map<string, string>();
  #groups: readonly TreeGroup[] = [];
  #before: ReadonlyMap<string, Job> = new Map();
  /** Loaded when a failure holds a server's answer. */
  #failureWords: JobRowFacts['failureWords'];
  readonly #changed = new vscode.EventEmitter<readonly Row[] | undefined>();
  readonly onDidChange = this.#changed.event;

  constructor(parts: JobSectionParts) {
    this.#parts = parts;
  }

  /** Refreshes no more than these jobs need: rows if rows changed, groups if jobs moved. Without jobs, everything. */
  refresh(jobIds?: readonly string[]): void {
    const moved = jobIds?.some((id) => this.#places.get(id) !== placeOf(this.#get(id)));
    const groups = moved ? this.#regroupedRows() : [];
    const rows = jobIds && groups && [...groups, ...jobIds.flatMap((id) => this.#rows.get(rowId(id)) ?? [])];
    if (rows?.length !== 0) this.#changed.fire(rows);
  }

  async roots(): Promise<readonly Row[]> {
    await this.#parts.ready();
    if (this.#parts.store.jobs().some(({ failure }) => failure && holdsAnswer(failure))) {
      this.#failureWords ??= (await import('../../core/jobs/failureText')).failureWords;
    }
    this.#regroup();
    return this.#groups.map(({ id }) => this.#groupRow(id));
  }

  /** The row of a job that is known, wherever it is listed. */
  find(jobId: string): Row | undefined {
    return this.#parts.store.get(jobId) && this.#jobRow(jobId);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Regroups; returns the groups whose rows changed, undefined if groups were added or removed. */
  #regroupedRows(): Row[] | undefined {
    const before = this.#groups;
    this.#regroup();
    if (!areSame(before, this.#groups)) return undefined;
    // A group whose members or order changed is refreshed; its rows keep their identity.
    const changed = this.#groups.filter(({ jobs }, index) => !areSame(jobs, before[index]?.jobs ?? []));
    return changed.map(({ id }) => this.#groupRow(id));
  }

  #regroup(): void {
    const all = this.#parts.store.jobs();
    const jobs = all.map((job) => this.#named(job).job);
    this.#groups = treeGroups(
      jobs.filter((job) => !this.#isInBatch(job)),
      Date.now(),
      this.#parts.choice?.(),
    );
    this.#before = runsBefore(all);
    this.#places.clear();
    for (const job of jobs) this.#places.set(job.id, placeOf(job));
    const listed = new Set(this.#groups.flatMap((group) => group.jobs.map(({ id }) => id)));
    for (const job of jobs) if (this.#hasRow(job)) listed.add(job.id);
    for (const [id, { jobId }] of this.#rows) {
      if (jobId !== undefined && !listed.has(jobId)) this.#rows.delete(id);
    }
  }

  /** The jobs of a batch are below its row. Without one, those that ended are not listed: there may be hundreds. */
  #isInBatch(job: Job): boolean {
    return this.#hasRow(job) || (job.origin?.batch !== undefined && isTerminal(job.state));
  }

  #hasRow(job: Job): boolean {
    return this.#parts.hasRow?.(job) === true;
  }

  #get(jobId: string): Job | undefined {
    const job = this.#parts.store.get(jobId);
    return job && this.#named(job).job;
  }

  #named(job: Job): NamedJob {
    return this.#parts.named?.(job) ?? { job };
  }

  #groupRow(id: string): Row {
    const group = (): TreeGroup | undefined => this.#groups.find((each) => each.id === id);
    return once(this.#rows, {
      kind: 'group',
      id,
      item: () => jobGroupItem(id, group()),
      children: () => group()?.jobs.map((job) => this.#jobRow(job.id)) ?? [],
    });
  }

  #jobRow(jobId: string): Row {
    const id = rowId(jobId);
    return once(this.#rows, {
      kind: 'job',
      id,
      jobId,
      item: () => this.#jobItem(id, jobId),
      children: () => this.#below(jobId),
    });
  }

  #jobItem(id: string, jobId: string): vscode.TreeItem {
    const { store, saved, foreignServer, silenceOf, choice, differences } = this.#parts;
    const known = store.get(jobId);
    if (!known) return itemOf(id, undefined);
    const { job, sentFrom } = this.#named(known);
    const before = this.#before.get(jobId);
    const temporaryToo = job.outputs.some(isTemporary) && savesTemporary(sourceOf(job));
    const files = filesWorthSaving(job, temporaryToo);
    const temporary = filesNotSaved(job, temporaryToo);
    const savedFiles = files.flatMap((file) => saved.find(jobId, file) ?? []);
    const found = [...savedFiles, ...temporary.flatMap((file) => this.#onDisk(jobId, file) ?? [])];
    const row = jobRow(job, {
      files: files.length,
      savedFiles: savedFiles.length,
      temporary: temporary.length,
      outputNames: found.map(nameOf),
      before,
      sentFrom,
      tellsDay: choice?.().by === 'workflow',
      differences: before && differences?.(job, before),
      saving: saved.isSaving(jobId),
      serverName: foreignServer(job.server),
      silence: silenceOf(job.server),
      failureWords: this.#failureWords,
      now: Date.now(),
    });
    const hasChildren = files.length > 0 || Object.keys(job.nodes).length > 0 || hasMoreToRead(known);
    return itemOf(id, row, {
      ...this.#pictures(jobId, files),
      // Every other icon tells more than a picture.
      ...(row.icon.id === 'pass' ? {} : { thumbnail: undefined }),
      state: hasChildren ? Collapsed : None,
      command: clickOf(job, savedFiles.length),
    });
  }

  /** A listed job is known only by its state; its outputs are requested when the user looks. */
  async #below(jobId: string): Promise<Row[]> {
    const { store, details } = this.#parts;
    const listed = store.get(jobId);
    if (!listed) return [];
    const { job } = this.#named(hasMoreToRead(listed) ? await details(listed) : listed);
    return [
      ...filesWorthShowing(job).map((file) => this.#outputRow(jobId, file)),
      ...nodesToList(job).map((nodeId) => this.#nodeRow(jobId, nodeId)),
    ];
  }

  #nodeRow(jobId: string, nodeId: string): Row {
    const id = `node:${jobId}:${nodeId}`;
    return once(this.#rows, {
      kind: 'node',
      id,
      jobId,
      item: () => {
        const job = this.#get(jobId);
        return itemOf(id, job && rowOfNode(job, nodeId));
      },
    });
  }

  #outputRow(jobId: string, file: OutputFile): Row {
    const id = `output:${jobId}:${file.nodeId}:${file.area}:${file.subfolder}/${file.filename}`;
    const { saved } = this.#parts;
    const subject = { kind: 'output', jobId, file };
    return once(this.#rows, {
      ...subject,
      id,
      item: () => {
        const savedFile = saved.find(jobId, file);
        const uri = this.#onDisk(jobId, file);
        const row = outputRow(file, savedFile && nameOf(savedFile), saved.isSaving(jobId), uri !== undefined);
        if (!uri) return itemOf(id, row);
        const open = { command: commands.openOutputs, title: t`Open`, arguments: [subject] };
        const item = itemOf(id, row, { ...this.#pictures(jobId, [file]), command: open });
        return Object.assign(item, { resourceUri: uri });
      },
    });
  }

  /** Thumbnails for tooltips and icons: never a file itself, which may be large and anything. */
  #pictures(jobId: string, files: readonly OutputFile[]): Pick<RowActions, 'pictures' | 'thumbnail'> {
    const found = files.slice(0, tooltipPictures).map((file) => {
      const saved = this.#parts.saved.fileOf(jobId, file);
      return saved && this.#parts.thumbnail?.(jobId, saved);
    });
    return { pictures: found.flatMap((thumbnail) => thumbnail ?? []), thumbnail: found[0] };
  }

  #onDisk(jobId: string, file: OutputFile): vscode.Uri | undefined {
    return this.#parts.saved.find(jobId, file) ?? this.#parts.temporary?.find(jobId, file);
  }
}

const rowId = (jobId: string): string => `job:${jobId}`;

function jobGroupItem(id: string, group: TreeGroup | undefined): vscode.TreeItem {
  const { label = '', jobs: { length: number } = [] } = group ?? {};
  const spoken = plural(number, t`${label}, 1 job`, t`${label}, ${number} jobs`);
  const item = groupItem(id, label, number, spoken);
  if (group?.isCollapsed) item.collapsibleState = Collapsed;
  return item;
}

/** What a click on a job does: the report of a failed one, the outputs of one that has some, else the live preview. */
function clickOf({ id, failure, state }: Job, savedFiles: number): vscode.Command {
  if (failure && isTerminal(state)) {
    return { command: commands.showError, title: t`Show Error Report`, arguments: [id] };
  }
  if (savedFiles > 0) return { command: commands.openOutputs, title: t`Open Outputs`, arguments: [id] };
  return { command: commands.previewJob, title: t`Show in Live Preview`, arguments: [id] };
}

function hasMoreToRead({ origin, state, outputs }: Job): boolean {
  return origin === undefined && isTerminal(state) && outputs.length === 0;
}

/** What determines a job's position: its group and its order there, but not its progress. */
function placeOf(job: Job | undefined): string {
  return job
    ? [isOurs(job), job.state, job.queuePosition, job.createdAt, job.startedAt, job.endedAt].join()
    : '';
}

function areSame(one: readonly { id: string }[], other: readonly { id: string }[]): boolean {
  return one.length === other.length && one.every(({ id }, index) => other[index]?.id === id);
}
