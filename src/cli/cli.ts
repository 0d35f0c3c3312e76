import { version } from '../../package.json';
import { readCommandLine } from './commandLine';
import { completionScript } from './shellCompletion';
import { helpOf, helpText } from './helpText';
import { Secrets } from '../core/safety/secrets';
import { convertCommand } from './convertCommand';
import { jobsCommand } from './jobsCommand';
import { musicCommand } from './musicCommand';
import { runCommand } from './runCommand';
import type { ClosableStack } from './runCommand';
import { sandboxCommand } from './sandboxCommand';
import { sentJobCommand } from './sentJobCommand';
import { exitCodes, printingTerminal } from './terminal';
import type { Terminal } from './terminal';
import { uploadCommand } from './uploadCommand';
import { validateCommand } from './validateCommand';

/** The whole command line: arguments in, exit code out. */
export async function runCli(
  args: readonly string[],
  given: Terminal,
  http: () => ClosableStack,
  secrets = new Secrets(),
): Promise<number> {
  const terminal = printingTerminal(given, secrets);
  const commandLine = readCommandLine(args);
  const key = 'keyEnv' in commandLine && commandLine.keyEnv !== undefined && given.env[commandLine.keyEnv];
  if (key) secrets.add(key);
  switch (commandLine.command) {
    case 'help':
      terminal.out(commandLine.of === undefined ? helpText : helpOf(commandLine.of));
      return exitCodes.done;
    case 'version':
      terminal.out(`${version}\n`);
      return exitCodes.done;
    case 'wrong':
      terminal.err(
        `${commandLine.problem}\nSee comfy-deck ${commandLine.of ? `${commandLine.of} ` : ''}--help.\n`,
      );
      return exitCodes.usage;
    case 'completion':
      terminal.out(completionScript(commandLine.shell));
      return exitCodes.done;
    case 'sandbox':
      return sandboxCommand(commandLine, terminal);
    case 'validate':
      return validateCommand(commandLine, terminal, http(), secrets);
    case 'convert':
      return convertCommand(commandLine, terminal, http, secrets);
    case 'music':
      return musicCommand(commandLine, terminal, http(), secrets);
    case 'jobs':
      return jobsCommand(commandLine, terminal, http(), secrets);
    case 'fetch':
    case 'wait':
    case 'cancel':
      return sentJobCommand(commandLine, terminal, http(), secrets);
    case 'upload':
      return uploadCommand(commandLine, terminal, http(), secrets);
    case 'run':
      return runCommand(commandLine, terminal, http(), secrets);
  }
}
