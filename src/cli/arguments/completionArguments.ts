import { parseArgs } from 'node:util';
import { t } from '../../core/safety/localize';
import type { CommandLine } from '../commandArguments';
import { shells } from '../commandNames';
import { UsageError } from '../usageError';

/** Reads the arguments of `completion`. */
export function readCompletion(args: string[]): CommandLine {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const shell = shells.find((each) => each === positionals[0]);
  if (shell === undefined || positionals.length > 1)
    throw new UsageError(t`completion supports bash, zsh, and fish.`);
  return { command: 'completion', shell };
}
