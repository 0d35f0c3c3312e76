import * as vscode from 'vscode';
import { endSentence } from '../../core/safety/endSentence';
import type { UploadQuestion } from '../../core/runs/localFile';
import type { RunChoices } from '../../core/runs/runChoices';
import type { RunRefusal } from '../../core/runs/runRefusal';
import type { RunCallbacks, RunOutcome } from '../../core/runs/runWorkflow';
import type { RunSession } from '../../core/runLife/runSession';
import { sentencesText, t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { isGraphInSight } from '../platform/activeDocument';
import { commands, settings } from '../platform/contributions';
import type { Platform } from '../platform/platform';
import { UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import type { Servers } from '../servers/servers';
import type { Consent } from './consent';
import { requireTrust } from '../platform/requireTrust';
import { RunAnswers } from './runAnswers';
import { countedProblems } from './runDiagnostics';
import type { WindowRuns } from './windowRuns';
import { withRunProgress } from './progressNotification';
import type { WorkflowSource } from '../platform/workflowSource';
import { askText, isQuestionOpen, showCancellable, showError, showInformation } from '../platform/show';

/** Answers the questions of a run that nobody started by a button, so it opens no panel and asks nothing. */
export interface Unattended extends Pick<RunCallbacks, 'maySpend'> {
  mayUpload(files: readonly UploadQuestion[], session: RunSession): Promise<boolean>;
  refused(why: RunRefusal): void;
}

/** With which choices a person may run what was refused, if any. */
function choicesAnyway({ reason }: RunRefusal): Pick<RunChoices, 'force' | 'allowLoss'> | undefined {
  if (reason === 'lossy') return { allowLoss: true };
  return ['invalid', 'mediaNotSent', 'costUnknown'].includes(reason) ? { force: true } : undefined;
}

/** Counts problems as VS Code does: its tab and our code lens show the same number. */
async function messageAsCounted({ uri }: WorkflowSource, { message, lead }: RunRefusal): Promise<string> {
  const { length } = countedProblems(uri);
  if (lead === undefined || length === 0) return message;
  const { otherProblems } = await import('../../core/runs/judgeRun');
  return sentencesText(lead, otherProblems(length - 1));
}

async function openPreview({ uri }: WorkflowSource): Promise<void> {
  if (readSetting(settings.openPreviewOnRun) === true && !isGraphInSight(uri))
    await vscode.commands.executeCommand(commands.openPreview);
}

/** How many runs may wait or be asked for at once: enough for a handful of clicks, too few for a key that is stuck. */
const mostRuns = 20;

async function askTimes(): Promise<number | undefined> {
  const typed = await askText({
    title: shown`Run Several Times`,
    prompt: shown`Number of runs, each with new seeds`,
    value: '4',
    problem: (text) =>
      parseTimes(text) === undefined ? t`Enter a whole number from 1 to ${mostRuns}.` : undefined,
  });
  return typed === undefined ? undefined : parseTimes(typed);
}

function parseTimes(text: string): number | undefined {
  const times = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return times >= 1 && times <= mostRuns ? times : undefined;
}

export class Runs implements vscode.Disposable {
  /** The files being sent, in their order: a second press does not send the same run twice. */
  #underWay: readonly { readonly file: string; readonly ended: Promise<unknown> }[] = [];
  #waiting = 0;
  readonly #sentOne = new vscode.EventEmitter<void>();
  readonly onDidSend = this.#sentOne.event;

  readonly answers: RunAnswers;
  readonly servers: Servers;

  constructor(
    private readonly platform: Platform,
    readonly windowRuns: WindowRuns,
    readonly consent: Consent,
  ) {
    this.servers = windowRuns.servers;
    this.answers = platform.own(new RunAnswers(windowRuns.diagnostics, windowRuns.servers));
  }

  isUnderWay(uri: vscode.Uri): boolean {
    return this.#lastUnderWay(uri) !== undefined;
  }

  dispose(): void {
    this.#sentOne.dispose();
  }

  /** Returns the job's ID; undefined if nothing was sent, which the user knows. */
  async run(
    source: WorkflowSource,
    choices: RunChoices,
    on?: RunSession,
    unattended?: Unattended,
  ): Promise<string | undefined> {
    requireTrust();
    const waits = this.isUnderWay(source.uri);
    if (waits && (unattended || !this.#mayWait(source, choices))) return undefined;
    const jobId = await this.#runInTurn(source, choices, on, unattended);
    if (jobId !== undefined && !unattended && !waits) await openPreview(source);
    return jobId;
  }

  /** Starts when the run before it was sent. What keeps that from being sent ends this run, too. */
  #runInTurn(...run: Parameters<Runs['run']>): Promise<string | undefined> {
    const [{ uri }] = run;
    return this.underWayUntil(uri, this.#runAfter(this.#lastUnderWay(uri), run));
  }

  #lastUnderWay(uri: vscode.Uri): Promise<unknown> | undefined {
    return this.#underWay.findLast(({ file }) => file === uri.toString())?.ended;
  }

  /** The file counts as being sent until then. @param sent undefined if nothing was */
  async underWayUntil<Sent>(uri: vscode.Uri, sent: Promise<Sent | undefined>): Promise<Sent | undefined> {
    const run = { file: uri.toString(), ended: sent.catch(() => undefined) };
    this.#underWay = [...this.#underWay, run];
    try {
      return await sent;
    } finally {
      this.#underWay = this.#underWay.filter((each) => each !== run);
      this.#sentOne.fire();
    }
  }

  async #runAfter(
    before: Promise<unknown> | undefined,
    run: Parameters<Runs['run']>,
  ): Promise<string | undefined> {
    if (before) {
      this.#waiting++;
      const sent = await before;
      this.#waiting--;
      if (sent === undefined) return undefined;
    }
    const [source, choices, on, unattended] = run;
    this.windowRuns.diagnostics.clear(source.uri);
    const { servers } = this;
    const { readySession } = await import('../servers/serverPicks');
    const session = on ?? (await (unattended ? servers.session() : readySession(servers)));
    const outcome = session && (await this.#outcome(source, choices, session, unattended));
    return outcome && this.#present(run, session, outcome);
  }

  /** New seeds give another picture, so the run waits for its turn; the same run again would give the same one. */
  #mayWait({ label }: WorkflowSource, { seeds }: RunChoices): boolean {
    const words = isQuestionOpen()
      ? shown`${label} wasn't run again, because a question is still open.`
      : seeds !== 'new'
        ? shown`${label} is already being submitted. To run it several times, use Run with New Seeds.`
        : this.#waiting >= mostRuns
          ? shown`${label} wasn't run again, because ${mostRuns} runs are already waiting.`
          : undefined;
    if (words) void showInformation(words);
    return !words;
  }

  /** Asks how many runs with new seeds to send, one after another: until one is not sent, or the person cancels. */
  async runTimes(source: WorkflowSource): Promise<void> {
    requireTrust();
    const times = await askTimes();
    if (times === undefined) return;
    await showCancellable(shown`${source.label}`, async (signal, progress) => {
      for (let count = 1; count <= times && !signal.aborted; count++) {
        progress.report({ message: shown`submitting ${count} of ${times}`, increment: 100 / times });
        const jobId = await this.#runInTurn(source, { seeds: 'new' });
        if (jobId === undefined) return;
        if (count === 1) await openPreview(source);
      }
    });
  }

  /**
   * Sends a prompt that a ComfyUI page has made of a file, and follows its job. The page shows what comes of it.
   * @param isOther it was made of something else that the page shows
   */
  async sendPrompt(
    source: WorkflowSource,
    choices: RunChoices,
    session: RunSession,
    isOther: boolean,
  ): Promise<RunOutcome | undefined> {
    requireTrust();
    if (!isOther) this.windowRuns.diagnostics.clear(source.uri);
    const outcome = await this.#outcome(source, choices, session, undefined, isOther);
    if (!isOther && outcome?.kind === 'submitted') this.answers.forget();
    return outcome;
  }

  /** Also follows what was sent. @returns undefined if there is no folder for its outputs, which the user knows */
  async #outcome(
    source: WorkflowSource,
    choices: RunChoices,
    session: RunSession,
    unattended: Unattended | undefined,
    hasNoFile = false,
  ): Promise<RunOutcome | undefined> {
    const { servers, windowRuns, answers, consent } = this;
    const outputFolder = await windowRuns.places.ask(source.uri);
    if (!outputFolder) return undefined;
    const { uri, ...rest } = source;
    try {
      const { runWorkflow } = await import('../../core/runs/runWorkflow');
      const attempts = await windowRuns.attempts();
      const outcome = await withRunProgress(source.label, async (stage, signal) => {
        const asks = this.#asks(source, session, unattended);
        const ports = attempts.ports(
          {
            ...{ server: session.origin, serverName: session.server.name, folder: outputFolder.fsPath },
            isSandbox: session.server.url === servers.sandbox.url,
            ...(!hasNoFile && { sourceUri: uri.toString() }),
          },
          (event) => event.kind === 'stage' && stage(event.stage),
        );
        const allowLoss = consent.hasAcceptedLoss(source.uri, source.workflow.text);
        const from = hasNoFile ? rest : source;
        const sent = await runWorkflow(from, { allowLoss, ...choices }, session, asks, ports, signal);
        // It was cancelled while its prompt was on its way, so its job is followed to the end.
        if (sent.kind === 'submitted' && signal.aborted)
          await session.tracker.cancel(sent.jobId).catch(this.platform.onError);
        return sent;
      });
      if (outcome.kind === 'submitted') attempts.follow(outcome.owned, session);
      // Nobody knows whether the server has it, so it is looked for later.
      if (outcome.kind === 'unknown')
        windowRuns.pointers.setLeft(outcome.owned.facts, { kind: 'owed', why: 'notSeen' });
      return outcome;
    } catch (error) {
      answers.couldNotSend(source, session, error);
      const { OutputError } = await import('../../core/outputs/outputError');
      if (!OutputError.is(error)) throw error;
      throw new UserProblem(shown`${error.message}`, shown`${error.nextAction}`, [], { cause: error });
    }
  }

  #asks(source: WorkflowSource, session: RunSession, unattended: Unattended | undefined): RunCallbacks {
    const { consent, servers } = this;
    const isSandbox = session.server.url === servers.sandbox.url;
    return {
      localMedia:
        source.localMedia ??
        (async (name) => (await import('./findLocalMedia')).findLocalMedia(source.uri, name)),
      // The sandbox is in this process, and nothing there costs credits.
      mayUpload: async (files) =>
        isSandbox ||
        (unattended
          ? unattended.mayUpload(files, session)
          : consent.upload(files, session.server.name, session.origin)),
      maySpend: async (nodes) =>
        isSandbox || (unattended ?? { maySpend: () => consent.spend(nodes) }).maySpend(nodes),
      ...(!unattended && {
        mayRunUnheard: (reason: string) => consent.runUnheard(session.server.name, reason),
      }),
      // The sandbox accepts any key, and never gets a real one.
      partnerKey: async () => (isSandbox ? 'sandbox' : servers.keys.get(session.origin)),
    };
  }

  async #present(
    run: Parameters<Runs['run']>,
    session: RunSession,
    outcome: RunOutcome,
  ): Promise<string | undefined> {
    const { answers } = this;
    const [source, , , unattended] = run;
    switch (outcome.kind) {
      case 'submitted':
        await answers.accepted(source, outcome);
        return outcome.jobId;
      case 'refused': {
        await answers.refused(source, session, outcome);
        const anyway = choicesAnyway(outcome);
        if (unattended) unattended.refused(outcome);
        // Nobody waits for it: an open question must not keep the file from being run again.
        else if (anyway) this.#offerAnyway(run, outcome, anyway).catch(this.platform.onError);
        else
          throw new UserProblem(
            shown`${source.label}: ${endSentence(outcome.message)}`,
            shown`${outcome.nextAction}`,
          );
        return undefined;
      }
      case 'refusedByServer':
        throw await answers.refusedByServer(source, session, outcome);
      case 'unknown':
        answers.couldNotSend(source, session, outcome.error);
        throw outcome.error;
      case 'declined':
        return undefined;
    }
  }

  async #offerAnyway(
    [source, choices, on]: Parameters<Runs['run']>,
    refusal: RunRefusal,
    accepted: Pick<RunChoices, 'force' | 'allowLoss'>,
  ): Promise<void> {
    const anyway = { label: shown`Run Anyway` };
    const show = { label: shown`Show Problems` };
    const find = { label: shown`Find Missing Packs…` };
    const message = endSentence(await messageAsCounted(source, refusal));
    const lacksPacks =
      readSetting(settings.registry)?.trim() && refusal.findings.some(({ fix }) => fix?.kind === 'findPack');
    const words = shown`${source.label}: ${message} ${refusal.nextAction}`;
    const answer = await showError(words, ...(lacksPacks ? [find] : []), show, anyway);
    if (answer === find) await vscode.commands.executeCommand(commands.missingPacks, source.uri);
    if (answer === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
    if (answer !== anyway) return;
    if (accepted.allowLoss === true) this.consent.acceptLoss(source.uri, source.workflow.text);
    await this.run(source, { ...choices, ...accepted }, on);
  }
}
