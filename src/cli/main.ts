import { runCli } from './cli';
import type { Terminal } from './terminal';
import { undiciStack } from './undiciStack';

const interrupts = ['SIGINT', 'SIGTERM'] as const;

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  // Some terminals do not know how wide they are.
  columns: process.stderr.isTTY ? process.stderr.columns || 80 : undefined,
  env: process.env,
  onInterrupt(listener) {
    for (const signal of interrupts) process.on(signal, listener);
    return () => {
      for (const signal of interrupts) process.off(signal, listener);
    };
  },
  exit: (code) => process.exit(code),
};

// A reader of the output that leaves early, such as `head`, is no failure of the run.
process.stdout.on('error', () => undefined);

runCli(process.argv.slice(2), terminal, undiciStack).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
