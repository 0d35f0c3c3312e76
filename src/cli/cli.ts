import { version } from '../../package.json';
import { helpText, readCommandLine } from './commandLine';
import { convertCommand } from './convert';
import { musicCommand } from './musicCommand';
import { runCommand } from './runCommand';
import type { ClosableStack } from './runCommand';
import { sandboxCommand } from './sandboxCommand';
import { exitCodes } from './terminal';
import type { Terminal } from './terminal';
import { validateCommand } from './validate';

/** The whole command line: arguments in, exit code out. */
export async function runCli(
  args: readonly string[],
  terminal: Terminal,
  http: () => ClosableStack,
): Promise<number> {
  const commandLine = readCommandLine(args);
  switch (commandLine.command) {
    case 'help':
      terminal.out(helpText);
      return exitCodes.done;
    case 'version':
      terminal.out(`${version}\n`);
      return exitCodes.done;
    case 'wrong':
      terminal.err(`${commandLine.problem}\nSee comfy-deck --help.\n`);
      return exitCodes.usage;
    case 'sandbox':
      return sandboxCommand(commandLine, terminal);
    case 'validate':
      return validateCommand(commandLine, terminal, http());
    case 'convert':
      return convertCommand(commandLine, terminal);
    case 'music':
      return musicCommand(commandLine, terminal, http());
    case 'run':
      return runCommand(commandLine, terminal, http());
  }
}
