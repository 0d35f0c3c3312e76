import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import { nodesAsTheyRan } from '../../core/jobs/nodeTimes';
import { runsBefore } from '../../core/jobs/runsBefore';
import type { BatchChild } from '../batch/batchRows';
import { filesWorthShowing } from '../../core/outputs/outputNames';
import { type JobItemParts, JobItems } from './jobItems';
import { holdsAnswer, type JobRowFacts } from './jobRow';
import { leftOutRow, nodeRow } from './nodeRow';
import { goneRow, itemOf } from './rowItem';
import { isOurs, treeGroups, type TreeGroup } from './treeGroups';
import type { TreeRow } from './treeRow';

export interface JobTreeParts extends JobItemParts {
  readonly store: Pick<JobStore, 'jobs' | 'get'>;
  /** Asks the server for everything it knows about a job. */
  readonly details: (job: Job) => Promise<Job>;
  /** Resolves when the jobs of earlier windows have been read. */
  readonly ready: () => Promise<void>;
  /** Runs whose outputs are not saved yet. */
  readonly owed?: OwedRows | undefined;
  readonly batches?: BatchTreeRows | undefined;
  /** The job with what its sender on this machine knows about it, and how it got here. */
  readonly named?: (job: Job) => { readonly job: Job; readonly sentFrom?: string | undefined };
}

/** The batches of the window, and what is listed below each. */
export interface BatchTreeRows {
  /** Looks for those of earlier windows. */
  ready(): Promise<void>;
  has(batchId: string): boolean;
  ids(): readonly string[];
  item(rowId: string, batchId: string): vscode.TreeItem | undefined;
  children(batchId: string): readonly BatchChild[];
  childItem(rowId: string, batchId: string, index: number | undefined): vscode.TreeItem | undefined;
}

export interface OwedRows {
  entryIds(): readonly string[];
  item(entryId: string): vscode.TreeItem | undefined;
}

const owedGroup = 'owed';

/** The queue and the jobs as rows: a projection of the store. */
export class JobTree implements vscode.TreeDataProvider<TreeRow>, vscode.Disposable {
  readonly #parts: JobTreeParts;
  readonly #items: JobItems;
  readonly #rows = new Map<string, TreeRow>();
  /** Job ID -> its current group in the tree. */
  readonly #shownIn = new Map<string, string>();
  /** Job ID -> what its position in the tree depends on. */
  readonly #places = new Map<string, string>();
  #groups: readonly TreeGroup[] = [];
  #before: ReadonlyMap<string, Job> = new Map();
  readonly #changed = new vscode.EventEmitter<TreeRow | TreeRow[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  #failureWords: JobRowFacts['failureWords'];

  constructor(parts: JobTreeParts) {
    this.#parts = parts;
    this.#items = new JobItems(parts);
  }

