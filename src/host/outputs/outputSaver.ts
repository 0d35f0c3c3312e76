import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ExecutionClient } from '../../core/client/execution';
import { endedWithin, orAborted } from '../../core/client/timing';
import type { Job } from '../../core/jobs/job';
import type { RecordFile } from '../../core/records/recordFile';
import type { SavedOutput } from '../../core/outputs/savedOutput';
import { budgets } from '../../core/safety/budgets';
import { shown } from '../../core/safety/shownText';
import type { OwedRuns } from '../pointers/owedRuns';
import { troubleOf } from '../pointers/owedTrouble';
import { commands, settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import { withoutSecrets } from '../platform/shownSecrets';
import { showInformation, withProgress } from '../platform/show';
import type { Servers } from '../servers/servers';
import type { OutputPlaces } from './outputPlace';
import type { SavedFile, SavedOutputs } from './savedOutputs';
import type { TemporaryOutputs } from './temporaryOutputs';
import { errorCode } from '../../core/safety/errorWords';

/** Streams the outputs of jobs into the folder chosen when they were run. */
export class OutputSaver {
  readonly #places: OutputPlaces;
  readonly #saved: SavedOutputs;
  readonly #temporary: TemporaryOutputs;
  readonly #owed: OwedRuns;
  readonly #servers: Pick<Servers, 'nameOf' | 'isOfSandbox'>;
  /** Job ID -> its save in progress. */
  readonly #underWay = new Map<string, Promise<readonly SavedFile[] | undefined>>();

  constructor(
    places: OutputPlaces,
    saved: SavedOutputs,
    temporary: TemporaryOutputs,
    owed: OwedRuns,
    servers: Pick<Servers, 'nameOf' | 'isOfSandbox'>,
  ) {
    this.#places = places;
    this.#saved = saved;
    this.#temporary = temporary;
    this.#owed = owed;
    this.#servers = servers;
  }

  /**
   * Saves what is not on disk and completes the run record; returns everything that is on disk afterwards. Undefined:
   * another window or command is doing it. Asks for a folder only if none is known. A second caller waits for the
   * first, then saves what is still missing.
   */
  async save(
    job: Job,
    client: ExecutionClient,
    signal: AbortSignal,
  ): Promise<readonly SavedFile[] | undefined> {
    for (let other; (other = this.#underWay.get(job.id));) {
      // The first caller reports the result.
      await orAborted(other, signal).catch(() => undefined);
      signal.throwIfAborted();
    }
    const saving = this.#save(job, client, signal);
    this.#underWay.set(job.id, saving);
    try {
      return await saving;
    } finally {
      this.#underWay.delete(job.id);
    }
  }

  /** The outputs of a job that was not owed are no longer wanted, so nothing keeps fetching them. */
  async leave(jobId: string): Promise<void> {
    const entry = this.#owed.list.owedOfJob(jobId);
    if (entry?.askedAt !== undefined && !this.#underWay.has(jobId)) await this.#owed.giveUp(entry, 'givenUp');
  }

  /**
   * Fetches outputs that are shown but not saved. What can't be fetched stays on the server and is not owed.
   * @throws the first failure, once the others are done
   */
  async fetchTemporary(job: Job, client: ExecutionClient, signal: AbortSignal): Promise<void> {
    const { filesNotKept } = await import('../../core/outputs/outputNames');
    const files = filesNotKept(job, savesTemporary(job)).filter((file) => !this.#saved.find(job.id, file));
    await this.#temporary.fetch(job.id, files, client, signal);
  }

  async #save(
    job: Job,
    client: ExecutionClient,
    signal: AbortSignal,
  ): Promise<readonly SavedFile[] | undefined> {
    const owed = await this.#owed.takeOf(job.id);
    if (owed === 'busy') return undefined;
    await this.#forgetDeleted(job.id);
    if (!owed && !(await this.#isMissing(job))) return this.#saved.of(job.id);
    const kept = await this.#owed.list.sent(job.id);
    const folder =
      this.#owed.list.owedOfJob(job.id)?.folder ??
      kept?.folder ??
      (await this.#places.ask(sourceOf(job)))?.fsPath;
    if (folder === undefined) return this.#saved.of(job.id);
    const run = owed ?? (await this.#oweAsked(job, folder, kept?.promptText));
    if (run === 'busy') return undefined;
    try {
      await this.#saved.whileSaving(job.id, () => this.#download(job, client, folder, run, signal));
      await this.#owed.settle(job);
    } catch (error) {
      if (!signal.aborted) await this.#stillAsked(job.id, error);
      throw error;
    }
    return this.#saved.of(job.id);
  }

  async #oweAsked(job: Job, folder: string, promptText: string | undefined): Promise<RecordFile | 'busy'> {
    const serverName = this.#servers.nameOf(job.server);
    const isSandbox = this.#servers.isOfSandbox(job);
    try {
      return await this.#owed.oweAsked(job, { serverName, isSandbox, folder, promptText });
    } catch (error) {
      throw await problemOf(error, job.id);
    }
  }

  /** Outputs that will never be available are not owed. */
  async #stillAsked(jobId: string, error: unknown): Promise<void> {
    const entry = this.#owed.list.owedOfJob(jobId);
    if (!entry?.askedAt) return;
    const trouble = troubleOf(error);
    const { mayBeSavedLater } = await import('../../core/runLife/mayBeSavedLater');
    if (mayBeSavedLater(error instanceof UserProblem ? error.cause : error)) {
      await this.#owed.tell(entry, trouble);
    } else await this.#owed.giveUp(entry, 'forgotten');
  }

  async #isMissing(job: Job): Promise<boolean> {
    const { filesWorthSaving } = await import('../../core/outputs/outputNames');
    return filesWorthSaving(job, savesTemporary(job)).some((file) => !this.#saved.find(job.id, file));
  }

  /** An output deleted from disk is no longer saved. */
  async #forgetDeleted(jobId: string): Promise<void> {
    const gone: SavedFile[] = [];
    for (const file of this.#saved.of(jobId)) if (!(await isOnDisk(file.location))) gone.push(file);
    if (gone.length > 0) await this.#saved.without(jobId, gone);
  }

  async #download(
    job: Job,
    client: ExecutionClient,
    folder: string,
    run: RecordFile,
    signal: AbortSignal,
  ): Promise<void> {
    const [
      { saveOutputs },
      { OutputsNotSavedError },
      { NodeFolder },
      { filesWorthSaving, isTemporary },
      { outputFileKey, outputKey },
    ] = await Promise.all([
      import('../../core/runLife/saveOutputs'),
      import('../../core/runLife/outputsNotSaved'),
      import('../../core/outputs/nodeFolder'),
      import('../../core/outputs/outputNames'),
      import('../../core/outputs/expectedFile'),
    ]);
    const label = job.origin?.label ?? job.id;
    const options = {
      location: vscode.ProgressLocation.Window,
      title: shown`Comfy Deck: saving outputs of ${label}`,
    };
    const recorded = new Set(run.record.expected.map(outputKey));
    const all = filesWorthSaving(job, savesTemporary(job));
    const looked = this.#temporary.shownOf(job.id);
    // What does not come now is asked for again with the others; what is saved does not wait for it.
    if (looked && isTemporary(looked) && !all.includes(looked)) {
      const fetching = this.#temporary.fetch(job.id, [looked], client, signal);
      await endedWithin(fetching, budgets.temporaryHeadStart, signal);
    }
    try {
      const saved = await withProgress(options, (progress) =>
        saveOutputs({
          job,
          client,
          folder: new NodeFolder(folder),
          run,
          record: { hide: withoutSecrets },
          // What was saved without this record, or beside another, is not fetched again.
          files: all.filter((file) => recorded.has(outputFileKey(file)) || !this.#saved.find(job.id, file)),
          shown: () => this.#temporary.shownOf(job.id),
          onProgress: ({ index, count }) => progress.report({ message: shown`${index} of ${count}` }),
          signal,
        }),
      );
      await this.#keep(job, saved);
    } catch (error) {
      if (error instanceof OutputsNotSavedError) await this.#keep(job, error.saved);
      throw await problemOf(error, job.id);
    }
  }

  async #keep(job: Job, saved: readonly SavedOutput[]): Promise<void> {
    if (saved.length === 0) return;
    await this.#saved.add(job.id, saved);
    await tellNeutralised(saved);
  }
}

/** Whether temporary outputs are saved whatever else the job made: a setting, where its workflow lies. */
export function savesTemporary(job: Job): boolean {
  return readSetting(settings.saveTemporaryOutputs, sourceOf(job)) ?? false;
}

async function tellNeutralised(saved: readonly SavedOutput[]): Promise<void> {
  const { neutralised } = await import('../../core/outputs/neutralEnding');
  const [first, ...others] = neutralised(saved);
  if (!first) return;
  void showInformation(
    others.length === 0
      ? shown`${first.file.filename} could run as a program, so it was saved as ${first.name}.`
      : shown`${others.length + 1} outputs could run as programs, so .txt was added to their names.`,
  );
}

export function sourceOf(job: Job): vscode.Uri | undefined {
  return job.origin?.sourceUri === undefined ? undefined : vscode.Uri.parse(job.origin.sourceUri);
}

/** What kept outputs from the disk, with what can be done. */
async function problemOf(error: unknown, jobId: string): Promise<unknown> {
  const { OutputError } = await import('../../core/outputs/outputError');
  if (!OutputError.is(error)) return error;
  return new UserProblem(
    shown`${error.message}`,
    shown`${error.nextAction}`,
    [{ label: shown`Save Outputs`, command: commands.saveOutputs, args: [jobId] }],
    { cause: error },
  );
}

/** What cannot be looked at counts as there: a drive may be away for a moment. */
async function isOnDisk(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
