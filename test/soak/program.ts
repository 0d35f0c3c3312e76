import path from 'node:path';
import { ProcessGroup } from '../support/processGroup';

export interface ProgramEnd {
  /** Null after a signal. */
  readonly code: number | null;
  /** It was ended because it did not end by itself. */
  readonly hung: boolean;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface Kill {
  readonly ms: number;
  /** A busy machine is slow to start a program: counting from its first output still reaches later stages. */
  readonly from: 'start' | 'first word';
}

/** How long a program may take before it counts as hanging: it waits two minutes for an unreachable server. */
const limitMs = 200_000;

export async function runProgram(args: readonly string[], cwd: string, kill?: Kill): Promise<ProgramEnd> {
  const began = performance.now();
  const group = new ProcessGroup(process.execPath, [path.resolve('dist/cli.js'), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  });
  let stdout = '';
  let stderr = '';
  group.child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  group.child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const drained = new Promise((resolve) => group.child.once('close', resolve));
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    group.kill();
  }, limitMs);
  let killer: NodeJS.Timeout | undefined;
  const sentence = (): void => {
    if (kill) killer ??= setTimeout(() => group.kill(), kill.ms);
  };
  if (kill?.from === 'start') sentence();
  else group.child.stdout?.once('data', sentence);
  const code = await group.gone;
  await drained;
  clearTimeout(limit);
  clearTimeout(killer);
  group.kill();
  return { code, hung, events: eventsOf(stdout), stdout, stderr, ms: performance.now() - began };
}

/** The lines of `--json`; a killed program may have left half a line. */
function eventsOf(stdout: string): ProgramEnd['events'] {
  return stdout.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Readonly<Record<string, unknown>>];
    } catch {
      return [];
    }
  });
}
