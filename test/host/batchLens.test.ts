import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { batchFile, slowPicture } from './batchFiles';
import { eventually } from './window';

describe('a batch file in the editor', () => {
  it('shows what is wrong with it, and how many rows it has', async () => {
    const file = await batchFile('batch-wrong', slowPicture(), {
      set: { 'EmptyImage.color': [1, 2, 3], 'EmptyImage.colour': [1], '9.width': [1] },
    });
    await vscode.window.showTextDocument(file);
    const marks = await eventually('it is checked', () => {
      const found = vscode.languages.getDiagnostics(file).filter(({ source }) => source === 'Comfy Deck');
      return found.length === 2 ? found : undefined;
    });
    const document = await vscode.workspace.openTextDocument(file);
    assert.deepEqual(
      marks.map(({ range }) => document.getText(range)),
      ['"EmptyImage.colour"', '"9.width"'],
    );
    await batchFile('batch-wrong', slowPicture(), {
      set: { 'EmptyImage.color': [1, 2, 3], '2.steps': [1, 2] },
    });
    await eventually('the findings are gone', () => vscode.languages.getDiagnostics(file).length === 0);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      file,
    );
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['$(run-all) Run Batch | 6 runs'],
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
