import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const isWindows = process.platform === 'win32';
const living = new Set<ProcessGroup>();

/** A program with everything it starts. Ending the group ends them all, also when this process is asked to stop. */
export class ProcessGroup {
  readonly child: ChildProcess;
  /** Resolves with the exit code (null after a signal). */
  readonly gone: Promise<number | null>;

  constructor(command: string, args: readonly string[], options: SpawnOptions) {
    // Windows has no groups, and gives a detached program a console of its own.
    this.child = spawn(command, args, { ...options, detached: !isWindows });
    this.gone = new Promise((resolve) => {
      this.child.once('exit', (code) => resolve(code));
      this.child.once('error', () => resolve(127));
    });
    living.add(this);
  }

  /** Asks the group to end, kills it after five seconds, and returns when its first process is gone. */
  async end(): Promise<void> {
    this.#signal('SIGTERM');
    const insist = setTimeout(() => this.#signal('SIGKILL'), 5000);
    await this.gone;
    clearTimeout(insist);
    this.kill();
  }

  kill(): void {
    this.#signal('SIGKILL');
    living.delete(this);
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.child.pid === undefined) return;
    try {
      if (isWindows) spawnSync('taskkill', ['/pid', String(this.child.pid), '/t', '/f']);
      else process.kill(-this.child.pid, signal);
    } catch {
      // The group is empty.
    }
  }
}

process.once('exit', () => {
  for (const group of living) group.kill();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130));
}

/** Runs a program to its end and returns its exit code; output goes to this terminal. */
export async function runToEnd(command: string, args: readonly string[], env = process.env): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/**
 * One run of this project's Vitest; its configuration imports TypeScript, which only its own loader reads without
 * warnings.
 */
export function runVitest(args: readonly string[], env = process.env): Promise<number> {
  const vitest = path.resolve('node_modules/vitest/vitest.mjs');
  return runToEnd(process.execPath, [vitest, 'run', '--configLoader', 'runner', ...args], env);
}
