import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Job, JobOrigin } from '../../core/jobs/job';
import { embeddedValidation } from '../../core/protocol/errorBody';
import { promptHash } from '../../core/runs/promptHash';
import { readWorkflowPrompt } from '../../core/runs/readWorkflowPrompt';
import { endSentence } from '../../core/safety/endSentence';
import { errorWords } from '../../core/safety/errorWords';
import { t } from '../../core/safety/localize';
import { type Shown, shown } from '../../core/safety/shownText';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { commands } from '../platform/contributions';
import type { Platform } from '../platform/platform';
import { isCancellation, offerSteps, UserProblem } from '../platform/problems';
import { showWarning } from '../platform/show';
import { uriName } from '../platform/workflowSource';
import { quietSave, type RunOnSaveSwitch, type SaveWords } from './runOnSaveSwitch';
import type { Runs } from './runs';

/** How long the saves of a file have to rest before the last one counts, ms. */
const rest = 500;

interface SavedText {
  readonly file: string;
  readonly uri: vscode.Uri;
  readonly label: string;
  readonly workflow: WorkflowDocument;
  /** The server that was selected when it was saved. */
  readonly server: string;
}

/**
 * Runs the text that was saved last, once the file has no live job. Each run may cost, so in doubt it doesn't, and the
 * words say why. Nothing is retried automatically.
 */
export class RunOnSaveRuns implements vscode.Disposable {
  readonly #window = new AbortController();
  readonly #subscriptions: readonly vscode.Disposable[];
  /** By file, the save that counts until it has run or won't. */
  readonly #saves = new Map<string, SavedText>();
  /** The saves of a file are handled one after another. */
  readonly #work = new Map<string, Promise<void>>();
  readonly #waiting = new Set<() => void>();
  /** Server and file -> the prompt that the last save of this window started or found run. */
  readonly #ran = new Map<string, string>();
  readonly #notified = new Map<string, string>();

