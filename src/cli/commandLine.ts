import { t } from '../core/safety/localize';
import type { Arguments } from './commandArguments';
import { type CommandName, commandNames, isCommandName } from './commandNames';
import { UsageError } from './usageError';

export type CommandLine =
  | { [C in CommandName]: Arguments<C> }[CommandName]
  | { readonly command: 'help'; readonly of?: CommandName | undefined }
  | { readonly command: 'version' }
  | { readonly command: 'wrong'; readonly problem: string; readonly of?: CommandName | undefined };

/** Parses the arguments of the command line, or says in one sentence what is wrong with them. */
export async function readCommandLine(args: readonly string[]): Promise<CommandLine> {
  try {
    return await read(args);
  } catch (error) {
    const problem =
      error instanceof UsageError ? error.message : (await import('./parseProblem')).parseProblem(error);
    if (problem === undefined) throw error;
    const [command] = args;
    return { command: 'wrong', problem, of: isCommandName(command) ? command : undefined };
  }
}

async function read(args: readonly string[]): Promise<CommandLine> {
  const [command, ...rest] = args;
  if (command === 'help') return helpWith(rest[0]);
  if (asksForHelp(args))
    return isCommandName(command) ? { command: 'help', of: command } : { command: 'help' };
  if (command === '--version' || command === '-v') return { command: 'version' };
  if (command === undefined) throw new UsageError(t`Specify a command: ${commandNames.join(', ')}.`);
  if (!isCommandName(command)) throw new UsageError(t`Unknown command ${JSON.stringify(command)}.`);
  return (await import('./commandArguments')).readArguments[command](rest);
}

function helpWith(command: string | undefined): CommandLine {
  if (command === undefined) return { command: 'help' };
  if (!isCommandName(command)) throw new UsageError(t`Unknown command ${JSON.stringify(command)}.`);
  return { command: 'help', of: command };
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((each) => each === '--help' || each === '-h');
}
