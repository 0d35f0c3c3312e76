import { endSentence } from '../core/safety/endSentence';
import { errorWords } from '../core/safety/errorWords';
import { sentencesText, t } from '../core/safety/localize';
import type { FailureFields } from './jsonEvents';
import { exitCodes, plainTerminalLine, type Terminal } from './terminal';

export interface Trouble extends FailureFields {
  readonly message: string;
  readonly nextAction: string;
  readonly code?: string | undefined;
}

export class CommandProblem extends Error implements Trouble {
  /** @param ending `usage`: the arguments are wrong */
  constructor(
    message: string,
    readonly nextAction = '',
    readonly ending: 'failed' | 'usage' = 'failed',
  ) {
    super(message);
  }
}

export function commandTrouble(error: unknown): Trouble {
  const { message, nextAction } = errorWords(error);
  return { message: wholeSentence(message), nextAction };
}

export function wholeSentence(text: string): string {
  return endSentence(plainTerminalLine(text));
}

export function commandEnding(error: unknown): 'failed' | 'usage' {
  return error instanceof CommandProblem ? error.ending : 'failed';
}

/** Says on standard error why a command without a report failed, and returns the exit code. */
export function printFailure(error: unknown, terminal: Pick<Terminal, 'err'>): number {
  const { message, nextAction } = commandTrouble(error);
  terminal.err(`${plainTerminalLine(sentencesText(message, nextAction))}\n`);
  return exitCodes[commandEnding(error)];
}

/** Undefined if the arguments name no variable. @throws CommandProblem when the variable contains no key */
export function readApiKey(name: string | undefined, { env }: Pick<Terminal, 'env'>): string | undefined {
  if (name === undefined) return undefined;
  const key = env[name]?.trim() ?? '';
  if (key !== '') return key;
  const nextAction = t`Set the variable to your API key, or specify another one.`;
  throw new CommandProblem(t`The environment variable ${name} isn't set.`, nextAction, 'usage');
}
