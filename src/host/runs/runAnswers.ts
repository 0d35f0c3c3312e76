import * as vscode from 'vscode';
import type { Finding } from '../../core/check/finding';
import type { RunRefusal } from '../../core/runs/runRefusal';
import type { RunOutcome } from '../../core/runs/runWorkflow';
import type { RunSession } from '../../core/runLife/runSession';
import { endSentence } from '../../core/safety/endSentence';
import { errorWords } from '../../core/safety/errorWords';
import { t } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { isCancellation, UserProblem } from '../platform/problems';
import type { WorkflowSource } from '../platform/workflowSource';
import type { Servers } from '../servers/servers';
import type { RunDiagnostics } from './runDiagnostics';

/** A run that did not start: there is no job. */
export interface RefusedRun {
  readonly uri: vscode.Uri;
  readonly label: string;
  readonly server: string;
  readonly message: string;
  /** The message for where all of `places` are listed next to it. */
  readonly summary?: string;
  readonly nextAction: string;
  /** Ranges of UTF-16 units in the file's text. */
  readonly places: readonly Pick<Finding, 'message' | 'offset' | 'length'>[];
}

type Outcome<Kind extends RunOutcome['kind']> = Extract<RunOutcome, { readonly kind: Kind }>;

/** Shows what the check and the server say to the runs of this window, at its places in the file. */
export class RunAnswers implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #last: RefusedRun | undefined;

  constructor(
    private readonly diagnostics: RunDiagnostics,
    private readonly servers: Servers,
  ) {}

  get last(): RefusedRun | undefined {
    return this.#last;
  }

  forget(): void {
    if (this.#last === undefined) return;
    this.#last = undefined;
    this.#changed.fire();
  }

  async accepted(source: WorkflowSource, { jobId, findings, run }: Outcome<'submitted'>): Promise<void> {
    this.forget();
    this.diagnostics.remember(jobId, source.workflow.text, run.places);
    await this.diagnostics.show(source.uri, source.workflow.text, findings);
  }

  async refused(source: WorkflowSource, session: RunSession, refusal: RunRefusal): Promise<void> {
    this.#refused(source, session, { ...refusal, places: refusal.findings });
    await this.diagnostics.showRefusal(source.uri, source.workflow.text, refusal);
  }

  async refusedByServer(
    source: WorkflowSource,
    session: RunSession,
    { error, findings }: Outcome<'refusedByServer'>,
  ): Promise<UserProblem> {
    this.servers.sessions.reportStaleDefinitions(session.origin);
    const { message } = error;
    const correctIt = t`Fix the workflow, then run again.`;
    this.#refused(source, session, { message, nextAction: correctIt, places: findings });
    await this.diagnostics.show(source.uri, source.workflow.text, findings);
    const first = findings[0] && endSentence(findings[0].message);
    return new UserProblem(
      Shown.join([shown`${session.server.name} rejected ${source.label}: ${endSentence(message)}`, first]),
      findings.length > 0 ? shown`Fix the reported problems, then run again.` : shown`${correctIt}`,
    );
  }

  couldNotSend(source: WorkflowSource, session: RunSession, error: unknown): void {
    this.servers.learnFrom(error, session.origin);
    if (!isCancellation(error)) this.#refused(source, session, { ...errorWords(error), places: [] });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #refused(
    { uri, label }: WorkflowSource,
    { server }: RunSession,
    why: Pick<RefusedRun, 'message' | 'summary' | 'nextAction' | 'places'>,
  ): void {
    this.#last = { uri, label, server: server.name, ...why };
    this.#changed.fire();
  }
}
