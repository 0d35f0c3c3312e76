import * as vscode from 'vscode';
import { endSentence } from '../../core/safety/endSentence';
import type { UploadQuestion } from '../../core/runs/localMedia';
import type { RunChoices } from '../../core/runs/runChoices';
import type { RunRefusal } from '../../core/runs/runRefusal';
import type { RunCallbacks, RunOutcome } from '../../core/runs/runWorkflow';
import type { RunSession } from '../../core/runLife/runSession';
import { sentencesText } from '../../core/safety/localize';
import { type Shown, shown } from '../../core/safety/shownText';
import { isGraphInSight } from '../platform/activeDocument';
import { commands, settings } from '../platform/contributions';
import { tellProblem, UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import type { Services } from '../services';
import { requireTrust } from './requireTrust';
import { problemsOf } from './runDiagnostics';
import { withRunProgress } from './progressNotification';
import type { WorkflowSource } from '../platform/workflowSource';
import { isQuestionOpen, showError, showInformation } from '../platform/show';
import type { WaitingRuns } from './waitingRuns';

/**
 * Answers in the place of a person: nobody pressed a button for this run, so it opens no panel, and asks for nothing in
 * the middle of the window.
 */
export interface Unattended extends Pick<RunCallbacks, 'maySpend'> {
  mayUpload(files: readonly UploadQuestion[], session: RunSession): Promise<boolean>;
  /** Why the text was not sent, instead of a notification. */
  refused(why: RunRefusal): void;
}

type RunServices = Pick<
  Services,
  'log' | 'servers' | 'readySession' | 'places' | 'consent' | 'windowRuns' | 'answers'
>;

/** A folder that can't be written to says what to do. */
async function withAction(error: unknown): Promise<unknown> {
  const { FolderNotUsableError } = await import('../../core/outputs/checkFolder');
  if (!FolderNotUsableError.is(error)) return error;
  return new UserProblem(shown`${error.message}`, shown`${error.nextAction}`, [], { cause: error });
}

/** A run refused before it was sent, which the user may want anyway. */
interface Offer {
  readonly words: Shown;
  /** What is chosen with it. */
  readonly anyway: Pick<RunChoices, 'force' | 'allowLoss'>;
  readonly lacksPacks: boolean;
}

/** What would overrule a refusal; undefined if nothing does. */
function anywayFor({ reason }: RunRefusal): Offer['anyway'] | undefined {
  if (reason === 'lossy') return { allowLoss: true };
  return ['invalid', 'mediaNotSent', 'costUnknown'].includes(reason) ? { force: true } : undefined;
}

function lacksPacks({ findings }: RunRefusal): boolean {
  return (
    findings.some(({ fix }) => fix?.kind === 'findPack') &&
    (readSetting(settings.registry) ?? '').trim() !== ''
  );
}

/** Counts problems as VS Code does: its tab and our code lens show the same number. */
async function messageAsCounted({ uri }: WorkflowSource, { message, lead }: RunRefusal): Promise<string> {
  const { length } = problemsOf(uri);
  if (lead === undefined || length === 0) return message;
  const { otherProblems } = await import('../../core/runs/judgeRun');
  return length === 1 ? lead : sentencesText(lead, otherProblems(length - 1));
}

/** A graph that is in sight shows the run itself. */
async function openPreview({ uri }: WorkflowSource): Promise<void> {
  if (readSetting(settings.openPreviewOnRun) === true && !isGraphInSight(uri))
    await vscode.commands.executeCommand(commands.openPreview);
}

/** Runs workflow texts: presents what core/runs does, and passes the job on to those that track it. */
export class Runs implements vscode.Disposable {
  /** Files being sent: a second press of the button does not send them twice. */
  readonly #underWay = new Set<string>();
  #waiting: Promise<WaitingRuns> | undefined;
  readonly #sentOne = new vscode.EventEmitter<void>();
  /** A file is no longer being sent. */
  readonly onDidSend = this.#sentOne.event;

  constructor(private readonly services: RunServices) {}

  /** Whether a file is being sent. */
  isUnderWay(uri: vscode.Uri): boolean {
    return this.#underWay.has(uri.toString());
  }

  dispose(): void {
    void this.#waiting?.then((waiting) => waiting.dispose());
    this.#sentOne.dispose();
  }

  /**
   * Runs on the selected server unless told. Gives the id of the job; undefined when the text was not sent, and the user
   * knows why or wanted it so.
   */
  async run(
    source: WorkflowSource,
    choices: RunChoices,
    on?: RunSession,
    unattended?: Unattended,
  ): Promise<string | undefined> {
    requireTrust();
    if (this.isUnderWay(source.uri)) return unattended ? undefined : this.#later(source, choices, on);
    const jobId = await this.#run(source, choices, on, unattended);
    if (jobId !== undefined && !unattended) await openPreview(source);
    return jobId;
  }

  async #run(
    source: WorkflowSource,
    choices: RunChoices,
    on?: RunSession,
    unattended?: Unattended,
  ): Promise<string | undefined> {
    const key = source.uri.toString();
    this.#underWay.add(key);
    let sent: string | Offer | undefined;
    try {
      sent = await this.#send(source, choices, on, unattended);
    } finally {
      this.#underWay.delete(key);
      this.#sentOne.fire();
    }
    if (typeof sent !== 'object') return sent;
    this.#offerAnyway(source, choices, on, sent);
    return undefined;
  }

  /** New seeds give another picture, so the run waits for its turn; the same run again gives the same one. */
  async #later(
    source: WorkflowSource,
    choices: RunChoices,
    on: RunSession | undefined,
  ): Promise<string | undefined> {
    const { label } = source;
    if (choices.seeds !== 'new' || isQuestionOpen()) {
      void showInformation(
        isQuestionOpen()
          ? shown`${label} wasn't run again, because a question is still open.`
          : shown`${label} is already being submitted. To run it several times, use Run with New Seeds.`,
      );
      return undefined;
    }
    return this.#wait(source, choices, on);
  }

  /** One after another, each with new seeds. */
  async runTimes(source: WorkflowSource, times: number): Promise<void> {
    requireTrust();
    const [first, ...others] = Array.from({ length: times }, () =>
      this.#wait(source, { seeds: 'new' }, undefined),
    );
    if ((await first) !== undefined) await openPreview(source);
    await Promise.all(others);
  }

  async #wait(
    source: WorkflowSource,
    choices: RunChoices,
    on: RunSession | undefined,
  ): Promise<string | undefined> {
    this.#waiting ??= import('./waitingRuns').then(
      ({ WaitingRuns }) => new WaitingRuns((file) => !this.#underWay.has(file), this.onDidSend),
    );
    const waiting = await this.#waiting;
    // Without the preview: by now, the person may have chosen what it shows.
    return waiting.add(source.uri.toString(), source.label, () => this.#run(source, choices, on));
  }

  async stopWaiting(why?: Shown): Promise<void> {
    (await this.#waiting)?.stop(why);
  }

  async #send(
    source: WorkflowSource,
    choices: RunChoices,
    on: RunSession | undefined,
    unattended: Unattended | undefined,
  ): Promise<string | Offer | undefined> {
    const { servers, places, answers, consent } = this.services;
    answers.clear(source.uri);
    const session = on ?? (await (unattended ? servers.session() : this.services.readySession()));
    if (!session) return undefined;
    const outputFolder = await places.ask(source.uri);
    if (!outputFolder) return undefined;
    let outcome: RunOutcome;
    try {
      const { runWorkflow } = await import('../../core/runs/runWorkflow');
      outcome = await withRunProgress(source.label, async (stage, signal) => {
        const asks = this.#asks(source, session, unattended);
        const ports = await this.services.windowRuns.held.ports(
          {
            ...{ server: session.origin, serverName: session.server.name, folder: outputFolder.fsPath },
            isSandbox: session.server.url === servers.sandbox.url,
            sourceUri: source.uri.toString(),
          },
          (event) => event.kind === 'stage' && stage(event.stage),
        );
        const allowLoss = consent.hasAcceptedLoss(source.uri, source.workflow.text);
        const sent = await runWorkflow(source, { allowLoss, ...choices }, session, asks, ports, signal);
        if (sent.kind === 'submitted' && signal.aborted) await this.#cancel(sent.jobId, session);
        return sent;
      });
    } catch (error) {
      answers.couldNotSend(source, session, error);
      throw await withAction(error);
    }
    return this.#present(source, session, unattended, outcome);
  }

  #asks(source: WorkflowSource, session: RunSession, unattended: Unattended | undefined): RunCallbacks {
    const { consent, servers } = this.services;
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
      maySpend: async (nodes) => {
        if (isSandbox) return true;
        if (unattended) return unattended.maySpend(nodes);
        await this.stopWaiting(
          shown`The waiting runs weren't started, because ${source.label} has paid partner nodes. Each run needs your consent.`,
        );
        return consent.spend(nodes);
      },
      ...(!unattended && {
        mayRunUnheard: (reason: string) => consent.runUnheard(session.server.name, reason),
      }),
      // The sandbox accepts any key, and never gets a real one.
      partnerKey: async () => (isSandbox ? 'sandbox' : servers.keys.get(session.origin)),
    };
  }

  /** The run was cancelled while its prompt was on its way: the job is followed like all others, to its end. */
  async #cancel(jobId: string, session: RunSession): Promise<void> {
    try {
      await session.tracker.cancel(jobId);
    } catch (error) {
      tellProblem(error, this.services.log);
    }
  }

  async #present(
    source: WorkflowSource,
    session: RunSession,
    unattended: Unattended | undefined,
    outcome: RunOutcome,
  ): Promise<string | Offer | undefined> {
    const { answers, windowRuns } = this.services;
    switch (outcome.kind) {
      case 'submitted':
        windowRuns.follow(outcome.owned, session);
        await answers.accepted(source, outcome);
        return outcome.jobId;
      case 'refused': {
        const { refusal } = outcome;
        await answers.refused(source, session, refusal);
        if (unattended) {
          unattended.refused(refusal);
          return undefined;
        }
        const anyway = anywayFor(refusal);
        if (anyway) {
          const message = await messageAsCounted(source, refusal);
          const words = shown`${source.label}: ${endSentence(message)} ${refusal.nextAction}`;
          return { words, anyway, lacksPacks: lacksPacks(refusal) };
        }
        throw new UserProblem(
          shown`${source.label}: ${endSentence(refusal.message)}`,
          shown`${refusal.nextAction}`,
        );
      }
      case 'refusedByServer':
        throw await answers.refusedByServer(source, session, outcome);
      case 'unknown':
        await windowRuns.unclear(outcome.owned);
        answers.couldNotSend(source, session, outcome.error);
        throw outcome.error;
      case 'declined':
        return undefined;
    }
  }

  /** Not waited for: a question that nobody answers must not keep the file from being run again. */
  #offerAnyway(
    source: WorkflowSource,
    choices: RunChoices,
    on: RunSession | undefined,
    { words, anyway: accepted, lacksPacks }: Offer,
  ): void {
    const anyway = { label: shown`Run Anyway` };
    const show = { label: shown`Show Problems` };
    const find = { label: shown`Find Missing Packs…` };
    const act = async (): Promise<void> => {
      const answer = await showError(words, ...(lacksPacks ? [find] : []), show, anyway);
      if (answer === find) await vscode.commands.executeCommand(commands.missingPacks, source.uri);
      if (answer === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
      if (answer !== anyway) return;
      if (accepted.allowLoss === true) this.services.consent.acceptLoss(source.uri, source.workflow.text);
      await this.run(source, { ...choices, ...accepted }, on);
    };
    act().catch((error: unknown) => tellProblem(error, this.services.log));
  }
}
