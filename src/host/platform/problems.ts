import * as vscode from 'vscode';
import { endSentence } from '../../core/protocol/endSentence';
import { ServerError } from '../../core/protocol/serverError';
import { commands, type CommandId } from './contributions';
import type { Log } from './log';

/** A button of a notification and the command behind it. */
export interface NextStep {
  readonly label: string;
  readonly command: CommandId;
  readonly args?: readonly unknown[];
}

/** Trouble that the user has to know: what happened, what to do, and at most two buttons that do it. */
export class UserProblem extends Error {
  override readonly name = 'UserProblem';

  constructor(
    message: string,
    readonly nextAction: string,
    readonly steps: readonly NextStep[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const signIn: NextStep = { label: 'Sign In', command: commands.signIn };
const selectServer: NextStep = { label: 'Select Server', command: commands.selectServer };
const checkConnection: NextStep = { label: 'Check Connection', command: commands.checkConnection };
const showLog: NextStep = { label: 'Show Log', command: commands.showLog };
const showJobs: NextStep = { label: 'Show Jobs', command: commands.showJobs };

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
    case 'rateLimited':
    case 'notFound':
    case 'badRequest':
    case 'tooLarge':
    case 'server':
      return [showLog];
  }
}

/** A cancelled act is no error: nothing is said about it. */
export function isCancellation(error: unknown): boolean {
  return (
    error instanceof vscode.CancellationError ||
    (error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled'))
  );
}

/** One notification for one failed act; silent for a cancelled one. Never waits for the user's answer. */
export function tellProblem(error: unknown, log: Log): void {
  if (isCancellation(error)) return;
  if (error instanceof UserProblem) {
    log.warn(`${error.message} ${error.nextAction}`);
    show(`${error.message} ${error.nextAction}`, error.steps);
  } else if (ServerError.is(error)) {
    log.error(error.endpoint, error);
    show(withServerWords(error), stepsFor(error));
  } else {
    log.error('Unexpected', error);
    const reason = error instanceof Error ? error.message : 'for an unknown reason';
    show(`That did not work: ${reason}. The log has the details.`, [showLog]);
  }
}

function withServerWords(error: ServerError): string {
  return `${endSentence(error.message)} ${error.nextAction}`;
}

function show(text: string, steps: readonly NextStep[]): void {
  const labels = steps.map((step) => step.label);
  void vscode.window.showErrorMessage(text, ...labels).then((chosen) => {
    const step = steps.find((candidate) => candidate.label === chosen);
    if (step) void vscode.commands.executeCommand(step.command, ...(step.args ?? []));
  });
}
