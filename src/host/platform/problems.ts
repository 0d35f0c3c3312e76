import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { endSentence } from '../../core/safety/endSentence';
import { ServerError } from '../../core/protocol/serverError';
import type { Shown } from '../../core/safety/shownText';
import { shown } from '../../core/safety/shownText';
import { commands, type CommandId } from './contributions';
import type { Log } from './log';
import { showError } from './show';

export interface NextStep {
  readonly label: Shown;
  readonly command: CommandId;
  readonly args?: readonly unknown[];
}

/** A problem that the user has to know: what happened, what to do, and at most two buttons for it. */
export class UserProblem extends Error {
  override readonly name = 'UserProblem';

  constructor(
    readonly what: Shown,
    readonly nextAction: Shown,
    readonly steps: readonly NextStep[] = [],
    options?: ErrorOptions,
  ) {
    super(what.line(), options);
  }
}

const signIn: NextStep = { label: shown`Sign In`, command: commands.signIn };
const selectServer: NextStep = { label: shown`Select Server`, command: commands.selectServer };
const checkConnection: NextStep = {
  label: shown`Check Connection`,
  command: commands.checkConnection,
};
const showLog: NextStep = { label: shown`Show Log`, command: commands.showLog };
const openAccount: NextStep = { label: shown`Open Account Page`, command: commands.openAccount };
const showJobs: NextStep = { label: shown`Show Jobs`, command: commands.showJobs };

/** @param label the run whose server is no longer in the settings */
export function serverRemoved(label: string): UserProblem {
  const what = shown`The server of ${label} has been removed.`;
  return new UserProblem(what, shown`Add the server again, then try again.`, [selectServer]);
}

function stepsFor(error: ServerError): readonly NextStep[] {
  switch (error.reason) {
    case 'unauthorized':
      return [signIn, selectServer];
    case 'forbidden':
      return [selectServer, showLog];
    case 'network':
    case 'timeout':
    case 'certificate':
      return [checkConnection, selectServer];
    case 'unexpectedShape':
      return [selectServer, showLog];
    case 'queueFull':
      return [showJobs];
    case 'insufficientCredits':
    case 'subscription':
      return [openAccount, showLog];
    case 'rateLimited':
    case 'notFound':
    case 'badRequest':
    case 'tooLarge':
    case 'server':
      return [showLog];
  }
}

export function isCancellation(error: unknown): boolean {
  return (
    error instanceof vscode.CancellationError ||
    (error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled'))
  );
}

export function problemText(error: unknown): Shown {
  if (error instanceof UserProblem) return shown`${error.what} ${error.nextAction}`;
  if (error instanceof Error && 'nextAction' in error) {
    return shown`${endSentence(error.message)} ${String(error.nextAction)}`;
  }
  const reason = error instanceof Error ? error.message : t`unknown reason`;
  return shown`${shown`Something went wrong: ${endSentence(reason)}`} ${t`See the log for details.`}`;
}

/** One notification per failed action; silent for a cancelled one. Never waits for the user's answer. */
export function tellProblem(error: unknown, log: Log): void {
  if (isCancellation(error)) return;
  const words = problemText(error);
  if (error instanceof UserProblem) {
    log.warn(`${error.message} ${error.nextAction.line()}`);
    offerSteps(showError, words, error.steps);
  } else if (ServerError.is(error)) {
    log.error(error.endpoint, error);
    offerSteps(showError, words, stepsFor(error));
  } else {
    log.error(error instanceof Error && 'nextAction' in error ? 'Failed' : 'Unexpected', error);
    offerSteps(showError, words, [showLog]);
  }
}

/** A notification with buttons for these steps. Never waits for the user's answer. */
export function offerSteps(show: typeof showError, text: Shown, steps: readonly NextStep[]): void {
  void show(text, ...steps).then((step) => {
    if (step) void vscode.commands.executeCommand(step.command, ...(step.args ?? []));
  });
}
