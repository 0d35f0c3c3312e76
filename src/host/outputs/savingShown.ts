import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { endedWithin } from '../../core/client/timing';
import type { Job } from '../../core/jobs/job';
import type { SavedOutput } from '../../core/outputs/expectedFile';
import type { Run, RunFile } from '../../core/runLife/run';
import type { RunStore } from '../../core/runLife/runStore';
import type { SaveProgress } from '../../core/runLife/saveOutputs';
import type { RunSession } from '../../core/runLife/runSession';
import { errorCode } from '../../core/safety/errorWords';
import { shown } from '../../core/safety/shownText';
import { commands, settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import { showInformation, showProgress } from '../platform/show';
import type { TemporaryOutputs } from './temporaryOutputs';

export function jobSourceUri(job: Job): vscode.Uri | undefined {
  return job.origin?.sourceUri === undefined ? undefined : vscode.Uri.parse(job.origin.sourceUri);
}

/** Whether a setting says, where the workflow lies, that temporary outputs are saved. */
export function savesTemporary(source: vscode.Uri | undefined): boolean {
  return readSetting(settings.saveTemporaryOutputs, source) ?? false;
}

/** How long saving waits for an output that is viewed but not saved, ms. */
const headStart = 3_000;

/** Shows that the outputs of a job are being saved, until `end`. */
export function showSaving(job: Job, setSaving: (isSaving: boolean) => void) {
  let report: ((at: SaveProgress) => void) | undefined;
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  setSaving(true);
  const title = shown`Comfy Deck: saving outputs of ${job.origin?.label ?? job.id}`;
  void showProgress({ location: vscode.ProgressLocation.Window, title }, (progress) => {
    report = ({ index, count }) => progress.report({ message: shown`${index} of ${count}` });
    return over;
  });
  return {
    report: (at: SaveProgress) => report?.(at),
    end: () => {
      setSaving(false);
      end();
    },
  };
}

/** Fetches the output in view before others, if it is only shown. Saving doesn't wait long for it. */
export async function fetchViewed(
  job: Job,
  temporary: TemporaryOutputs,
  { client }: Pick<RunSession, 'client'>,
  signal: AbortSignal,
): Promise<void> {
  const viewed = temporary.shownOf(job.id);
  if (!viewed) return;
  const { isTemporary, filesWorthSaving } = await import('../../core/outputs/outputNames');
  if (!isTemporary(viewed) || filesWorthSaving(job, savesTemporary(jobSourceUri(job))).includes(viewed))
    return;
  // The others are fetched later, with this one if it failed now.
  const fetching = temporary.fetch(job.id, [viewed], client, signal).catch(() => undefined);
  await endedWithin(fetching, headStart, signal).catch(() => undefined);
}

/** An output deleted from disk is no longer saved. */
export async function forgetDeleted(runs: RunStore, { place, files }: Run): Promise<void> {
  const there: RunFile[] = [];
  for (const file of files) if (await isOnDisk(path.join(place.folder, file.name))) there.push(file);
  if (there.length < files.length) runs.setFiles(place, there);
}

export async function tellNeutralised(saved: readonly SavedOutput[]): Promise<void> {
  const { filesSavedAsText } = await import('../../core/outputs/neutralEnding');
  const [first, ...others] = filesSavedAsText(saved);
  if (!first) return;
  void showInformation(
    others.length === 0
      ? shown`${first.file.filename} could run as a program, so it was saved as ${first.name}.`
      : shown`${others.length + 1} outputs could run as programs, so .txt was added to their names.`,
  );
}

export async function savingProblem(error: unknown, jobId: string | undefined): Promise<Error> {
  const { OutputError } = await import('../../core/outputs/outputError');
  if (!OutputError.is(error)) {
    const { notSavedSentence } = await import('../../core/runLife/outputsNotSaved');
    return error instanceof Error ? error : new Error(notSavedSentence(error), { cause: error });
  }
  return new UserProblem(
    shown`${error.message}`,
    shown`${error.nextAction}`,
    jobId === undefined ? [] : [{ label: shown`Save Outputs`, command: commands.saveOutputs, args: [jobId] }],
    { cause: error },
  );
}

/** @throws FolderNotUsableError while the folder is not writable */
export async function checkDisk(folder: string): Promise<void> {
  const [{ checkFolder }, { NodeFolder }, { OutputError }] = await Promise.all([
    import('../../core/outputs/checkFolder'),
    import('../../core/outputs/nodeFolder'),
    import('../../core/outputs/outputError'),
  ]);
  try {
    await checkFolder(new NodeFolder(folder));
  } catch (error) {
    // The message advises running again, which would cost again for a run that is over.
    throw OutputError.is(error) ? new OutputError(error.message, error.reason, error) : error;
  }
}

/** A file that can't be checked counts as present, since a drive may be away for a moment. */
async function isOnDisk(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
