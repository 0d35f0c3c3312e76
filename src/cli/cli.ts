import { version } from '../../package.json';
import { Secrets } from '../core/safety/secrets';
import type { HttpStack } from '../core/client/httpStack';
import { type CommandContext, exitCodes, printingTerminal, type Terminal } from './terminal';
import { rewordTexts, t, type Translations } from '../core/safety/localize';
import { similarNames } from '../core/check/similarNames';
import type { Arguments, CommandName } from './commandArguments';
import { printFailure } from './commandProblem';
import { UsageError } from './arguments/usageError';

type Runs<C extends CommandName> = (options: ArgumentsOf[C], context: CommandContext) => Promise<number>;

type ArgumentsOf = { readonly [C in CommandName]: Arguments<C> };

/** In the order of the help. Each command is loaded only when it is called. */
const commands: { readonly [C in CommandName]: Runs<C> } = {
  run: async (options, context) => {
    const { set, count, dryRun } = options;
    const isBatch = set.length > 0 || count !== undefined || dryRun;
    if (!isBatch) return (await import('./runCommand')).runCommand(options, context);
    return (await import('./batchCommand')).runValuesCommand(options, context);
  },
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

const commandNames = Object.keys(commands);

function isCommandName(text: string | undefined): text is CommandName {
  return text !== undefined && Object.hasOwn(commands, text);
}

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
      terminal.err(
        `${line.problem}\n${t`See ${['comfy-deck', line.of, '--help'].filter(Boolean).join(' ')}.`}\n`,
      );
      return exitCodes.usage;
    default: {
      const key = 'keyEnv' in line && line.keyEnv !== undefined && given.env[line.keyEnv];
      if (key) secrets.add(key);
      let opened: Promise<ClosableStack> | undefined;
      const open = async (): Promise<ClosableStack> => openHttp();
      try {
        // Widths of characters take long to load, and what isn't a terminal has none.
        const live = given.columns === undefined ? {} : await import('./liveProgress');
        const context = { terminal: { ...terminal, ...live }, http: () => (opened ??= open()), secrets };
        return await callCommand(line.command, line, context);
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

type CommandLine =
  | ArgumentsOf[CommandName]
  | { readonly command: 'help'; readonly of?: CommandName | undefined }
  | { readonly command: 'version' }
  | { readonly command: 'wrong'; readonly problem: string; readonly of?: CommandName | undefined };

export function readCommandLine(args: readonly string[]): Promise<CommandLine> {
  return read(args).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    const [command] = args;
    return { command: 'wrong', problem: error.message, of: isCommandName(command) ? command : undefined };
  });
}

async function read(args: readonly string[]): Promise<CommandLine> {
  const [command, ...rest] = args;
  if (command === 'help' || asksForHelp(args)) {
    const of = command === 'help' ? rest[0] : command;
    if (isCommandName(of)) return { command: 'help', of };
    if (command === 'help' && of !== undefined) throw unknownCommand(of);
    return { command: 'help' };
  }
  if (command === '--version' || command === '-v') return { command: 'version' };
  if (command === undefined) throw new UsageError(t`Specify a command: ${commandNames.join(', ')}.`);
  if (!isCommandName(command)) throw unknownCommand(command);
  const { readArguments } = await import('./commandArguments');
  const read = readArguments[command];
  const takesPatterns = patternCommands.has(command) && process.env['GIT_DIFF_PATH_COUNTER'] === undefined;
  if (!takesPatterns || !rest.some((each) => /[*?[{]/.test(each))) return read(rest);
  const [{ expandPatterns }, { commandOptions }] = await Promise.all([
    import('./expandPatterns'),
    import('./arguments/optionTable'),
  ]);
  return read(await expandPatterns(rest, commandOptions[command]));
}

/** The commands that take workflow or batch files. Git calls `diff` with names of its own. */
const patternCommands = new Set<string>(['validate', 'convert', 'test', 'batch', 'diff', 'print', 'graph']);

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
