import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { glob } from 'tinyglobby';
import { t } from '../core/safety/localize';
import type { Options } from './arguments/optionTable';
import { UsageError } from './arguments/usageError';
import { plainText } from './terminal';

/**
 * The arguments of a command with the files that its patterns match, in the order of their names. The shells of Windows
 * pass patterns on as they are, with slashes of either kind; so do all shells if they are in quotes.
 * @param args without the name of the command
 * @throws UsageError for a pattern that nothing matches
 */
export async function expandPatterns(args: readonly string[], options: Options): Promise<string[]> {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const operands = new Set(tokens.flatMap(({ kind, index }) => (kind === 'positional' ? [index] : [])));
  const expanded = args.map((each, index) => (operands.has(index) ? filesOf(each) : Promise.resolve([each])));
  return (await Promise.all(expanded)).flat();
}

/** A file whose name has such characters itself is meant first, and no pattern has control characters. */
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
  if (found.length === 0) throw new UsageError(t`No file matches ${plainText(operand)}.`);
  // No name of a file is taken for an option.
  return found.map((each) => `${folder}${each}`.replace(/^-/, './-')).sort();
}
