import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { OutputFile } from '../../core/protocol/outputFile';
import type { ExecutionClient } from '../../core/client/execution';
import type { SavedOutput } from '../../core/outputs/saveOutputs';
import { commands } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import type { SubmittedRuns } from '../runs/submittedRuns';
import type { OutputPlaces } from './outputPlace';
import type { SavedFile, SavedOutputs } from './savedOutputs';

/** Streams the outputs of jobs into the folder that was chosen when they were run. */
export class OutputSaver {
  readonly #submitted: SubmittedRuns;
  readonly #places: OutputPlaces;
  readonly #saved: SavedOutputs;

  constructor(submitted: SubmittedRuns, places: OutputPlaces, saved: SavedOutputs) {
    this.#submitted = submitted;
    this.#places = places;
    this.#saved = saved;
  }

  /** Saves what is not saved yet; gives all that lies on disk afterwards. Asks for a folder only when none is known. */
  async save(job: Job, client: ExecutionClient, signal: AbortSignal): Promise<readonly SavedFile[]> {
    const { filesWorthSaving } = await import('../../core/outputs/outputNames');
    const missing = filesWorthSaving(job).filter((file) => !this.#saved.find(job.id, file));
    if (missing.length === 0 || this.#saved.isSaving(job.id)) return this.#saved.of(job.id);
    const run = await this.#submitted.of(job.id);
    const folder = run?.outputFolder ?? (await this.#places.ask(sourceOf(job)));
    if (!folder) return this.#saved.of(job.id);
    await this.#saved.whileSaving(job.id, () =>
      this.#download(job, client, folder, run?.promptText, missing, signal),
    );
    return this.#saved.of(job.id);
  }

  async #download(
    job: Job,
    client: ExecutionClient,
    folder: vscode.Uri,
    promptText: string | undefined,
    files: readonly OutputFile[],
    signal: AbortSignal,
  ): Promise<void> {
    const [{ saveOutputs, OutputsNotSavedError }, { NodeFolder }, { OutputError }] = await Promise.all([
      import('../../core/outputs/saveOutputs'),
      import('../../core/outputs/nodeFolder'),
      import('../../core/outputs/outputError'),
    ]);
    const label = job.origin?.label ?? job.id;
    const options = {
      location: vscode.ProgressLocation.Window,
      title: `Comfy Deck: saving outputs of ${label}`,
    };
    try {
      const saved = await vscode.window.withProgress(options, (progress) =>
        saveOutputs({
          job,
          client,
          folder: new NodeFolder(folder.fsPath),
          record: { promptText },
          files,
          onProgress: ({ index, count }) => progress.report({ message: `${index} of ${count}` }),
          signal,
        }),
      );
      await this.#keep(job, saved);
    } catch (error) {
      if (error instanceof OutputsNotSavedError) await this.#keep(job, error.saved);
      if (!OutputError.is(error)) throw error;
      throw new UserProblem(
        error.message,
        error.nextAction,
        [{ label: 'Save Outputs', command: commands.saveOutputs, args: [job.id] }],
        { cause: error },
      );
    }
  }

  #keep(job: Job, saved: readonly SavedOutput[]): Promise<void> {
    const files = saved.map(({ file, location }) => ({ file, uri: vscode.Uri.file(location) }));
    return this.#saved.add(job.id, files);
  }
}

export function sourceOf(job: Job): vscode.Uri | undefined {
  return job.origin?.sourceUri === undefined ? undefined : vscode.Uri.parse(job.origin.sourceUri);
}
