import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { glob } from 'tinyglobby';
import { t } from '../core/safety/localize';
import type { Options } from './arguments/optionTable';
import { UsageError } from './arguments/usageError';
import { plainTerminalLine } from './terminal';

/** Windows shells pass patterns on, as all shells do if they are quoted. @throws UsageError if nothing matches */
export async function expandPatterns(args: readonly string[], options: Options): Promise<string[]> {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const operands = new Set(tokens.flatMap(({ kind, index }) => (kind === 'positional' ? [index] : [])));
  const expanded = args.map((each, index) => (operands.has(index) ? filesOf(each) : Promise.resolve([each])));
  return (await Promise.all(expanded)).flat();
}

/** A file whose own name has such characters takes precedence. */
async function filesOf(operand: string): Promise<readonly string[]> {
  if (!/[*?[{]/.test(operand) || /\p{Cc}/u.test(operand) || existsSync(operand)) return [operand];
  const pattern = operand.replaceAll('\\', '/').replace(/[()!+@]/g, String.raw`\$&`);
  const magic = pattern.search(/[*?[{]/);
  const start = pattern.lastIndexOf('/', magic) + 1;
  const folder = pattern.slice(0, start).replaceAll('\\', '');
  const found = await glob(pattern.slice(start), {
    ...(folder !== '' && { cwd: folder }),
    caseSensitiveMatch: process.platform !== 'win32' && process.platform !== 'darwin',
    expandDirectories: false,
    extglob: false,
  });
  if (found.length === 0) throw new UsageError(t`No file matches ${plainTerminalLine(operand)}.`);
  // No name of a file is taken for an option.
  return found.map((each) => `${folder}${each}`.replace(/^-/, './-')).sort();
}
