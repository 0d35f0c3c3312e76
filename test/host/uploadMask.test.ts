import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { sandboxUnasked } from '../support/quietSandbox';
import { answersInTests, writeFile } from './window';

/** One pixel, with an alpha channel: a picture and its mask in one. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const workflow = {
  '1': { class_type: 'LoadImage', inputs: { image: 'masked-cat.png' } },
  '2': { class_type: 'SaveImage', inputs: { filename_prefix: 'masked', images: ['1', 0] } },
};

describe('uploading a mask', () => {
  const answers = answersInTests();
  let mask: vscode.Uri;

  before(async () => {
    await sandboxUnasked();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    mask = vscode.Uri.joinPath(folder.uri, 'masks', 'cat.png');
    await vscode.workspace.fs.writeFile(mask, pixel);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder.uri, 'input', 'masked-cat.png'), pixel);
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const open = async (name: string): Promise<vscode.TextDocument> => {
    const document = await vscode.workspace.openTextDocument(await writeFile(name, workflow));
    const at = document.positionAt(document.getText().indexOf('masked-cat'));
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
    return document;
  };

  it("sets the input to the server's name for the masked picture", async () => {
    const document = await open('mask-written.json');
    const picked = ['masked-cat.png', 'Keep Both'];
    answers.answer('showQuickPick', (picks) => {
      const [label = ''] = picked.splice(0, 1);
      return (picks as readonly vscode.QuickPickItem[]).find((each) => each.label.includes(label));
    });
    answers.answer('showOpenDialog', () => [mask]);
    await vscode.commands.executeCommand(commands.uploadMask);
    assert.deepEqual(answers.texts('showErrorMessage'), []);
    assert.deepEqual(picked, []);
    // A run of the suite before may end only now.
    assert.match(
      answers.texts('showInformationMessage').join('\n'),
      /Uploaded the masked image as .*\.png to Sandbox/,
    );
    const { '1': loader } = JSON.parse(document.getText()) as typeof workflow;
    assert.notEqual(loader.inputs.image, 'masked-cat.png');
    assert.match(loader.inputs.image, /\.png$/);
  });
});
