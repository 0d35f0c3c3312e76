import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import { Secrets } from '../core/safety/secrets';
import { runCli } from './cli';
import { printingTerminal, showsColors, type Terminal } from './terminal';

const secrets = new Secrets();

// Windows: Ctrl-C, Ctrl-Break, and the closed console window, which leaves some seconds.
const interrupts = { SIGINT: 'asked', SIGBREAK: 'asked', SIGTERM: 'asked', SIGHUP: 'hangup' } as const;

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  // Some terminals do not know their width, and some can't move the cursor.
  columns: process.stderr.isTTY && process.env['TERM'] !== 'dumb' ? process.stderr.columns || 80 : undefined,
  hasColors: showsColors(process.env, process.stdout.isTTY),
  env: process.env,
  onInterrupt(listener) {
    const known = Object.entries(interrupts).filter(([signal]) => signal in constants.signals);
    const listening = known.map(([signal, how]) => {
      const hear = (): void => listener(how);
      process.on(signal, hear);
      return () => process.off(signal, hear);
    });
    return () => {
      for (const stop of listening) stop();
    };
  },
  exit: (code) => process.exit(code),
};

// A reader that leaves early, such as `head`, or a closed terminal does not fail the run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

// At its exit, Node restores the settings of its terminal, and aborts if that is gone. It skips closed streams.
const terminals = [0, 1, 2].filter((stream) => isatty(stream));
process.on('exit', () => {
  for (const stream of terminals.filter((each) => !isatty(each))) closeSync(stream);
});

// Node itself would print it with everything that a server wrote into it.
process.on('uncaughtException', (error: unknown) => {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printingTerminal(terminal, secrets).err(`${words}\n`);
  process.exit(1);
});

// Optimizing undici's WebAssembly takes 30 MB, and a young heap that may grow 5 MB. A Node that doesn't know the flags
// would print an error.
if (Number(process.versions.node.split('.')[0]) <= 24)
  setFlagsFromString('--liftoff-only --semi-space-growth-factor=1');

const http = async () => (await import('./undiciStack')).undiciStack();

runCli(process.argv.slice(2), terminal, http, secrets).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    printingTerminal(terminal, secrets).err(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
