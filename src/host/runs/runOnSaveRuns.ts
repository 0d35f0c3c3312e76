import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { promptHash } from '../../core/runs/promptHash';
import {
  knownRunOfPrompt,
  type KnownOfPrompt,
  type SavedText,
  type RunOnSaveObstacle,
  RunOnSaveQueue,
  type RunOnSavePorts,
  type RunOnSaveState,
} from '../../core/runs/runOnSaveQueue';
import { readWorkflowPrompt } from '../../core/runs/readWorkflowPrompt';
import type { Platform } from '../platform/platform';
import { isCancellation, UserProblem } from '../platform/problems';
import type { RunOnSaveSwitch } from './runOnSaveSwitch';
import type { Runs } from './runs';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { uriName } from '../platform/workflowSource';
import { endSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import { type Shown, shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { showWarning } from '../platform/show';

/** Runs what was saved. Each run may cost, so in doubt it doesn't, and the state says why. */
export class RunOnSaveRuns implements RunOnSavePorts, vscode.Disposable {
  readonly #queue = new RunOnSaveQueue(this);
  readonly #window = new AbortController();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #notified = new Map<string, string>();

  /** @param tell called with the result of a file's last save */
  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
    private readonly onSave: RunOnSaveSwitch,
    private readonly tell: RunOnSavePorts['onState'],
  ) {
    this.#subscriptions = [
      new vscode.Disposable(runs.windowRuns.runs.onDidChange(() => this.#queue.wake())),
      runs.onDidSend(() => this.#queue.wake()),
    ];
  }

  onState(file: string, state: RunOnSaveState): void {
    const result = state.kind === 'notRun' ? state.why.kind : state.kind;
    this.platform.log.info(`Run on save, ${uriName(vscode.Uri.parse(file))}: ${result}.`);
    this.tell(file, state);
  }

  saved(uri: vscode.Uri, text: string): void {
    this.#queue.saved({ file: uri.toString(), workflow: WorkflowDocument.of(text), server: this.#server() });
  }

  async obstacle({ file, server }: SavedText): Promise<RunOnSaveObstacle | undefined> {
    const { onSave } = this;
    if (!vscode.workspace.isTrusted) return { kind: 'untrusted' };
    if (!onSave.isSet(vscode.Uri.parse(file))) return { kind: 'off' };
    // What earlier windows ran isn't run again, even if they have not seen its end.
    const { windowRuns } = this.runs;
    await Promise.all([windowRuns.ready(), windowRuns.pointers.read()]);
    const wanted = await onSave.isWanted();
    if (wanted !== true) return { kind: wanted === undefined ? 'noAnswer' : 'off' };
    return server === this.#server() ? undefined : { kind: 'serverChanged' };
  }

  async hash({ workflow }: SavedText): Promise<string | undefined> {
    const read = readWorkflowPrompt(workflow);
    if (read.kind === 'prompt') return promptHash(read);
    if (read.reason !== 'noDefinitions') return undefined;
    const session = await this.runs.servers.session();
    const { catalog } = await session.serverDefinitions(this.#window.signal);
    const compiled = readWorkflowPrompt(workflow, catalog);
    return compiled.kind === 'prompt' ? promptHash(compiled, catalog) : undefined;
  }

  earlier(
    { file, workflow }: SavedText,
    hash: string | undefined,
    isLast: boolean,
  ): KnownOfPrompt | undefined {
    const sourceHash = createHash('sha256').update(workflow.text).digest('hex');
    const { runs, pointers } = this.runs.windowRuns;
    const unanswered = pointers.owed().filter(({ jobId, batch, outputsUnknown }) => {
      const isListed = jobId !== undefined && runs.job(jobId) !== undefined;
      return !isListed && !outputsUnknown && batch === undefined;
    });
    return knownRunOfPrompt(
      { file, sourceHash, promptHash: hash },
      isLast,
      runs.jobs().filter((job) => this.#isOnSelectedServer(job)),
      this.isBusy(file) ? [] : unanswered,
    );
  }

  isBusy(file: string): boolean {
    const { runs } = this;
    const isOfFile = ({ origin }: Job): boolean => origin?.sourceUri === file;
    return runs.isUnderWay(vscode.Uri.parse(file)) || runs.windowRuns.runs.live().some(isOfFile);
  }

  async run({ file, workflow }: SavedText): Promise<RunOnSaveObstacle | undefined> {
    const uri = vscode.Uri.parse(file);
    const label = uriName(uri);
    let why: RunOnSaveObstacle = { kind: 'failed', problem: t`It wasn't sent.` };
    const wouldAsk = (sentence: Shown): Promise<boolean> => {
      why = { kind: 'needsAnswer' };
      this.#offerRun(file, sentence);
      return Promise.resolve(false);
    };
    if (this.runs.windowRuns.places.wouldAsk(uri)) {
      await wouldAsk(
        shown`${label} was saved but not run, because you haven't chosen an output folder for it.`,
      );
      return why;
    }
    const jobId = await this.runs.run({ uri, workflow, label }, { seeds: 'keep' }, undefined, {
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
        why = { kind: 'failed', problem: message, nextAction };
        this.#offerRun(file, shown`${label} was saved but not run. ${endSentence(message)} ${nextAction}`);
      },
    });
    if (jobId === undefined) return why;
    this.#notified.delete(file);
    return undefined;
  }

  /** A save must not put a question under the keys of someone typing, so it only offers the ordinary run. */
  #offerRun(file: string, sentence: Shown): void {
    const run = { label: shown`Run…` };
    void showWarning(sentence, run).then((answer) => {
      if (answer === run) void vscode.commands.executeCommand(commands.run, vscode.Uri.parse(file));
    });
  }

  trouble(error: unknown, { file }: SavedText): RunOnSaveObstacle {
    if (isCancellation(error)) return { kind: 'failed', problem: t`It was cancelled.` };
    const why = obstacleOf(error);
    const words = [why.problem, why.nextAction].join(' ');
    // The status item shows a failure after each save, so one notification is enough.
    if (this.#notified.get(file) === words) this.platform.log.error('Run on save', error);
    else this.platform.onError(error);
    this.#notified.set(file, words);
    return why;
  }

  dispose(): void {
    this.#window.abort(new vscode.CancellationError());
    this.#queue.dispose();
    for (const each of this.#subscriptions) each.dispose();
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

function obstacleOf(error: unknown): Extract<RunOnSaveObstacle, { readonly kind: 'failed' }> {
  if (!(error instanceof Error)) return { kind: 'failed', problem: t`See the log for details.` };
  const problem = error.message;
  if (error instanceof UserProblem) return { kind: 'failed', problem, nextAction: error.nextAction.line() };
  if ('nextAction' in error) return { kind: 'failed', problem, nextAction: String(error.nextAction) };
  return { kind: 'failed', problem };
}
