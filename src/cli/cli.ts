import { version } from '../../package.json';
import { type CommandName, commandNames, isCommandName } from './commandNames';
import { Secrets } from '../core/safety/secrets';
import type { OpensHttp } from './closableStack';
import { exitCodes, printingTerminal, type Terminal } from './terminal';
import { rewordTexts, t, type Translations } from '../core/safety/localize';
import { similarNames } from '../core/check/similarNames';
import type { Arguments } from './commandArguments';
import { UsageError } from './arguments/usageError';

/** The whole command line: arguments in, exit code out. Each command is loaded only when it is called. */
export async function runCli(
  args: readonly string[],
  given: Terminal,
  http: OpensHttp,
  secrets = new Secrets(),
): Promise<number> {
  rewordTexts(textsWithoutWindow());
  const terminal = printingTerminal(given, secrets);
  const commandLine = await readCommandLine(args);
  const key = 'keyEnv' in commandLine && commandLine.keyEnv !== undefined && given.env[commandLine.keyEnv];
  if (key) secrets.add(key);
  switch (commandLine.command) {
    case 'help': {
      const { helpOf, helpText } = await import('./helpText');
      terminal.out(commandLine.of === undefined ? helpText() : helpOf(commandLine.of));
      return exitCodes.done;
    }
    case 'version':
      terminal.out(`${version}\n`);
      return exitCodes.done;
    case 'wrong':
      terminal.err(`${commandLine.problem}\n${t`See ${helpCommand(commandLine.of)}.`}\n`);
      return exitCodes.usage;
    case 'completion': {
      const { completionScript } = await import('./shellCompletion');
      terminal.out(completionScript(commandLine.shell));
      return exitCodes.done;
    }
    case 'git-setup': {
      const { gitSetupCommand } = await import('./gitSetupCommand');
      return gitSetupCommand(commandLine, terminal);
    }
    case 'sandbox': {
      const { sandboxCommand } = await import('./sandboxCommand');
      return sandboxCommand(commandLine, terminal);
    }
    case 'validate': {
      const { validateCommand } = await import('./validateCommand');
      return validateCommand(commandLine, terminal, http, secrets);
    }
    case 'test': {
      const { testCommand } = await import('./testCommand');
      return testCommand(commandLine, terminal, await http(), secrets);
    }
    case 'convert': {
      const { convertCommand } = await import('./convertCommand');
      return convertCommand(commandLine, terminal, http, secrets);
    }
    case 'extract': {
      const { extractCommand } = await import('./extractCommand');
      return extractCommand(commandLine, terminal);
    }
    case 'diff': {
      const { diffCommand } = await import('./diffCommand');
      return diffCommand(commandLine, terminal, http, secrets);
    }
    case 'print': {
      const { printCommand } = await import('./diffCommand');
      return printCommand(commandLine, terminal, http, secrets);
    }
    case 'graph': {
      const { graphCommand } = await import('./graphCommand');
      return graphCommand(commandLine, terminal, http, secrets);
    }
    case 'music': {
      const { musicCommand } = await import('./musicCommand');
      return musicCommand(commandLine, terminal, await http(), secrets);
    }
    case 'review': {
      const { reviewCommand } = await import('./reviewCommand');
      return reviewCommand(commandLine, terminal, await http(), secrets);
    }
    case 'jobs': {
      const { jobsCommand } = await import('./jobsCommand');
      return jobsCommand(commandLine, terminal, await http(), secrets);
    }
    case 'fetch':
    case 'wait':
    case 'cancel':
    case 'forget': {
      const { sentJobCommand } = await import('./sentJobCommand');
      return sentJobCommand(commandLine, terminal, await http(), secrets);
    }
    case 'upload': {
      const { uploadCommand } = await import('./uploadCommand');
      return uploadCommand(commandLine, terminal, await http(), secrets);
    }
    case 'rerun': {
      const { rerunCommand, rerunLostCommand } = await import('./rerunCommand');
      const { lostOn } = commandLine;
      if (lostOn !== undefined) return rerunLostCommand(commandLine, lostOn, terminal, http, secrets);
      return rerunCommand(commandLine, terminal, await http(), secrets);
    }
    case 'show': {
      const { showCommand } = await import('./showCommand');
      return showCommand(commandLine, terminal);
    }
    case 'batch': {
      const { batchCommand } = await import('./batchCommand');
      return batchCommand(commandLine, terminal, await http(), secrets);
    }
    case 'run': {
      const { set, count, dryRun } = commandLine;
      if (set.length > 0 || count !== undefined || dryRun) {
        const { runRowsCommand } = await import('./batchCommand');
        return runRowsCommand(commandLine, terminal, await http(), secrets);
      }
      const { runCommand } = await import('./runCommand');
      return runCommand(commandLine, terminal, await http(), secrets);
    }
  }
}

