import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { smallPrompt } from '../support/promptFile';
import { eventually, writeFile } from './window';
import { ask, at, seen, show, workflowInEditor } from './workflowEditor';

describe('a quick fix', () => {
  const window = workflowInEditor('warm-fixes.json');

  const offered = async (
    { uri }: vscode.TextDocument,
    where: vscode.Range | vscode.Position,
  ): Promise<vscode.CodeAction[]> => {
    const range = where instanceof vscode.Range ? where : new vscode.Range(where, where);
    return ask<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, range, 'quickfix');
  };

  const isClean = (uri: vscode.Uri): boolean =>
    vscode.languages
      .getDiagnostics(uri)
      .every(({ severity }) => severity > vscode.DiagnosticSeverity.Warning);

  it('adds a comma where the cursor is and VS Code marks its absence', async () => {
    const text = JSON.stringify(smallPrompt(), null, 2);
    const { document } = await show('comma.json', text.replace('"normal",', '"normal"'));
    await eventually('VS Code marks it', () => !isClean(document.uri));
    const actions = await offered(document, at(document, '"normal"', '"normal"'.length));
    const fix = actions.find(({ isPreferred, edit }) => isPreferred === true && edit);
    assert.ok(fix?.edit, `offered: ${actions.map(({ title }) => title).join(', ')}`);
    assert.equal(fix.title, 'Add Comma');
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    assert.equal(document.getText(), text);
    await eventually('nothing is wrong any more', () => isClean(document.uri));
  });

  it('replaces a picture that the server lacks by one of the workspace', async () => {
    await writeFile('input/there.png', 'not read');
    const { document } = await show('picture.json', {
      1: { class_type: 'LoadImage', inputs: { image: 'gone.png' } },
      2: { class_type: 'SaveImage', inputs: { filename_prefix: 'x', images: ['1', 0] } },
    });
    const { range } = await seen(document.uri, 'file-not-on-server');
    const actions = await offered(document, range);
    const choice = actions.find(({ title }) => title === 'Select Another File…')?.command;
    assert.ok(choice, `offered: ${actions.map(({ title }) => title).join(', ')}`);
    window.answers.pick('there.png');
    await vscode.commands.executeCommand(choice.command, ...((choice.arguments ?? []) as unknown[]));
    assert.match(document.getText(), /"there\.png"/);
    await eventually('nothing is missing any more', () => isClean(document.uri));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
