import path from 'node:path';

export class GitFailure extends Error {
  override readonly name = 'GitFailure';

  constructor(
    readonly code: number | string | undefined,
    readonly words: string,
  ) {
    super(`Git failed (${code ?? 'stopped'}). ${words}`);
  }
}

/** Git starts nothing that a repository names: no watchers, hooks, pagers, or fetches. */
const options = [
  '--no-pager',
  '--no-replace-objects',
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'safe.bareRepository=explicit'],
];

/** Runs Git without a shell, for at most so many ms and bytes that it writes. @throws GitFailure */
export async function runGit(
  folder: string,
  args: readonly string[],
  limits: { readonly time: number; readonly bytes: number },
  git = 'git',
): Promise<Buffer> {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    execFile(
      git,
      [...options, '-C', folder, ...args],
      {
        // Windows looks for programs in the working directory first.
        cwd: path.dirname(process.execPath),
        env: environment(),
        timeout: limits.time,
        maxBuffer: limits.bytes,
        killSignal: 'SIGKILL',
        encoding: 'buffer',
        windowsHide: true,
      },
      (error, written, words) => {
        if (error) reject(new GitFailure(error.code ?? undefined, words.toString().slice(0, 1_000)));
        else resolve(written);
      },
    );
  });
}

function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX'].includes(name),
  );
  return {
    ...Object.fromEntries(own),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    // Older versions fetch whatever the line above says.
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
}
