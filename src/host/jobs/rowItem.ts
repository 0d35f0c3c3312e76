import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../core/jobs/job';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { treeItem } from '../platform/showItems';
import type { JobRow, RowIcon } from './jobRow';

/** A row of something that has just been removed: VS Code may ask for it once more. */
export const goneRow = (): JobRow => ({
  label: '',
  description: '',
  icon: { id: 'circle-outline' },
  contextValue: '',
  spoken: t`removed`,
});

export function itemOf(
  id: string,
  row: JobRow,
  state = vscode.TreeItemCollapsibleState.None,
  pictures?: readonly vscode.Uri[],
): vscode.TreeItem {
  const item = treeItem({
    label: shown`${row.label}`,
    description: shown`${row.description}`,
    spoken: shown`${row.spoken}`,
    tooltip: row.tooltip,
    pictures,
  });
  item.id = id;
  item.collapsibleState = state;
  item.iconPath = themeIcon(row.icon);
  item.contextValue = row.contextValue;
  return item;
}

/** What a tooltip can draw. */
export function isPicture({ path }: vscode.Uri): boolean {
  return /\.(?:png|jpe?g|webp|gif|avif)$/i.test(path);
}

function themeIcon({ id, color }: RowIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** What a click on a job does: the report of a failed one, the outputs of one that has some, else the live preview. */
export function clickOf(job: Job, savedFiles: number): vscode.Command {
  if (job.failure && isTerminal(job.state)) {
    return { command: commands.showError, title: t`Show Error Report`, arguments: [job.id] };
  }
  if (savedFiles > 0) return { command: commands.openOutputs, title: t`Open Outputs`, arguments: [job.id] };
  return { command: commands.previewJob, title: t`Show in Live Preview`, arguments: [job.id] };
}
