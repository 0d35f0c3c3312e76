import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { SaveProgress } from '../../core/runLife/saveOutputs';
import { shown } from '../../core/safety/shownText';
import { settings } from '../platform/contributions';
import { readSetting } from '../platform/settings';
import { showProgress } from '../platform/show';

export function jobSourceUri(job: Job): vscode.Uri | undefined {
  return job.origin?.sourceUri === undefined ? undefined : vscode.Uri.parse(job.origin.sourceUri);
}

/** Whether a setting says, where the workflow lies, that temporary outputs are saved. */
export function savesTemporary(source: vscode.Uri | undefined): boolean {
  return readSetting(settings.saveTemporaryOutputs, source) ?? false;
}

/** Shows that the outputs of a job are being saved, until `end`. */
export function showSaving(job: Job): { report(at: SaveProgress): void; end(): void } {
  let report: ((at: SaveProgress) => void) | undefined;
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const title = shown`Comfy Deck: saving outputs of ${job.origin?.label ?? job.id}`;
  void showProgress({ location: vscode.ProgressLocation.Window, title }, (progress) => {
    report = ({ index, count }) => progress.report({ message: shown`${index} of ${count}` });
    return over;
  });
  return { report: (at) => report?.(at), end: () => end() };
}