  /** Refreshes no more than these jobs need: rows if rows changed, groups if jobs moved. */
  refresh(jobIds: readonly string[], batchIds: readonly string[] = []): void {
    const moved = jobIds.some((id) => this.#places.get(id) !== placeOf(this.#get(id)));
    const groups = moved ? this.#regroupedRows() : [];
    if (groups === 'all') {
      this.refreshAll();
      return;
    }
    const batches = batchIds.flatMap((id) => this.#rows.get(`batch:${id}`) ?? []);
    const rows = [...groups, ...batches, ...jobIds.flatMap((id) => this.#rows.get(`job:${id}`) ?? [])];
    if (rows.length > 0) this.#changed.fire(rows);
  }

  /** Regroups; returns the groups whose rows changed, or `all` if groups were added or removed. */
  #regroupedRows(): TreeRow[] | 'all' {
    const before = new Map(this.#groups.map(({ id, jobs }) => [id, jobs]));
    this.#regroup();
    const sameGroups = before.size === this.#groups.length && this.#groups.every(({ id }) => before.has(id));
    if (!sameGroups) return 'all';
    // A group whose members or order changed is refreshed; its rows keep their identity.
    const changed = this.#groups.filter(({ id, jobs }) => !sameOrder(jobs, before.get(id) ?? []));
    return changed.map(({ id }) => this.#groupRow(id));
  }

  refreshAll(): void {
    this.#changed.fire(undefined);
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    switch (row.kind) {
      case 'group':
        return row.id === owedGroup
          ? this.#items.owedGroup(owedGroup, this.#owedIds().length)
          : this.#items.group(
              row.id,
              this.#groups.find(({ id }) => id === row.id),
            );
      case 'owed':
        return this.#owedItem(row);
      case 'batch':
        return this.#parts.batches?.item(row.id, row.batchId) ?? itemOf(row.id, goneRow());
      case 'batchRow':
        return this.#parts.batches?.childItem(row.id, row.batchId, row.index) ?? itemOf(row.id, goneRow());
      case 'job':
        return this.#jobItem(row.id, row.jobId);
      case 'node': {
        const job = this.#get(row.jobId);
        const node = job?.nodes[row.nodeId];
        if (job && isLeftOut(job, row.nodeId)) return itemOf(row.id, leftOutRow(job, row.nodeId));
        return itemOf(row.id, job && node ? nodeRow(job, node) : goneRow());
      }
      case 'output':
        return this.#items.output(row);
    }
  }

  async getChildren(row?: TreeRow): Promise<TreeRow[]> {
    if (!row) {
      await Promise.all([this.#parts.ready(), this.#parts.batches?.ready()]);
      if (this.#parts.store.jobs().some(({ failure }) => failure && holdsAnswer(failure))) {
        this.#failureWords ??= (await import('../../core/jobs/failureWords')).failureWords;
      }
      this.#regroup();
      const owed = this.#owedIds().length > 0 ? [this.#groupRow(owedGroup)] : [];
      const batches = (this.#parts.batches?.ids() ?? []).map((id) => this.#batchRow(id));
      return [...owed, ...batches, ...this.#groups.map(({ id }) => this.#groupRow(id))];
    }
    if (row.kind === 'group' && row.id === owedGroup) {
      return this.#owedIds().map((entryId) => this.#row({ kind: 'owed', id: `owed:${entryId}`, entryId }));
    }
    if (row.kind === 'group') {
      const group = this.#groups.find(({ id }) => id === row.id);
      return (group?.jobs ?? []).map(({ id }) => this.rowOf(id));
    }
    if (row.kind === 'batch') return this.#batchChildren(row.batchId);
    if (row.kind !== 'job') return [];
    const job = await this.#known(row.jobId);
    return job ? [...this.#outputRows(job), ...this.#nodeRows(job)] : [];
  }

  /** A listed job is known only by its state; its outputs are requested when the user looks. */
  async #known(jobId: string): Promise<Job | undefined> {
    const job = this.#parts.store.get(jobId);
    const known = job && hasMoreToRead(job) ? await this.#parts.details(job) : job;
    return known && this.#named(known).job;
  }

  #get(jobId: string): Job | undefined {
    const job = this.#parts.store.get(jobId);
    return job && this.#named(job).job;
  }

  #named(job: Job): { readonly job: Job; readonly sentFrom?: string | undefined } {
    return this.#parts.named?.(job) ?? { job };
  }

  getParent(row: TreeRow): TreeRow | undefined {
    if (row.kind === 'group' || row.kind === 'batch') return undefined;
    if (row.kind === 'batchRow') return this.#batchRow(row.batchId);
    if (row.kind === 'owed') return this.#groupRow(owedGroup);
    if (row.kind !== 'job') return this.rowOf(row.jobId);
    const batchId = this.#batchOf(this.#parts.store.get(row.jobId));
    if (batchId !== undefined) return this.#batchRow(batchId);
    const group = this.#shownIn.get(row.jobId);
    return group === undefined ? undefined : this.#groupRow(group);
  }

  /** The row of a job. */
  rowOf(jobId: string): TreeRow {
    return this.#row({ kind: 'job', id: `job:${jobId}`, jobId });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #regroup(): void {
    const jobs = this.#parts.store.jobs().map((job) => this.#named(job).job);
    const alone = jobs.filter((job) => !this.#isInBatch(job));
    this.#groups = treeGroups(alone, Date.now(), this.#parts.choice?.());
    this.#before = runsBefore(this.#parts.store.jobs());
    this.#shownIn.clear();
    this.#places.clear();
    for (const job of jobs) this.#places.set(job.id, placeOf(job));
    for (const group of this.#groups) for (const { id } of group.jobs) this.#shownIn.set(id, group.id);
    for (const [id, row] of this.#rows) {
      if ('jobId' in row && !this.#isListed(row.jobId)) this.#rows.delete(id);
    }
  }

  #row(row: TreeRow): TreeRow {
    const known = this.#rows.get(row.id);
    if (known) return known;
    this.#rows.set(row.id, row);
    return row;
  }

  #groupRow(id: string): TreeRow {
    return this.#row({ kind: 'group', id });
  }

  #outputRows(job: Job): TreeRow[] {
    return filesWorthShowing(job).map((file) =>
      this.#row({
        kind: 'output',
        id: `output:${job.id}:${file.nodeId}:${file.area}:${file.subfolder}/${file.filename}`,
        jobId: job.id,
        file,
      }),
    );
  }

  /** Nodes reached so far, in the order they ran, and those that were left out. */
  #nodeRows(job: Job): TreeRow[] {
    const reached = nodesAsTheyRan(job).filter((id) => isReached(job, id) || isLeftOut(job, id));
    return reached.map((nodeId) =>
      this.#row({ kind: 'node', id: `node:${job.id}:${nodeId}`, jobId: job.id, nodeId }),
    );
  }

  #batchRow(batchId: string): TreeRow {
    return this.#row({ kind: 'batch', id: `batch:${batchId}`, batchId });
  }

  #batchChildren(batchId: string): TreeRow[] {
    return (this.#parts.batches?.children(batchId) ?? []).map((child) => {
      if (child.kind === 'job') return this.rowOf(child.jobId);
      const index = child.kind === 'row' ? child.index : undefined;
      return this.#row({
        kind: 'batchRow',
        id: `batchRow:${batchId}:${index ?? 'more'}`,
        batchId,
        index,
      });
    });
  }

  /** The batch below whose row a job is listed. */
  #batchOf(job: Job | undefined): string | undefined {
    const id = job?.origin?.batch?.id;
    return id !== undefined && this.#parts.batches?.has(id) === true ? id : undefined;
  }

  /** The jobs of a batch are below its row. Without one, those that ended are not listed: there may be hundreds. */
  #isInBatch(job: Job): boolean {
    if (!job.origin?.batch) return false;
    return isTerminal(job.state) || this.#batchOf(job) !== undefined;
  }

  #isListed(jobId: string): boolean {
    return this.#shownIn.has(jobId) || this.#batchOf(this.#parts.store.get(jobId)) !== undefined;
  }

  #owedIds(): readonly string[] {
    return this.#parts.owed?.entryIds() ?? [];
  }
  #owedItem({ id, entryId }: TreeRow & { kind: 'owed' }): vscode.TreeItem {
    const item = this.#parts.owed?.item(entryId) ?? itemOf(id, goneRow());
    item.id = id;
    return item;
  }

  #jobItem(id: string, jobId: string): vscode.TreeItem {
    const known = this.#parts.store.get(jobId);
    if (!known) return itemOf(id, goneRow());
    return this.#items.job(id, {
      ...this.#named(known),
      before: this.#before.get(jobId),
      hasMore: hasMoreToRead(known),
      failureWords: this.#failureWords,
    });
  }
}

function hasMoreToRead(job: Job): boolean {
  return job.origin === undefined && isTerminal(job.state) && job.outputs.length === 0;
}

function isReached(job: Job, nodeId: string): boolean {
  return (job.nodes[nodeId]?.state ?? 'pending') !== 'pending';
}

/** What the run reports about a node takes precedence over what was reported before it. */
function isLeftOut(job: Job, nodeId: string): boolean {
  return !isReached(job, nodeId) && job.origin?.leftOut?.nodes.includes(nodeId) === true;
}

/** What determines a job's position: its group and its order there, but not its progress. */
function placeOf(job: Job | undefined): string {
  return job
    ? [isOurs(job), job.state, job.queuePosition, job.createdAt, job.startedAt, job.endedAt].join()
    : '';
}

function sameOrder(one: readonly Job[], other: readonly Job[]): boolean {
  return one.length === other.length && one.every(({ id }, index) => other[index]?.id === id);
}
