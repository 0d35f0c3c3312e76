import * as vscode from 'vscode';
import { endSentence } from '../../core/safety/endSentence';
import type { UploadQuestion } from '../../core/runs/localMedia';
import type { RunChoices } from '../../core/runs/runChoices';
import type { RunRefusal } from '../../core/runs/runRefusal';
import type { RunCallbacks, RunOutcome } from '../../core/runs/runWorkflow';
import type { RunSession } from '../../core/runs/runSession';
import { plural, t } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import type { OutputPlaces } from '../jobs/outputPlace';
import type { OwedRuns } from '../owed/owedRuns';
import { commands, settings } from '../platform/contributions';
import type { Log } from '../platform/log';
import { isCancellation, tellProblem, UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import type { Servers } from '../servers/servers';
import type { Consent } from './consent';
import type { RunDiagnostics } from './runDiagnostics';
import type { RefusedRun, RefusedRuns } from './refusedRuns';
import { requireTrust } from './requireTrust';
import type { JobCompletions } from './jobCompletions';
import { withRunProgress } from './progressNotification';
import { mostWaiting, RunQueue } from './runQueue';
import type { SubmittedRuns } from './submittedRuns';
import type { WorkflowSource } from '../platform/workflowSource';
import { isAsking, showError, showInformation } from '../platform/show';
import { errorWords } from '../../core/safety/errorWords';

/**
 * Answers in the place of a person: nobody pressed a button for this run, so it opens no panel, and asks for nothing in
 * the middle of the window.
 */
export interface Unattended extends Pick<RunCallbacks, 'maySpend'> {
  mayUpload(files: readonly UploadQuestion[], session: RunSession): Promise<boolean>;
  /** Why the text was not sent, instead of a notification. */
  refused(why: RunRefusal): void;
}

export interface RunParts {
  readonly log: Log;
  readonly servers: Servers;
  /** A session of the selected server, after asking for what is missing; undefined when cancelled. */
  readonly readySession: () => Promise<RunSession | undefined>;
  readonly places: OutputPlaces;
  readonly consent: Consent;
  readonly diagnostics: RunDiagnostics;
  readonly submitted: SubmittedRuns;
  readonly ends: JobCompletions;
  readonly owed: OwedRuns;
  readonly refused: RefusedRuns;
}

type Refusal = Pick<RefusedRun, 'message' | 'summary' | 'nextAction' | 'places'>;

const correctIt = t`Fix the workflow, then run again.`;

function couldNotSend(error: unknown): Refusal {
  return { ...errorWords(error), places: [] };
}

/** A run refused before it was sent, which the user may want anyway. */
interface Offer {
  readonly words: Shown;
}

function costly(label: string): Shown {
  return shown`Runs of ${label} don't queue up, because its partner nodes spend credits. Run it again after each run is sent.`;
}

/** Runs workflow texts: presents what core/runs does, and passes the job on to those that track it. */
export class Runs implements vscode.Disposable {
  readonly #parts: RunParts;
  /** Files being sent: a second press of the button does not send them at the same time. */
  readonly #underWay = new Set<string>();
  /** Those of them with partner nodes. */
  readonly #costly = new Set<string>();
  readonly #queue = new RunQueue();
  readonly #sentOne = new vscode.EventEmitter<void>();
  /** A file is no longer being sent. */
  readonly onDidSend = this.#sentOne.event;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Whether a file is being sent. */
  isUnderWay(uri: vscode.Uri): boolean {
    return this.#underWay.has(uri.toString());
  }

  /** Drops the presses that wait for their turn. */
  stopQueued(): void {
    if (this.#queue.drop() === 0) void showInformation(shown`No runs are queued.`);
  }

  dispose(): void {
    this.#queue.dispose();
    this.#sentOne.dispose();
  }

  /**
   * Runs on the selected server unless told; a run with new seeds waits for its turn. Gives the id of the job; undefined
   * when the text was not sent, and the user knows why or wanted it so.
   */
  async run(
    source: WorkflowSource,
    choices: RunChoices,
    on?: RunSession,
    unattended?: Unattended,
  ): Promise<string | undefined> {
    requireTrust();
    const key = source.uri.toString();
    const waits = this.#underWay.has(key);
    if (waits) {
      if (unattended) return undefined;
      const why = this.#whyNot(source, choices);
      if (why) {
        void showInformation(why);
        return undefined;
      }
      if (!(await this.#queue.join(key))) return undefined;
    }
    this.#underWay.add(key);
    let sent: string | Offer | undefined;
    try {
      sent = await this.#send(source, choices, on, unattended, waits);
    } finally {
      if (typeof sent !== 'string' || this.#costly.has(key)) this.#dropQueued(source);
      this.#costly.delete(key);
      // The next one takes over without a gap in which another run could start.
      if (!this.#queue.next(key)) this.#underWay.delete(key);
      this.#sentOne.fire();
    }
    if (typeof sent !== 'object') return sent;
    this.#offerAnyway(source, choices, on, sent);
    return undefined;
  }

  /** Why a press does nothing while its file is being sent; undefined if it waits for its turn. */
  #whyNot({ uri, label }: WorkflowSource, { seeds }: RunChoices): Shown | undefined {
    const key = uri.toString();
    if (seeds === 'keep') {
      return shown`${label} is still being sent. To queue several runs, use Run With New Seeds.`;
    }
    if (isAsking()) return shown`Answer the open question first, then run ${label} again.`;
    if (this.#costly.has(key)) return costly(label);
    return this.#queue.waiting(key) < mostWaiting
      ? undefined
      : shown`${mostWaiting} runs of ${label} are queued already. Wait until some of them are sent.`;
  }

  /** What waits would meet the same obstacle, or spend credits that nobody agreed to. */
  #dropQueued({ uri, label }: WorkflowSource): void {
    const key = uri.toString();
    const number = this.#queue.drop([key]);
    if (number === 0) return;
    void showInformation(
      this.#costly.has(key)
        ? costly(label)
        : plural(
            number,
            shown`1 queued run of ${label} was not sent either.`,
            shown`${number} queued runs of ${label} were not sent either.`,
          ),
    );
  }

  async #send(
    source: WorkflowSource,
    choices: RunChoices,
    on: RunSession | undefined,
    unattended: Unattended | undefined,
    waited: boolean,
  ): Promise<string | Offer | undefined> {
    const { servers, places, diagnostics } = this.#parts;
    diagnostics.clear(source.uri);
    const session = on ?? (await (unattended ? servers.session() : this.#parts.readySession()));
    if (!session) return undefined;
    const outputFolder = await places.ask(source.uri);
    if (!outputFolder) return undefined;
    let outcome: RunOutcome;
    try {
      const { runWorkflow } = await import('../../core/runs/runWorkflow');
      outcome = await withRunProgress(source.label, (stage, signal) => {
        const asks = this.#asks(source, session, unattended, outputFolder, stage);
        return runWorkflow(source, choices, session, asks, signal);
      });
    } catch (error) {
      servers.learnFrom(error, session.origin);
      if (!isCancellation(error)) this.#refused(source, session, couldNotSend(error));
      throw error;
    }
    return this.#present(source, session, unattended, outputFolder, outcome, waited);
  }

  #refused(source: WorkflowSource, session: RunSession, why: Refusal): void {
    const { uri, label } = source;
    this.#parts.refused.refused({ uri, label, server: session.server.name, ...why });
  }

  #asks(
    source: WorkflowSource,
    session: RunSession,
    unattended: Unattended | undefined,
    outputFolder: vscode.Uri,
    stage: RunCallbacks['stage'],
  ): RunCallbacks {
    const { consent, servers, owed } = this.#parts;
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
        this.#costly.add(source.uri.toString());
        return isSandbox || (unattended ? unattended.maySpend(nodes) : consent.spend(nodes));
      },
      ...(!unattended && {
        mayRunUnheard: (reason: string) => consent.runUnheard(session.server.name, reason),
      }),
      // The sandbox accepts any key, and never gets a real one.
      partnerKey: async () => (isSandbox ? 'sandbox' : servers.keys.get(session.origin)),
      stage,
      owe: (run) => owed.owe(run, session, outputFolder, isSandbox),
    };
  }

  async #present(
    source: WorkflowSource,
    session: RunSession,
    unattended: Unattended | undefined,
    outputFolder: vscode.Uri,
    outcome: RunOutcome,
    waited: boolean,
  ): Promise<string | Offer | undefined> {
    const { diagnostics, servers, submitted, ends, owed } = this.#parts;
    const file = { uri: source.uri, text: source.workflow.text };
    switch (outcome.kind) {
      case 'submitted': {
        const { jobId, findings, run } = outcome;
        const { promptText, workflowText, choices } = run;
        const record = owed.list.ofJob(jobId)?.record;
        this.#parts.refused.forget();
        diagnostics.remember(jobId, file, run);
        const sent = { promptText, workflowText, targets: choices.targets, outputFolder };
        await submitted.keep(jobId, sent, record);
        ends.follow(jobId, session);
        await diagnostics.show(file, findings);
        // A press that waited opens nothing: the user may be looking at something else by now.
        if (!unattended && !waited && readSetting(settings.openPreviewOnRun) === true) {
          await vscode.commands.executeCommand(commands.openPreview);
        }
        return jobId;
      }
      case 'refused': {
        const { refusal } = outcome;
        this.#refused(source, session, { ...refusal, places: refusal.findings });
        await diagnostics.showRefusal(file, refusal);
        if (unattended) {
          unattended.refused(refusal);
          return undefined;
        }
        const words = shown`${source.label}: ${endSentence(refusal.message)} ${refusal.nextAction}`;
        if (['invalid', 'mediaNotSent', 'costUnknown'].includes(refusal.reason)) return { words };
        throw new UserProblem(
          shown`${source.label}: ${endSentence(refusal.message)}`,
          shown`${refusal.nextAction}`,
        );
      }
      case 'refusedByServer': {
        const { error, findings } = outcome;
        // The check found no errors.
        servers.sessions.reportStaleDefinitions(session.origin);
        const { message } = error;
        this.#refused(source, session, { message, nextAction: correctIt, places: findings });
        await diagnostics.show(file, findings);
        const first = findings[0] && endSentence(findings[0].message);
        throw new UserProblem(
          Shown.join([
            shown`${session.server.name} refused ${source.label}: ${endSentence(error.message)}`,
            first,
          ]),
          findings.length > 0
            ? shown`Fix the problems in the Problems panel, then run again.`
            : shown`${correctIt}`,
        );
      }
      case 'declined':
        return undefined;
    }
  }

  /** Not waited for: a question that nobody answers must not keep the file from being run again. */
  #offerAnyway(
    source: WorkflowSource,
    choices: RunChoices,
    on: RunSession | undefined,
    { words }: Offer,
  ): void {
    const anyway = { label: shown`Run Anyway` };
    const show = { label: shown`Show Problems` };
    const act = async (): Promise<void> => {
      const answer = await showError(words, show, anyway);
      if (answer === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
      if (answer === anyway) await this.run(source, { ...choices, force: true }, on);
    };
    act().catch((error: unknown) => tellProblem(error, this.#parts.log));
  }
}
