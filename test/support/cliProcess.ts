import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/** The command line as one file, for tests that kill it and so need a separate process. */
export interface BuiltCli {
  readonly file: string;
  start(args: readonly string[]): CliProcess;
  remove(): Promise<void>;
}

export interface CliProcess {
  readonly child: ChildProcess;
  /** Both streams so far, in order of arrival. */
  readonly said: () => string;
  /** Resolves with the exit code; null after a signal. */
  readonly ended: Promise<number | null>;
}

export async function buildCli(): Promise<BuiltCli> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cli-built-'));
  const file = path.join(folder, 'cli.cjs');
  await build({
    entryPoints: ['src/cli/main.ts'],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    mainFields: ['module', 'main'],
    loader: { '.m4a': 'binary', '.flac': 'binary', '.mp4': 'binary', '.webp': 'binary' },
    external: ['bufferutil', 'utf-8-validate'],
    logLevel: 'error',
  });
  return {
    file,
    start: (args) => startProcess([file, ...args]),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function startProcess(args: readonly string[]): CliProcess {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      text += data.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { child, said: () => text, ended };
}