function helpCommand(of: CommandName | undefined): string {
  return of === undefined ? 'comfy-deck --help' : `comfy-deck ${of} --help`;
}

type CommandLine =
  | { [C in CommandName]: Arguments<C> }[CommandName]
  | { readonly command: 'help'; readonly of?: CommandName | undefined }
  | { readonly command: 'version' }
  | { readonly command: 'wrong'; readonly problem: string; readonly of?: CommandName | undefined };

/** Parses the arguments of the command line, or says in one sentence what is wrong with them. */
export async function readCommandLine(args: readonly string[]): Promise<CommandLine> {
  try {
    return await read(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const [command] = args;
    return { command: 'wrong', problem: error.message, of: isCommandName(command) ? command : undefined };
  }
}

async function read(args: readonly string[]): Promise<CommandLine> {
  const [command, ...rest] = args;
  if (command === 'help') return helpWith(rest[0]);
  if (asksForHelp(args))
    return isCommandName(command) ? { command: 'help', of: command } : { command: 'help' };
  if (command === '--version' || command === '-v') return { command: 'version' };
  if (command === undefined) throw new UsageError(t`Specify a command: ${commandNames.join(', ')}.`);
  if (!isCommandName(command)) throw unknownCommand(command);
  const { readArguments } = await import('./commandArguments');
  const read = readArguments[command];
  const takesPatterns = patternCommands.has(command) && process.env['GIT_DIFF_PATH_COUNTER'] === undefined;
  if (!takesPatterns || !rest.some((each) => /[*?[{]/.test(each))) return read(rest);
  const [{ expandPatterns }, { commandTable }] = await Promise.all([
    import('./expandPatterns'),
    import('./commandTable'),
  ]);
  return read(await expandPatterns(rest, commandTable()[command].options));
}

/** Those that take workflow or batch files. Git calls `diff` with names of its own. */
const patternCommands: ReadonlySet<CommandName> = new Set([
  'validate',
  'convert',
  'test',
  'batch',
  'diff',
  'print',
  'graph',
]);

function helpWith(command: string | undefined): CommandLine {
  if (command === undefined) return { command: 'help' };
  if (!isCommandName(command)) throw unknownCommand(command);
  return { command: 'help', of: command };
}

function unknownCommand(command: string): UsageError {
  const [similar] = similarNames(command, commandNames);
  const unknown = JSON.stringify(command);
  if (similar === undefined) return new UsageError(t`Unknown command ${unknown}.`);
  return new UsageError(t`Unknown command ${unknown}. Did you mean ${similar}?`);
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((each) => each === '--help' || each === '-h');
}

/** What `core` says of commands, views and settings of VS Code, in terms of what the command line has instead. */
export function textsWithoutWindow(): Translations {
  const validKey = t`Set the variable that --key-env names to a valid API key.`;
  const aKey = t`Set an environment variable to your API key, and name it with --key-env.`;
  const server = t`Fix the address in --server.`;
  const out = t`Specify a folder you can write to with --out.`;
  const shorter = t`Specify a folder with a shorter path with --out.`;
  return {
    'Sign in again with a valid API key.': validKey,
    'Sign in with a valid API key.': validKey,
    'Sign in to the music service with a valid API key or token.': validKey,
    'Sign in with an API key.': aKey,
    'Sign in with a Comfy API key, then run again.': aKey,
    'Sign in, then run again.': aKey,
    'The stored key contains characters that are not allowed in a key.': t`The variable that --key-env names contains characters that are not allowed in a key.`,
    "Use the server's https address, or sign out of it.": t`Use the server's https address, or leave out --key-env.`,
    'Fix the server address in the settings.': server,
    'Check the music service address in the settings.': server,
    "Check your account's permissions, or choose another server.": t`Check your account's permissions, or specify another server with --server.`,
    'The server no longer has this. Refresh the list.': t`Check --server, and whether the server still has it.`,
    'Choose an output folder you can write to.': out,
    'Choose an output folder you can write to, then run again.': out,
    'Choose an output folder you can write to, then save the outputs again.': t`Make the output folder writable, then run comfy-deck fetch.`,
    'Choose an output folder with a shorter path.': shorter,
    'Choose an output folder with a shorter path, then run again.': shorter,
    'Choose an output folder with a shorter path, then save the outputs again.': shorter,
    'Choose an output folder on another disk.': t`Specify a folder on another disk with --out.`,
    "Save the outputs again later. You don't need to rerun the job.": t`Run comfy-deck fetch again later. You don't need to rerun the job.`,
  };
}
