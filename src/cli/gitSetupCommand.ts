import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { keepLineEnds } from '../core/json/textOfBytes';
import { GitFailure, runGit } from '../core/runs/runGit';
import { budgets } from '../core/safety/budgets';
import { errorCode } from '../core/safety/errorWords';
import { t } from '../core/safety/localize';
import type { Arguments } from './commandArguments';
import { CommandProblem } from './commandProblem';
import { type CommandContext, exitCodes, plainTerminalLine } from './terminal';

const limits = { time: budgets.gitTime, bytes: budgets.gitHistory };

/** Makes Git compare workflows with `comfy-deck diff`; returns the exit code. Doing it again changes nothing. */
export async function gitSetupCommand(
  { pattern }: Arguments<'git-setup'>,
  { terminal }: CommandContext,
): Promise<number> {
  const here = process.cwd();
  const top = (await git(here, ['rev-parse', '--show-toplevel'])).trim();
  await git(here, ['config', '--local', 'diff.comfy.command', 'comfy-deck diff']);
  const file = path.join(top, '.gitattributes');
  const old = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  const text = withAttribute(old ?? '', pattern);
  // The existing text may be in another encoding.
  if (text !== old) await appendFile(file, old === undefined ? text : text.slice(old.length));
  terminal.err(`${t`"git diff" now compares ${plainTerminalLine(pattern)} with comfy-deck diff.`}\n`);
  return exitCodes.done;
}

export function withAttribute(old: string, pattern: string): string {
  const files = pattern.replaceAll('\\', '/');
  const line = `${/[\s"#]/.test(files) ? JSON.stringify(files) : files} diff=comfy`;
  if (old.split(/\r?\n/).some((each) => each.trim() === line)) return old;
  const start = old === '' || old.endsWith('\n') ? '' : '\n';
  return old + keepLineEnds(old, `${start}${line}\n`);
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  try {
    return (await runGit(folder, args, limits)).toString('utf8');
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (error.code === 'ENOENT')
      throw new CommandProblem(t`Git wasn't found.`, t`Install Git, then try again.`);
    throw new CommandProblem(
      t`This folder is not in a Git repository that can be configured: ${plainTerminalLine(error.words)}`,
      t`Change to the folder of the repository.`,
    );
  }
}
