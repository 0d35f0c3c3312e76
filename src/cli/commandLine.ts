import { t } from '../core/safety/localize';
import type { CommandLine } from './commandArguments';
import { commandNames, isCommandName } from './commandNames';
import { UsageError } from './usageError';

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

/** Each command's arguments are read by code that only that command loads. */
async function read(args: readonly string[]): Promise<CommandLine> {
  const [command, ...rest] = args;
  if (command === 'help') return helpWith(rest[0]);
  if (asksForHelp(args))
    return isCommandName(command) ? { command: 'help', of: command } : { command: 'help' };
  if (command === '--version' || command === '-v') return { command: 'version' };
  switch (command) {
    case 'run':
      return (await import('./arguments/runArguments')).readRun(rest);
    case 'rerun':
      return (await import('./arguments/recordArguments')).readRerun(rest);
    case 'show':
      return (await import('./arguments/recordArguments')).readShow(rest);
    case 'batch':
      return (await import('./arguments/batchArguments')).readBatch(rest);
    case 'validate':
      return (await import('./arguments/definitionsArguments')).readValidate(rest);
    case 'test':
      return (await import('./arguments/testArguments')).readTest(rest);
    case 'music':
      return (await import('./arguments/musicArguments')).readMusic(rest);
    case 'review':
      return (await import('./arguments/reviewArguments')).readReview(rest);
    case 'sandbox':
      return (await import('./arguments/sandboxArguments')).readSandbox(rest);
    case 'convert':
      return (await import('./arguments/definitionsArguments')).readConvert(rest);
    case 'upload':
      return (await import('./arguments/uploadArguments')).readUpload(rest);
    case 'jobs':
    case 'fetch':
    case 'wait':
    case 'cancel':
    case 'forget':
      return (await import('./arguments/sentJobArguments')).readSentJob(command, rest);
    case 'completion':
      return (await import('./arguments/completionArguments')).readCompletion(rest);
    case undefined:
      throw new UsageError(t`Specify a command: ${commandNames.join(', ')}.`);
    default:
      throw new UsageError(t`Unknown command ${JSON.stringify(command)}.`);
  }
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
