import { once } from 'node:events';
import { CommandProblem, readApiKey, commandTrouble } from './commandProblem';
import type { Arguments } from './commandArguments';
import { startSandboxServer } from './commandServer';
import { type CommandContext, exitCodes, listenForInterruption, plainTerminalLine } from './terminal';
import { t } from '../core/safety/localize';

/** Its address is the only line on standard output. */
export async function sandboxCommand(
  { port, dialect, keyEnv, manager }: Arguments<'sandbox'>,
  { terminal }: CommandContext,
): Promise<number> {
  const key = readApiKey(keyEnv, terminal);
  const options = { port, dialect, timing: 'human', apiKey: key, manager } as const;
  const sandbox = await startSandboxServer(options).catch((error: unknown) => {
    const { message } = commandTrouble(error);
    throw new CommandProblem(
      t`The sandbox couldn't be started: ${message}`,
      t`Choose another port with --port.`,
    );
  });
  terminal.out(`${sandbox.url}\n`);
  if (keyEnv !== undefined)
    terminal.err(
      `${t`It accepts only the key in ${plainTerminalLine(keyEnv)}, as X-API-Key or as a bearer token.`}\n`,
    );
  terminal.err(`${t`The sandbox uses the ${dialect} dialect. Press Ctrl+C to stop it.`}\n`);
  const { signal, forget } = listenForInterruption(terminal);
  await once(signal, 'abort');
  forget();
  await sandbox.close();
  return exitCodes.done;
}
