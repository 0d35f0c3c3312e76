import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { budgets } from '../safety/budgets';

/** `unknown`: the file lies in a repository, and Git is not there or does not answer. */
export type GitAnswer = 'ignored' | 'notIgnored' | 'unknown';

/** Whether Git ignores a file. Outside of a repository nothing is ignored, and Git is not started. */
export async function askGit(file: string, git = 'git'): Promise<GitAnswer> {
  const folder = path.dirname(file);
  if (!(await isInRepository(folder))) return 'notIgnored';
  return new Promise((resolve) => {
    execFile(
      git,
      // A repository may name a program to watch its files: it is not started for this.
      ['-c', 'core.fsmonitor=false', '-C', folder, 'check-ignore', '--quiet', '--', file],
      {
        // Windows looks for programs in the working folder first.
        cwd: path.dirname(process.execPath),
        env: environment(),
        timeout: budgets.gitAnswer,
        windowsHide: true,
      },
      (error) => {
        if (!error) resolve('ignored');
        else resolve(error.code === 1 ? 'notIgnored' : 'unknown');
      },
    );
  });
}

/** A hook that starts us names its own repository in these. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX'].includes(name),
  );
  return { ...Object.fromEntries(own), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
}

async function isInRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = await lstat(path.join(at, '.git')).catch(() => undefined);
    if (found) return true;
    if (path.dirname(at) === at) return false;
  }
}