  /** @param onWords called with what becomes of a file's last save */
  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
    private readonly onSave: RunOnSaveSwitch,
    private readonly onWords: (file: string, words: SaveWords) => void,
  ) {
    this.#subscriptions = [
      new vscode.Disposable(runs.windowRuns.runs.onDidChange(() => this.#wake())),
      runs.onDidSend(() => this.#wake()),
    ];
  }

  saved(uri: vscode.Uri, text: string): void {
    const file = uri.toString();
    const workflow = WorkflowDocument.of(text);
    const save: SavedText = { file, uri, label: uriName(uri), workflow, server: this.#server() };
    this.#saves.set(file, save);
    this.#wake();
    const rested = new Promise((resolve) => setTimeout(resolve, rest));
    const work = Promise.all([rested, this.#work.get(file)]).then(() => this.#handle(save));
    this.#work.set(file, work);
  }

  dispose(): void {
    this.#window.abort(new vscode.CancellationError());
    this.#saves.clear();
    for (const each of this.#subscriptions) each.dispose();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #handle(save: SavedText): Promise<void> {
    const { file, label } = save;
    /** Not replaced or dropped, as it may be while questions are open. */
    const isLast = (): boolean => this.#saves.get(file) === save;
    try {
      while (isLast()) {
        const { hash, why } = await this.#judge(save);
        if (!isLast()) return;
        if (why || !this.#isBusy(save)) {
          if (why) this.#report(save, why);
          else await this.#run(save, hash);
          return;
        }
        const words = shown`${label} will run when its current job finishes.`;
        this.#report(save, quietSave(shown`waiting`, words));
        while (isLast() && this.#isBusy(save))
          await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
    } catch (error) {
      if (isLast()) this.#report(save, this.#trouble(error, save));
    } finally {
      if (isLast()) this.#saves.delete(file);
    }
  }

  #report({ file }: SavedText, words: SaveWords): void {
    this.platform.log.info(`Run on save: ${words.long.line()}`);
    this.onWords(file, words);
  }

  /** Why a save isn't run now. Asks the user whether saves run if that was never answered. */
  async #judge(save: SavedText) {
    const off = await this.#whyOff(save);
    if (off) return { hash: undefined, why: off };
    // What earlier windows ran isn't run again, even if they have not seen its end.
    const { windowRuns } = this.runs;
    await Promise.all([windowRuns.ready(), windowRuns.pointers.read()]);
    const hash = await this.#hash(save);
    // The wait may have been long: what was true at its start may not be now.
    return { hash, why: (await this.#whyOff(save)) ?? this.#whyKnown(save, hash) };
  }

  async #whyOff({ uri, label, server }: SavedText): Promise<SaveWords | undefined> {
    const wanted = vscode.workspace.isTrusted && this.onSave.isSet(uri) && (await this.onSave.isWanted());
    const reason = !vscode.workspace.isTrusted
      ? shown`This works only in trusted workspaces.`
      : wanted === undefined
        ? shown`You haven't confirmed run on save in this workspace yet.`
        : !wanted
          ? shown`Run on save is off for this file.`
          : server !== this.#server()
            ? shown`You selected another server after saving. Save again to run it there.`
            : undefined;
    return reason && quietSave(shown`not run`, shown`${label} wasn't run. ${reason}`);
  }

  async #hash({ workflow }: SavedText): Promise<string | undefined> {
    const read = readWorkflowPrompt(workflow);
    if (read.kind === 'prompt') return promptHash(read);
    if (read.reason !== 'noDefinitions') return undefined;
    const session = await this.runs.servers.session();
    const { catalog } = await session.serverDefinitions(this.#window.signal);
    const compiled = readWorkflowPrompt(workflow, catalog);
    return compiled.kind === 'prompt' ? promptHash(compiled, catalog) : undefined;
  }

  #whyKnown(save: SavedText, hash: string | undefined): SaveWords | undefined {
    const { file, label, workflow } = save;
    if (!this.#isBusy(save) && this.#isUnclear(file)) return unclearSave(label);
    const sourceHash = createHash('sha256').update(workflow.text).digest('hex');
    const isKnown = hasPromptRun(
      { sourceUri: file, sourceHash, promptHash: hash },
      hash !== undefined && this.#ran.get(ranKey(save)) === hash,
      this.runs.windowRuns.runs.jobs().filter((job) => this.#isOnSelectedServer(job)),
    );
    if (!isKnown) return undefined;
    if (hash !== undefined) this.#ran.set(ranKey(save), hash);
    return quietSave(
      shown`no change`,
      shown`${label} wasn't run, because nothing that affects the result has changed. To repeat it, use Run Workflow.`,
    );
  }

  /** A run of the file was sent to the selected server, and nobody knows whether it has it. */
  #isUnclear(file: string): boolean {
    const { windowRuns, servers } = this.runs;
    return windowRuns.pointers.owed().some(({ sourceUri, server, jobId, batch, outputsUnknown }) => {
      const { runs, store } = windowRuns;
      const isListed = jobId !== undefined && (runs.job(jobId) !== undefined || store.isRemoved(jobId));
      const isOfFile = sourceUri === file && batch === undefined && servers.isCurrent(server);
      return isOfFile && !isListed && !outputsUnknown;
    });
  }

  #isBusy({ file, uri }: SavedText): boolean {
    const { runs } = this;
    const isOfFile = ({ origin }: Job): boolean => origin?.sourceUri === file;
    return runs.isUnderWay(uri) || runs.windowRuns.runs.live().some(isOfFile);
  }

  async #run(save: SavedText, hash: string | undefined): Promise<void> {
    const { file, uri, workflow, label } = save;
    this.#report(save, quietSave(shown`sending`, shown`${label} is being sent to the server.`));
    let words = failedSave(label, t`It wasn't sent.`);
    const wouldAsk = (sentence: Shown): Promise<boolean> => {
      words = loudSave(
        shown`${label} wasn't run, because a run needs your approval. Use Run Workflow to give it.`,
      );
      offerRun(uri, sentence);
      return Promise.resolve(false);
    };
    const run = (): Promise<string | undefined> =>
      this.runs.run({ uri, workflow, label }, { seeds: 'keep' }, undefined, {
        maySpend: () =>
          wouldAsk(
            shown`${label} was saved but not run, because each run spends credits on paid partner nodes.`,
          ),
        mayUpload: (files, { origin, server }) =>
          this.runs.consent.isUploadKnown(files, origin)
            ? Promise.resolve(true)
            : wouldAsk(
                shown`${label} was saved but not run, because it uses files that you haven't approved for upload to ${server.name}.`,
              ),
        refused: ({ message, nextAction }) => {
          words = failedSave(label, message, nextAction);
          offerRun(uri, shown`${label} was saved but not run. ${endSentence(message)} ${nextAction}`);
        },
      });
    if (this.runs.windowRuns.places.wouldAsk(uri))
      await wouldAsk(
        shown`${label} was saved but not run, because you haven't chosen an output folder for it.`,
      );
    else if ((await run()) !== undefined) {
      this.#notified.delete(file);
      if (hash !== undefined) this.#ran.set(ranKey(save), hash);
      words = quietSave(shown``, shown`${label} ran when you last saved it.`);
    }
    this.#report(save, words);
  }

  #trouble(error: unknown, { file, label }: SavedText): SaveWords {
    if (isCancellation(error)) return failedSave(label, t`It was cancelled.`);
    const { message, nextAction } = errorWords(error);
    const next = error instanceof UserProblem ? error.nextAction.line() : nextAction;
    const words = `${message} ${next}`;
    // The status item shows a failure after each save, so one notification is enough.
    if (this.#notified.get(file) === words) this.platform.log.error('Run on save', error);
    else this.platform.onError(error);
    this.#notified.set(file, words);
    return this.#isUnclear(file) ? unclearSave(label) : failedSave(label, message, next);
  }

  #isOnSelectedServer(job: Job): boolean {
    const { servers } = this.runs;
    return servers.current()?.kind === 'sandbox' ? servers.isOfSandbox(job) : servers.isCurrent(job.server);
  }

  /** The sandbox has a new address each time it starts. */
  #server(): string {
    const server = this.runs.servers.current();
    if (!server) return '';
    return server.kind === 'sandbox' ? server.kind : [server.name, server.url].join(' ');
  }
}

/** A save must not put a question under the keys of someone typing, so it only offers the ordinary run. */
function offerRun(uri: vscode.Uri, sentence: Shown): void {
  offerSteps(showWarning, sentence, [{ label: shown`Run…`, command: commands.run, args: [uri] }]);
}

function loudSave(long: Shown): SaveWords {
  return { short: shown`not run`, long, warning: true };
}

function failedSave(label: string, problem: string, nextAction = ''): SaveWords {
  const next = nextAction === '' ? t`Save it again to retry.` : nextAction;
  return loudSave(shown`${label} wasn't run. ${shown`${endSentence(problem)} ${next}`}`);
}

function unclearSave(label: string): SaveWords {
  return loudSave(
    shown`${label} wasn't run again, because an earlier run of it may still be running. If that run is gone, choose Stop Trying to Save… at its row in the Jobs view.`,
  );
}

function ranKey({ file, server }: SavedText): string {
  return `${server} ${file}`;
}

type Source = Pick<JobOrigin, 'sourceUri' | 'sourceHash' | 'promptHash'>;

/** Whether a prompt is that of the last run of its file. A refusal after acceptance is not a run. */
export function hasPromptRun(asked: Source, isLast: boolean, jobs: readonly Job[]): boolean {
  const isSame = ({ sourceHash, promptHash: hash }: Source): boolean =>
    sourceHash === asked.sourceHash || (hash !== undefined && hash === asked.promptHash);
  const timeOf = ({ createdAt = 0 }: Job): number => createdAt;
  const own = jobs
    .filter(({ origin }) => origin?.sourceUri === asked.sourceUri)
    .sort((a, b) => timeOf(a) - timeOf(b));
  const same = own.findLast(({ origin }) => origin && isSame(origin));
  // Removed from the list by the user: it still ran.
  if (!same) return isLast;
  return (isLast || same === own.at(-1)) && !wasRefusedLate(same);
}

/** A failed node's message may look like a refusal: it has run, and may have cost. */
function wasRefusedLate({ failure }: Job): boolean {
  if (!failure || failure.nodeId !== undefined) return false;
  return embeddedValidation(failure.message)?.nodeErrors !== undefined;
}
