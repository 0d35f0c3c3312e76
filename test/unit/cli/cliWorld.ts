import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { runCli } from '../../../src/cli/cli';
import type { JsonEvent } from '../../../src/cli/jsonEvents';
import type { Interruption, Terminal } from '../../../src/cli/terminal';
import { undiciStack } from '../../../src/cli/undiciStack';

/** A terminal with simulated keys, and a folder to work in. */
export class CliWorld {
  out = '';
  err = '';
  readonly exits: number[] = [];
  readonly #listeners = new Set<(how?: Interruption) => void>();
  readonly #watchers = new Set<() => void>();

  private constructor(
    readonly folder: string,
    readonly env: Record<string, string>,
    readonly columns: number | undefined,
  ) {}

  static async open({
    env = {},
    columns,
  }: { env?: Record<string, string>; columns?: number | undefined } = {}): Promise<CliWorld> {
    const folder = await mkdtemp(path.join(tmpdir(), 'cli-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return new CliWorld(folder, env, columns);
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  run(...args: string[]): Promise<number> {
    const terminal: Terminal = {
      out: (text) => {
        this.out += text;
        this.#tell();
      },
      err: (text) => {
        this.err += text;
        this.#tell();
      },
      columns: this.columns,
      env: this.env,
      onInterrupt: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      exit: (code) => this.exits.push(code),
    };
    return runCli(args, terminal, undiciStack);
  }

  /** Runs `w.json` in the folder and saves to `out` beside it. */
  save(server: string, ...more: string[]): Promise<number> {
    return this.run('run', this.path('w.json'), '--server', server, '--out', this.path('out'), ...more);
  }

  pressCtrlC(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Simulates closing the terminal. */
  hangUp(): void {
    for (const listener of [...this.#listeners]) listener('hangup');
  }

  get events(): JsonEvent[] {
    return this.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JsonEvent);
  }

  /** Resolves as soon as either stream contains this. */
  said(words: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!(this.out + this.err).includes(words)) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}
