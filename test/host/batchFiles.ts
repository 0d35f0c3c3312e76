import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readRunRecord, type RunRecord } from '../../src/core/records/runRecord';
import { writeFile } from './window';

/** Each row has another colour, and takes steps of 5 ms: hundreds where a row must not end while the test looks. */
export const slowPicture = (steps = 3) => ({
  '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 1 } },
  '2': { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'shot' } },
});

export const colours = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** A batch file, and its workflow beside it. */
export async function batchFile(name: string, workflow: unknown, more: object): Promise<vscode.Uri> {
  await writeFile(`${name}.json`, workflow);
  return writeFile(`${name}.batch.json`, { format: 1, workflow: `${name}.json`, window: 1, ...more });
}

export function outputFolder(): string {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(workspace);
  return path.join(workspace.uri.fsPath, 'outputs');
}

/** The run records of a batch. */
export async function recordsOf(id: string): Promise<RunRecord[]> {
  const folder = outputFolder();
  const names = (await readdir(folder)).filter((name) => name.endsWith('.run.json'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap((text) => readRunRecord(text) ?? []).filter(({ batch }) => batch?.id === id);
}

/** The rows with a record, in their order. */
export async function rowsSent(id: string, state?: RunRecord['state']): Promise<number[]> {
  return (await recordsOf(id))
    .filter((record) => state === undefined || record.state === state)
    .map(({ batch }) => batch?.row ?? -1)
    .sort((one, other) => one - other);
}

/** What VS Code remembers of a workspace, for windows of the same test. */
export function memory(): vscode.Memento {
  const stored = new Map<string, unknown>();
  return {
    keys: () => [...stored.keys()],
    get: <T>(key: string, fallback?: T) => (stored.get(key) ?? fallback) as T,
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
}
