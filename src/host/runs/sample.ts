import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import { pickOne } from '../platform/show';

/** Opens a sample workflow as the user's own file; undefined when cancelled. */
export async function openSample(extensionUri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const picked = await pickOne(await listSamples(extensionUri), {
    placeHolder: shown`Select a workflow to copy and open`,
  });
  const folder = picked && (await targetFolder());
  return folder && copySample(extensionUri, picked.name, folder);
}

/** The samples as entries of a list. */
export async function listSamples(extensionUri: vscode.Uri) {
  const files = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(extensionUri, 'samples'));
  return files
    .filter(([name, type]) => type === vscode.FileType.File && name.endsWith('.json'))
    .map(([name]) => name)
    .sort(byPopularity)
    .map((name) => ({
      label: shown`${name.replace(/\.json$/, '').replaceAll('-', ' ')}`,
      description: shown`${name}`,
      detail: shown`${describeSample(name)}`,
      name,
    }));
}

export async function copySample(
  extensionUri: vscode.Uri,
  name: string,
  folder: vscode.Uri,
): Promise<vscode.Uri> {
  const samples = vscode.Uri.joinPath(extensionUri, 'samples');
  const target = await placeSample(vscode.Uri.joinPath(samples, name), folder, name);
  await placeInputs(vscode.Uri.joinPath(samples, 'inputs'), target, folder);
  // The walkthrough that opened it stays open.
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(target), { preview: false });
  return target;
}

const purposes = (): Readonly<Record<string, string>> => ({
  'text-to-image.json': t`Makes an image from a prompt`,
  'image-to-image.json': t`Changes an image by a prompt`,
  'inpaint.json': t`Replaces a masked part of an image`,
  'upscale.json': t`Enlarges and sharpens an image`,
  'hires.json': t`Makes an image in two passes, in the graph format that ComfyUI saves`,
  'loop.json': t`Makes several images in a loop`,
  'video.json': t`Makes a video from a prompt`,
  'music.json': t`Makes music from tags and lyrics`,
  'partner-image.json': t`Makes an image with a partner node, which costs credits`,
  'text.json': t`Joins and changes texts, without a model`,
  'blend-batch.json': t`Blends images, without a model`,
});

export function describeSample(name: string): string {
  return purposes()[name] ?? '';
}

function byPopularity(one: string, other: string): number {
  const first = (name: string): number => (name.startsWith('text-to-image') ? 0 : 1);
  return first(one) - first(other) || one.localeCompare(other);
}

/** Where a new workflow goes; undefined when cancelled. */
export async function targetFolder(): Promise<vscode.Uri | undefined> {
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (first && others.length === 0) return first.uri;
  if (first) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: t`Select a folder for the sample`,
    openLabel: t`Select`,
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return chosen?.[0];
}

/** Copies the sample unless the same file exists; another file of that name is left alone. */
async function placeSample(sample: vscode.Uri, folder: vscode.Uri, name: string): Promise<vscode.Uri> {
  const content = await vscode.workspace.fs.readFile(sample);
  for (let number = 1; number < 100; number++) {
    const free = number === 1 ? name : name.replace(/\.json$/, `-${number}.json`);
    const target = vscode.Uri.joinPath(folder, free);
    const existing = await readIfThere(target);
    if (!existing) {
      await vscode.workspace.fs.writeFile(target, content);
      return target;
    }
    if (Buffer.compare(existing, content) === 0) return target;
  }
  throw new UserProblem(shown`The folder contains too many samples.`, shown`Remove some of them.`);
}

/** A sample's pictures are copied with it; existing files are left alone. */
async function placeInputs(inputs: vscode.Uri, sample: vscode.Uri, folder: vscode.Uri): Promise<void> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(sample));
  for (const [name] of await vscode.workspace.fs.readDirectory(inputs)) {
    const target = vscode.Uri.joinPath(folder, 'inputs', name);
    if (!text.includes(JSON.stringify(name)) || (await readIfThere(target))) continue;
    await vscode.workspace.fs.writeFile(
      target,
      await vscode.workspace.fs.readFile(vscode.Uri.joinPath(inputs, name)),
    );
  }
}

export async function readIfThere(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return Promise.resolve(vscode.workspace.fs.readFile(uri)).catch(() => undefined);
}
