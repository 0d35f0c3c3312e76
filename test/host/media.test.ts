import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile as write } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { Catalog } from '../../src/core/catalog/catalog';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { CompletionProvider } from '../../src/host/language/workflowLanguage';
import { MediaDrop } from '../../src/host/language/mediaDrop';
import type { WorkflowDocuments } from '../../src/host/language/workflowDocuments';
import type { NodeDefinitions } from '../../src/host/catalogs/definitionSource';
import { eventually, writeFile } from './window';

const catalog = Catalog.fromDefinitions({
  LoadImage: { input: { required: { image: [['on the server.png'], { image_upload: true }] } }, output: [] },
});
const definitions = { rules: { catalog } } as unknown as NodeDefinitions;
const documents = { of: (document: vscode.TextDocument) => WorkflowDocument.of(document.getText()) };
const token = new vscode.CancellationTokenSource().token;

/** Enough of a PNG file. */
function picture(content: string): Buffer {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(content)]);
}

const prompt = '{"1": {"class_type": "LoadImage", "inputs": {"image": ""}}}';

async function opened(name: string): Promise<{ document: vscode.TextDocument; position: vscode.Position }> {
  const document = await vscode.workspace.openTextDocument(await writeFile(name, prompt));
  return { document, position: document.positionAt(prompt.indexOf('""') + 1) };
}

/** A file of a folder outside the workspace. */
async function elsewhere(name: string, bytes: Uint8Array): Promise<vscode.Uri> {
  const folder = path.join(tmpdir(), `comfy-deck-elsewhere-${process.pid}`);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, name);
  await write(file, bytes);
  return vscode.Uri.file(file);
}

function listOf(...files: readonly vscode.Uri[]): vscode.DataTransfer {
  const given = new vscode.DataTransfer();
  given.set('text/uri-list', new vscode.DataTransferItem(files.map(String).join('\r\n')));
  return given;
}

/** The text after a drop, and after a paste, with what was told instead. */
async function given(name: string, files: vscode.DataTransfer): Promise<{ texts: string[]; told: string[] }> {
  const told: string[] = [];
  const drop = new MediaDrop(documents, definitions, { onError: (error) => void told.push(String(error)) });
  const { document, position } = await opened(name);
  const range = new vscode.Range(position, position);
  const context = { triggerKind: vscode.DocumentPasteTriggerKind.Automatic, only: undefined };
  const dropped = await drop.provideDocumentDropEdits(document, position, files, token);
  const [pasted] = (await drop.provideDocumentPasteEdits(document, [range], files, context, token)) ?? [];
  const texts: string[] = [];
  for (const edit of [dropped, pasted]) {
    if (!edit?.additionalEdit) continue;
    assert.equal(edit.insertText, '');
    await vscode.workspace.applyEdit(edit.additionalEdit);
    texts.push(document.getText());
    await vscode.commands.executeCommand('undo');
    const back = new vscode.WorkspaceEdit();
    back.replace(document.uri, new vscode.Range(0, 0, 9, 0), prompt);
    await vscode.workspace.applyEdit(back);
  }
  await document.save();
  return { texts, told };
}

function named(name: string): string {
  return prompt.replace('""', JSON.stringify(name));
}

describe('an image given to an input', () => {
  it('from elsewhere is put beside the workflow, under a name that is free', async () => {
    const workflow = await writeFile('drops/given-2.json', prompt);
    const taken = vscode.Uri.joinPath(workflow, '..', 'taken.png');
    await vscode.workspace.fs.writeFile(taken, picture('another'));
    const content = picture('elsewhere');
    const { texts, told } = await given('drops/given-2.json', listOf(await elsewhere('taken.png', content)));
    assert.deepEqual(told, []);
    assert.equal(texts[0], named('taken (2).png'));
    const copy = await eventually('the copy is there', async () =>
      vscode.workspace.fs.readFile(vscode.Uri.joinPath(workflow, '..', 'taken (2).png')),
    );
    assert.deepEqual(Buffer.from(copy), Buffer.from(content));
  });

  it('must be an image by its name and its content, and nothing is written otherwise', async () => {
    const wrong = await elsewhere('passwords.png', Buffer.from('secret'));
    const text = await elsewhere('passwords.txt', Buffer.from('secret'));
    for (const [file, name] of [
      [wrong, 'passwords.png'],
      [text, 'passwords.txt'],
    ] as const) {
      const { texts, told } = await given('given-3.json', listOf(file));
      assert.deepEqual(texts, []);
      assert.match(
        told[0] ?? '',
        new RegExp(`The input takes an image, but ${name} is another kind of file`),
      );
    }
    const workflow = await writeFile('given-3.json', prompt);
    const names = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(workflow, '..'));
    assert.ok(names.every(([name]) => !name.startsWith('passwords')));
  });
});

describe('the completion of an image input', () => {
  it("offers the workspace's images first, with thumbnails that lead nowhere else", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const evil = 'a](b) ![](c.png';
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'pics', 'shown.png'), picture('shown'));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'pics', evil), picture('evil'));
    const outside = await elsewhere('outside.png', picture('outside'));
    await symlink(outside.fsPath, vscode.Uri.joinPath(folder, 'pics', 'outside-link.png').fsPath).catch(
      () => {},
    );
    const { document, position } = await opened('pics/offered.json');
    const provider = new CompletionProvider(documents as unknown as WorkflowDocuments, definitions);
    const items = (await provider.provideCompletionItems(document, position, token)) ?? [];
    const values = items.filter(({ kind }) => kind === vscode.CompletionItemKind.EnumMember);
    const labels = values.map(({ label }) => label);
    assert.deepEqual(labels.slice(0, 2), [evil, 'shown.png']);
    assert.equal(labels.at(-1), 'on the server.png');
    assert.ok(!labels.includes('outside-link.png'));
    const [first] = values;
    assert.ok(first);
    const { documentation } = await provider.resolveCompletionItem(first);
    assert.ok(documentation instanceof vscode.MarkdownString);
    assert.equal(documentation.isTrusted ?? false, false);
    const begin = `![](${vscode.Uri.joinPath(folder, 'pics').toString()}/`;
    assert.ok(documentation.value.startsWith(begin));
    assert.match(documentation.value.slice(begin.length), /^[\w.%-]+\|width=240\)$/);
  });
});
