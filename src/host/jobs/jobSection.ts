import * as vscode from 'vscode';
import { coalesceCalls } from '../../core/jobs/coalesce';
import { isTerminal, type Job } from '../../core/jobs/job';
import { mapDefined } from '../../core/safety/lists';
import { Owner } from '../platform/feature';
import type { JobItems } from './jobItems';
import type { JobsShown } from './jobsShown';
import { groupItem, rowTreeItem, onceKnownRow, refreshEvery, type Row, type TreeSection } from './jobTree';
import type { WindowRuns } from '../runs/windowRuns';
import { isOurs, treeGroups, type TreeGroup } from './treeGroups';

export class JobSection extends Owner implements TreeSection {
  readonly #groupRows = new Map<string, Row>();
  readonly #places = new Map<string, string>();
  #groups: readonly TreeGroup[] = [];
  readonly #changed = new vscode.EventEmitter<readonly Row[] | undefined>();
  readonly onDidChange = this.#changed.event;

  /** @param batches have rows of their own, with jobs below them */
  constructor(
    private readonly runs: Pick<WindowRuns, 'runs' | 'folders'>,
    private readonly items: JobItems,
    private readonly shown: Pick<JobsShown, 'choice' | 'onDidChange'>,
    private readonly batches: { holds(job: Job): boolean },
  ) {
    super();
    const noted = new Set<string>();
    const refresh = coalesceCalls(() => {
      const changed = [...noted];
      noted.clear();
      this.refresh(changed);
    }, refreshEvery);
    this.own(
      items.onDidChange((jobIds) => {
        for (const id of jobIds) noted.add(id);
        refresh();
      }),
      shown.onDidChange(() => this.refresh()),
      { dispose: () => refresh.cancel() },
      this.#changed,
    );
  }

  shows(job: Job): boolean {
    return this.shown.choice.all || isOurs(job);
  }

  /** Refreshes what these jobs need: their rows, or groups if they moved. Without jobs, everything. */
  refresh(jobIds?: readonly string[]): void {
    const moved = jobIds?.some((id) => {
      const job = this.runs.runs.job(id);
      return this.#places.get(id) !== (job ? placeOf(job) : '');
    });
    const groups = moved ? this.#regroupedRows() : [];
    const rows = jobIds && groups && [...groups, ...mapDefined(jobIds, (id) => this.items.made(id))];
    if (rows?.length !== 0) this.#changed.fire(rows);
  }

  async roots(): Promise<readonly Row[]> {
    await this.runs.folders.load();
    await this.items.load();
    this.#regroup();
    return this.#groups.map(({ id }) => this.#groupRow(id));
  }

  /** Regroups; returns the groups whose rows changed, undefined if groups were added or removed. */
  #regroupedRows(): Row[] | undefined {
    const before = this.#groups;
    this.#regroup();
    if (!areSame(before, this.#groups)) return undefined;
    return this.#groups.flatMap(({ id, jobs }, index) => {
      const earlier = before[index];
      return earlier && areSame(jobs, earlier.jobs) ? [] : [this.#groupRow(id)];
    });
  }

  #regroup(): void {
    const jobs = this.runs.runs.jobs();
    this.#groups = treeGroups(
      jobs.filter((job) => !this.#isInBatch(job)),
      Date.now(),
      this.shown.choice,
    );
    this.#places.clear();
    for (const job of jobs) this.#places.set(job.id, placeOf(job));
    const listed = new Set(this.#groups.flatMap((group) => group.jobs.map(({ id }) => id)));
    for (const job of jobs) if (this.batches.holds(job)) listed.add(job.id);
    this.items.keep(listed);
  }

  /** The jobs of a batch are below its row. Without one, those that ended are not listed: there may be hundreds. */
  #isInBatch(job: Job): boolean {
    return this.batches.holds(job) || (job.origin?.batch !== undefined && isTerminal(job.state));
  }

  #groupRow(id: string): Row {
    const group = (): TreeGroup | undefined => this.#groups.find((each) => each.id === id);
    return onceKnownRow(this.#groupRows, {
      kind: 'group',
      id,
      item: () => jobGroupItem(id, group()),
      children: () => group()?.jobs.map((job) => this.items.of(job.id)) ?? [],
    });
  }
}

function jobGroupItem(id: string, group: TreeGroup | undefined): vscode.TreeItem {
  if (!group) return rowTreeItem(id, undefined);
  const item = groupItem(id, group.label, group.jobs.length);
  if (group.isCollapsed) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  return item;
}

function placeOf(job: Job): string {
  return [isOurs(job), job.state, job.queuePosition, job.createdAt, job.startedAt, job.endedAt].join();
}

function areSame(one: readonly { id: string }[], other: readonly { id: string }[]): boolean {
  return one.length === other.length && one.every(({ id }, index) => other[index]?.id === id);
}
