import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, settings } from '../../src/host/platform/contributions';
import { smallPrompt } from '../support/promptFile';
import { eventually, writeFile } from './window';
import { ask, at, codeOf, found, node, seen, show, workflowInEditor, workflowWith } from './workflowEditor';

describe('a workflow file in the editor', () => {
  const window = workflowInEditor('warm-findings.json');

  it("marks what the server would refuse at its exact place, with a link to the code's page", async () => {
    const { document } = await show(
      'high.json',
      workflowWith((nodes) => {
        node(nodes, '5').inputs['steps'] = 1_000_000;
      }),
    );
    const diagnostic = await seen(document.uri, 'above-maximum');
    assert.equal(document.getText(diagnostic.range), '1000000');
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Error);
    assert.ok(typeof diagnostic.code === 'object');
    const { target } = diagnostic.code;
    assert.match(target.path, /\/docs\/checks\.md$/);
    const page = readFileSync(target.fsPath, 'utf8').split('\n');
    await eventually('the page is read', () => found(document.uri).length > 0);
    if (target.fragment !== '') {
      assert.match(page[Number(target.fragment.slice(1)) - 1] ?? '', /above-maximum/);
    }
  });

  describe('pasted as plain text', () => {
    /** The text pasted into a new file that VS Code detects as this language. */
    const paste = async (content: string, language = 'plaintext'): Promise<vscode.TextDocument> => {
      const document = await vscode.workspace.openTextDocument({ language, content: '' });
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), content));
      return document;
    };
    const offers = () =>
      window.answers.texts('showInformationMessage').filter((text) => text.includes('Switch to JSON'));
    const text = JSON.stringify(smallPrompt());

    afterEach(async () => {
      // Nobody answers whether to save them.
      for (let left = 2; left > 0; left--)
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    it('is offered the JSON language mode, and then checked', async () => {
      window.answers.press('Switch to JSON');
      await paste('Just a note: { "class_type": 1 }');
      const document = await paste(text.replace('"steps":2', '"steps":1000000'));
      const json = await eventually('JSON is chosen', () =>
        vscode.workspace.textDocuments.find(
          ({ uri, languageId }) => uri.toString() === document.uri.toString() && languageId === 'json',
        ),
      );
      await seen(json.uri, 'above-maximum');
      assert.equal(offers().length, 1, 'only the workflow is asked about');
    });
  });

  it('adds and removes findings as you type, and clears them on close', async () => {
    const { document } = await show('typed.json', smallPrompt());
    const edit = new vscode.WorkspaceEdit();
    const start = at(document, '"steps": 2', 9);
    edit.replace(document.uri, new vscode.Range(start, start.translate(0, 1)), '"many"');
    await vscode.workspace.applyEdit(edit);
    await seen(document.uri, 'value-type');
    await vscode.commands.executeCommand('undo');
    await eventually('it is gone', () => found(document.uri).every((each) => codeOf(each) !== 'value-type'));
    await vscode.commands.executeCommand('redo');
    await seen(document.uri, 'value-type');
    const { uri } = document;
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await eventually('they are cleared', () => found(uri).length === 0);
  });

  it('reports and offers nothing in other JSON files', async () => {
    const { document } = await show('package-like.json', {
      name: 'x',
      inputs: { a: 1 },
      scripts: { b: 'c' },
    });
    const position = at(document, '"name"', 2);
    const lenses = await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
    assert.deepEqual(lenses, []);
    const hovers = await ask<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, position);
    assert.deepEqual(hovers, []);
    assert.deepEqual(found(document.uri), []);
  });

  it("leaves invalid JSON to VS Code, and reports it when VS Code's validation is off", async () => {
    const text = JSON.stringify(smallPrompt(), null, 2).replace('"KSampler",', '"KSampler"');
    const { document } = await show('broken.json', text);
    const all = (): string[] =>
      vscode.languages.getDiagnostics(document.uri).map(({ source }) => source ?? '');
    await eventually('it is marked', () => all().includes('json'));
    assert.deepEqual(
      found(document.uri).filter((each) => codeOf(each) === 'json-syntax'),
      [],
    );
    const configuration = vscode.workspace.getConfiguration('json', document.uri);
    await configuration.update('validate.enable', false, true);
    await seen(document.uri, 'json-syntax');
    await configuration.update('validate.enable', undefined, true);
  });

  it('applies severities and suppressions from the settings', async () => {
    const { document } = await show(
      'extra.json',
      workflowWith((nodes) => {
        node(nodes, '4').inputs['colour'] = 1;
      }),
    );
    const first = await seen(document.uri, 'unknown-input');
    assert.equal(first.severity, vscode.DiagnosticSeverity.Warning);
    const configuration = vscode.workspace.getConfiguration();
    await configuration.update(settings.checkSeverity, { 'unknown-input': 'error' }, true);
    await eventually('it is an error', () =>
      found(document.uri).some(
        (each) => codeOf(each) === 'unknown-input' && each.severity === vscode.DiagnosticSeverity.Error,
      ),
    );
    await configuration.update(settings.checkSeverity, undefined, true);
    await vscode.commands.executeCommand(commands.suppressCheck, 'unknown-input');
    await eventually('it is not reported', () =>
      found(document.uri).every((each) => codeOf(each) !== 'unknown-input'),
    );
    await vscode.workspace.getConfiguration().update(settings.suppressedChecks, undefined, false);
  });

  it('offers no change that would erase a comment', async () => {
    const nodes = '"2": {"class_type": "B", "inputs": {"x": ["1", 0]} /* kept */}, "1": {"class_type": "A"}';
    const uri = await writeFile('sorted.jsonc', `{${nodes}}`);
    await vscode.window.showTextDocument(uri);
    const here = new vscode.Range(0, 1, 0, 1);
    const all = await ask<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, here, 'refactor');
    const titles = all.map(({ title }) => title);
    assert.ok(titles.length > 0 && !titles.includes('Sort Nodes by Links'), titles.join());
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('fixes a finding, and everything fixable on save', async () => {
    const wrong = workflowWith((nodes) => {
      node(nodes, '5').inputs['sampler_name'] = 'Euler';
    });
    const { document } = await show('fix.json', wrong);
    const diagnostic = await seen(document.uri, 'option-spelling');
    const actions = await ask<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      diagnostic.range,
    );
    const fix = actions.find(({ isPreferred, edit }) => isPreferred === true && edit);
    assert.ok(fix?.edit, `offered: ${actions.map(({ title }) => title).join(', ')}`);
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(document.getText(), /"sampler_name": "euler"/);
    await eventually('the finding is gone', () =>
      found(document.uri).every((each) => codeOf(each) !== 'option-spelling'),
    );
    await vscode.commands.executeCommand('undo');
    await seen(document.uri, 'option-spelling');
    const all = await ask<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(0, 0, 0, 1),
      'source.fixAll.comfyDeck',
    );
    assert.equal(all.length, 1);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
