import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { runCli } from '../../../src/cli/cli';
import type { JsonEvent } from '../../../src/cli/jsonEvents';
import type { Interruption, Terminal } from '../../../src/cli/terminal';
import { undiciStack } from '../../../src/cli/undiciStack';
import { readRunRecord, type RunRecord } from '../../../src/core/records/runRecord';

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

  /** Names of the files in a folder, in order; none if it is missing. */
  async names(folder = 'out', ending = ''): Promise<string[]> {
    const names: string[] = await readdir(this.path(folder)).catch(() => []);
    return names.filter((name) => name.endsWith(ending)).sort();
  }

  /** Paths of the run records in a folder. */
  async recordFiles(folder = 'out'): Promise<string[]> {
    return (await this.names(folder, '.run.json')).map((name) => path.join(this.path(folder), name));
  }

  async records(folder = 'out'): Promise<RunRecord[]> {
    const texts = (await this.recordFiles(folder)).map((file) => readFile(file, 'utf8'));
    return (await Promise.all(texts)).map((text) => {
      const record = readRunRecord(text);
      if (!record) throw new Error(`This is no run record: ${text.slice(0, 1000)}`);
      return record;
    });
  }

  /** The only run record in a folder. */
  async record(folder = 'out'): Promise<RunRecord> {
    const [record, ...others] = await this.records(folder);
    if (!record || others.length > 0) throw new Error('There is not one run record.');
    return record;
  }

  /** Writes other members into the run records. */
  async changeRecords(change: (record: Record<string, unknown>) => object): Promise<void> {
    for (const file of await this.recordFiles()) {
      const record = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
      await writeFile(file, JSON.stringify({ ...record, ...change(record) }));
    }
  }

  /** Runs a command on the folder of outputs, as if nothing had been said before. */
  call(...args: string[]): Promise<number> {
    [this.out, this.err] = ['', ''];
    return this.run(...args, '--out', this.path('out'));
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
