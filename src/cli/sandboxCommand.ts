import type { Sandbox } from '../sandbox/sandbox';
import { printFailure } from './commandProblem';
import type { Arguments } from './commandArguments';
import { apiKey } from './apiKey';
import { startSandboxServer } from './runServer';
import { exitCodes, plainText } from './terminal';
import type { Terminal } from './terminal';
import { t } from '../core/safety/localize';

/** Runs a sandbox until it is interrupted; its address is the only line on standard output. */
export async function sandboxCommand(
  { port, dialect, keyEnv, manager }: Arguments<'sandbox'>,
  terminal: Terminal,
): Promise<number> {
  let key: string | undefined;
  try {
    key = apiKey(keyEnv, terminal);
  } catch (error) {
    return printFailure(error, terminal);
  }
  let sandbox: Sandbox;
  try {
    sandbox = await startSandboxServer({ port, dialect, timing: 'human', apiKey: key, manager });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    terminal.err(`${t`The sandbox couldn't be started: ${why}`}\n${t`Choose another port with --port.`}\n`);
    return exitCodes.failed;
  }
  terminal.out(`${sandbox.url}\n`);
  if (keyEnv !== undefined)
    terminal.err(
      `${t`It accepts only the key in ${plainText(keyEnv)}, as X-API-Key or as a bearer token.`}\n`,
    );
  terminal.err(`${t`The sandbox uses the ${dialect} dialect. Press Ctrl+C to stop it.`}\n`);
  await new Promise<void>((resolve) => {
    const forget = terminal.onInterrupt(() => {
      forget();
      resolve();
    });
  });
  await sandbox.close();
  return exitCodes.done;
}
