import { version } from '../../package.json';
import { type CommandName, commandNames, isCommandName } from './commandNames';
import { Secrets } from '../core/safety/secrets';
import type { HttpStack } from '../core/client/httpStack';
import { type CommandContext, exitCodes, printingTerminal, type Terminal } from './terminal';
import { rewordTexts, t, type Translations } from '../core/safety/localize';
import { similarNames } from '../core/check/similarNames';
import type { Arguments } from './commandArguments';
import { printFailure } from './commandProblem';
import { UsageError } from './arguments/usageError';

type Runs<C extends CommandName> = (options: ArgumentsOf[C], context: CommandContext) => Promise<number>;

type ArgumentsOf = { readonly [C in CommandName]: Arguments<C> };

/** Each command is loaded only when it is called. */
const commands: { readonly [C in CommandName]: Runs<C> } = {
  run: async (...given) => (await import('./batchCommand')).runOrBatchCommand(...given),
  batch: async (...given) => (await import('./batchCommand')).batchCommand(...given),
  rerun: async (...given) => (await import('./rerunCommand')).rerunCommand(...given),
  show: async (...given) => (await import('./showCommand')).showCommand(...given),
  jobs: async (...given) => (await import('./jobsCommand')).jobsCommand(...given),
  fetch: async (...given) => (await import('./sentJobCommand')).sentJobCommand(...given),
  wait: async (...given) => (await import('./sentJobCommand')).sentJobCommand(...given),
  cancel: async (...given) => (await import('./sentJobCommand')).sentJobCommand(...given),
  forget: async (...given) => (await import('./sentJobCommand')).sentJobCommand(...given),
  upload: async (...given) => (await import('./uploadCommand')).uploadCommand(...given),
  validate: async (...given) => (await import('./validateCommand')).validateCommand(...given),
  test: async (...given) => (await import('./testCommand')).testCommand(...given),
  music: async (...given) => (await import('./musicCommand')).musicCommand(...given),
  review: async (...given) => (await import('./reviewCommand')).reviewCommand(...given),
  sandbox: async (...given) => (await import('./sandboxCommand')).sandboxCommand(...given),
  convert: async (...given) => (await import('./convertCommand')).convertCommand(...given),
  extract: async (...given) => (await import('./extractCommand')).extractCommand(...given),
  diff: async (...given) => (await import('./diffCommand')).diffCommand(...given),
  print: async (...given) => (await import('./diffCommand')).printCommand(...given),
  graph: async (...given) => (await import('./diffCommand')).graphCommand(...given),
  'git-setup': async (...given) => (await import('./gitSetupCommand')).gitSetupCommand(...given),
  completion: async (...given) => (await import('./shellCompletion')).completionCommand(...given),
};

type ClosableStack = HttpStack & { close(): Promise<void> };

export async function runCli(
  args: readonly string[],
  given: Terminal,
  openHttp: () => ClosableStack | Promise<ClosableStack>,
  secrets = new Secrets(),
): Promise<number> {
  rewordTexts(textsWithoutWindow());
  const terminal = printingTerminal(given, secrets);
  const line = await readCommandLine(args);
  switch (line.command) {
    case 'help': {
      const { commandHelp, helpText } = await import('./helpText');
      terminal.out(line.of === undefined ? helpText() : commandHelp(line.of));
      return exitCodes.done;
    }
    case 'version':
      terminal.out(`${version}\n`);
      return exitCodes.done;
    case 'wrong':
      terminal.err(`${line.problem}\n${t`See ${helpCommand(line.of)}.`}\n`);
      return exitCodes.usage;
    default: {
      const key = 'keyEnv' in line && line.keyEnv !== undefined && given.env[line.keyEnv];
      if (key) secrets.add(key);
      let opened: Promise<ClosableStack> | undefined;
      const open = async (): Promise<ClosableStack> => openHttp();
      try {
        return await callCommand(line.command, line, { terminal, http: () => (opened ??= open()), secrets });
      } catch (error) {
        return printFailure(error, terminal);
      } finally {
        await (await opened)?.close();
      }
    }
  }
}

function callCommand<C extends CommandName>(
  command: C,
  options: ArgumentsOf[C],
  context: CommandContext,
): Promise<number> {
  return commands[command](options, context);
}

function helpCommand(of: CommandName | undefined): string {
  return of === undefined ? 'comfy-deck --help' : `comfy-deck ${of} --help`;
}

type CommandLine =
  | ArgumentsOf[CommandName]
  | { readonly command: 'help'; readonly of?: CommandName | undefined }
  | { readonly command: 'version' }
  | { readonly command: 'wrong'; readonly problem: string; readonly of?: CommandName | undefined };

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
  return read(await expandPatterns(rest, commandTable[command].options));
}

/** The commands that take workflow or batch files. Git calls `diff` with names of its own. */
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

/** Replaces what `core` says about commands, views and settings of VS Code. */
export function textsWithoutWindow(): Translations {
  const aKey = t`Set an environment variable to a valid API key, and name it with --key-env.`;
  const server = t`Fix the address in --server.`;
  const out = t`Specify a folder you can write to with --out.`;
  return {
    'Sign in with a valid API key.': aKey,
    'Sign in to the music service with a valid API key or token.': aKey,
    'Sign in with a Comfy API key, then run again.': aKey,
    'Sign in, then run again.': aKey,
    'The stored key contains characters that are not allowed in a key.': t`The variable that --key-env names contains characters that are not allowed in a key.`,
    "Use the server's https address, or sign out of it.": t`Use the server's https address, or leave out --key-env.`,
    'Fix the server address in the settings.': server,
    'Check the music service address in the settings.': server,
    "Check your account's permissions, or choose another server.": t`Check your account's permissions, or specify another server with --server.`,
    'Refresh the list.': t`Check --server, and whether the server still has it.`,
    'Choose an output folder you can write to.': out,
    'Choose an output folder with a shorter path.': t`Specify a folder with a shorter path with --out.`,
    'Then save the outputs again.': t`Then run comfy-deck fetch.`,
    'Choose an output folder on another disk.': t`Specify a folder on another disk with --out.`,
    "Save the outputs again later. You don't need to rerun the job.": t`Run comfy-deck fetch again later. You don't need to rerun the job.`,
  };
}
