import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { runCli } from '../../../src/cli/cli';

/** Runs a command of the command line that must not need a network. */
export async function withoutNetwork(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await runCli(
    args,
    {
      out: (text) => (out += text),
      err: (text) => (err += text),
      columns: undefined,
      env: {},
      onInterrupt: () => () => undefined,
      exit: () => undefined,
    },
    () => {
      throw new Error(`${args[0] ?? 'this'} needs no network`);
    },
  );
  return { code, out, err };
}

/** The paths in a folder that has these files for as long as the test runs, and definitions of the node type `Number`. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'comfy-deck-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const number = { input: { required: { value: ['INT', {}] } }, output: ['INT'], output_node: true };
  const all = { 'definitions.json': JSON.stringify({ Number: number }), ...files };
  for (const [name, content] of Object.entries(all)) await writeFile(path.join(folder, name), content);
  return (name: string) => path.join(folder, name);
}
