import type { Sandbox, SandboxOptions } from '../sandbox/sandbox';
import type { SandboxArguments } from './commandLine';
import { exitCodes } from './terminal';
import type { Terminal } from './terminal';

/** The sandbox is loaded only by the commands that start one. */
export async function startSandboxServer(options: SandboxOptions): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/sandbox');
  return startSandbox(options);
}

/** Keeps a sandbox running until it is interrupted; its address is the one line on standard output. */
export async function sandboxCommand(
  { port, dialect }: SandboxArguments,
  terminal: Terminal,
): Promise<number> {
  let sandbox: Sandbox;
  try {
    sandbox = await startSandboxServer({ port, dialect, timing: 'human' });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    terminal.err(`The sandbox could not be started: ${why}\nChoose another port with --port.\n`);
    return exitCodes.failed;
  }
  terminal.out(`${sandbox.url}\n`);
  terminal.err(`To switch faults at /sandbox/faults, send X-Sandbox-Token: ${sandbox.faultToken}\n`);
  terminal.err(`The sandbox answers as ${dialect}. Press Ctrl-C to end it.\n`);
  await new Promise<void>((resolve) => {
    const forget = terminal.onInterrupt(() => {
      forget();
      resolve();
    });
  });
  await sandbox.close();
  return exitCodes.done;
}
