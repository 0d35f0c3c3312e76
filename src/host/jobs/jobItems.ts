import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { filesNotKept, filesWorthSaving, isTemporary } from '../../core/outputs/outputNames';
import { plural, t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { treeItem } from '../platform/showItems';
import { nameOf } from '../platform/workflowSource';
import type { Silence } from '../servers/sessions';
import { jobRow, type JobRowFacts, outputRow } from './jobRow';
import { savesTemporary } from './outputSaver';
import { clickOf, isPicture, itemOf } from './rowItem';
import type { SavedOutputs } from './savedOutputs';
import type { TemporaryOutputs } from './temporaryOutputs';
import type { TreeChoice, TreeGroup } from './treeGroups';
import type { TreeRow } from './treeRow';

export interface JobItemParts {
  readonly saved: SavedOutputs;
  /** Outputs that are shown but not saved. */
  readonly temporary?: Pick<TemporaryOutputs, 'find'> | undefined;
  /** Whether the server of a job does not answer. */
  readonly silenceOf: (origin: string) => Silence | undefined;
  /** Name of the job's server if it is not the selected one. */
  readonly foreignServer: (origin: string) => string | undefined;
  /** Which jobs are shown and how they are grouped. */
  readonly choice?: () => TreeChoice;
  /** What changed since the previous run; undefined until known. */
  readonly differences?: (job: Job, before: Job) => readonly string[] | undefined;
}

export interface JobToShow {
  readonly job: Job;
  /** How it got here, as text. */
  readonly sentFrom?: string | undefined;
  /** The previous run of the same workflow. */
  readonly before: Job | undefined;
  /** The server knows more about it and is asked when the user looks. */
  readonly hasMore: boolean;
  readonly failureWords: JobRowFacts['failureWords'];
}

/** At most this many pictures are shown in a job's tooltip. */
const tooltipPictures = 6;

/** The items of the Jobs view: the current look of groups, jobs and outputs. */
export class JobItems {
  readonly #parts: JobItemParts;

  constructor(parts: JobItemParts) {
    this.#parts = parts;
  }

  owedGroup(id: string, number: number): vscode.TreeItem {
    const item = treeItem({
      label: shown`Outputs Not Saved`,
      description: shown`${number}`,
      spoken: plural(number, shown`Outputs Not Saved, 1 run`, shown`Outputs Not Saved, ${number} runs`),
    });
    item.id = id;
    item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    item.contextValue = 'group';
    return item;
  }

  group(id: string, group: TreeGroup | undefined): vscode.TreeItem {
    const number = group?.jobs.length ?? 0;
    const label = group?.label ?? '';
    const item = treeItem({
      label: shown`${label}`,
      description: shown`${number}`,
      spoken: plural(number, shown`${label}, 1 job`, shown`${label}, ${number} jobs`),
    });
    item.id = id;
    item.collapsibleState = group?.isCollapsed
      ? vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.Expanded;
    item.contextValue = 'group';
    return item;
  }

  job(id: string, { job, sentFrom, before, hasMore, failureWords }: JobToShow): vscode.TreeItem {
    const { saved, foreignServer, silenceOf } = this.#parts;
    const temporaryToo = job.outputs.some(isTemporary) && savesTemporary(job);
    const files = filesWorthSaving(job, temporaryToo);
    const temporary = filesNotKept(job, temporaryToo);
    const kept = files.flatMap((file) => saved.find(job.id, file) ?? []);
    const savedFiles = kept.length;
    const others = temporary.flatMap((file) => {
      return saved.find(job.id, file) ?? this.#parts.temporary?.find(job.id, file) ?? [];
    });
    const found = [...kept, ...others];
    const row = jobRow(job, {
      files: files.length,
      savedFiles,
      temporary: temporary.length,
      outputNames: found.map(nameOf),
      before,
      sentFrom,
      tellsDay: this.#parts.choice?.().by === 'workflow',
      differences: before && this.#parts.differences?.(job, before),
      saving: saved.isSaving(job.id),
      serverName: foreignServer(job.server),
      silence: silenceOf(job.server),
      failureWords,
      now: Date.now(),
    });
    const hasChildren = files.length > 0 || Object.keys(job.nodes).length > 0 || hasMore;
    const item = itemOf(
      id,
      row,
      hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
      found.filter(isPicture).slice(0, tooltipPictures),
    );
    item.command = clickOf(job, savedFiles);
    return item;
  }

  output(output: TreeRow & { kind: 'output' }): vscode.TreeItem {
    const { id, jobId, file } = output;
    const { saved, temporary } = this.#parts;
    const kept = saved.find(jobId, file);
    const uri = kept ?? temporary?.find(jobId, file);
    const row = outputRow(file, kept && nameOf(kept), saved.isSaving(jobId), uri !== undefined);
    const pictures = uri && isPicture(uri) ? [uri] : [];
    const item = itemOf(id, row, vscode.TreeItemCollapsibleState.None, pictures);
    if (uri) {
      item.resourceUri = uri;
      item.command = { command: commands.openOutputs, title: t`Open`, arguments: [output] };
    }
    return item;
  }
}
