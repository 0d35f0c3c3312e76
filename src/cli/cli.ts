import { version } from '../../package.json';
import type { CommandName } from './commandNames';
import { readCommandLine } from './commandLine';
import { Secrets } from '../core/safety/secrets';
import type { OpensHttp } from './closableStack';
import { exitCodes, printingTerminal } from './terminal';
import type { Terminal } from './terminal';
import { t } from '../core/safety/localize';

/** The whole command line: arguments in, exit code out. Each command is loaded only when it is called. */
export async function runCli(
  args: readonly string[],
  given: Terminal,
  http: OpensHttp,
  secrets = new Secrets(),
): Promise<number> {
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
    case 'cancel': {
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
