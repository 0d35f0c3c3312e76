import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, settings } from '../../src/host/platform/contributions';
import { smallPrompt } from '../support/promptFile';
import { writeFile } from './window';
import { ask, at, node, type Nodes, show, workflowInEditor } from './workflowEditor';

describe('a workflow file in the editor', () => {
  workflowInEditor('warm.json');

  it('completes node types and matching links', async () => {
    const { document } = await show('complete.json', smallPrompt());
    const complete = async (position: vscode.Position): Promise<string[]> => {
      const list = await ask<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        position,
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    assert.ok((await complete(at(document, '"KSampler"', 3))).includes('KSamplerAdvanced'));
    const links = await complete(at(document, '"latent_image": [', 17));
    assert.ok(
      links.some((label) => label.includes('4')),
      `offered: ${links.join(', ')}`,
    );
  });

  it('explains, navigates to, finds and renames nodes', async () => {
    const { document } = await show('names.json', smallPrompt());
    const { uri } = document;
    const hovers = await ask<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      at(document, '"KSampler"', 3),
    );
    const words = hovers.flatMap(({ contents }) =>
      contents.map((each) => (each instanceof vscode.MarkdownString ? each.value : '')),
    );
    assert.match(words.join('\n'), /KSampler/);
    const link = at(document, '"latent_image": [', 0).translate(1, 0);
    const inLink = document.lineAt(link.line).range.end.translate(0, -2);
    const [definition] = await ask<vscode.LocationLink[]>('vscode.executeDefinitionProvider', uri, inLink);
    assert.ok(definition);
    assert.match(document.getText(definition.targetRange), /EmptyLatentImage/);
    const references = await ask<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      uri,
      at(document, '"1": {', 1),
    );
    assert.equal(references.length, 5);
    const edit = await ask<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      uri,
      at(document, '"1": {', 1),
      'loader',
    );
    await vscode.workspace.applyEdit(edit);
    const renamed = JSON.parse(document.getText()) as Nodes;
    assert.deepEqual(node(renamed, '5').inputs['model'], ['loader', 0]);
    assert.deepEqual(node(renamed, '6').inputs['vae'], ['loader', 2]);
    assert.ok(renamed['loader']);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('outlines, folds, colors and annotates', async () => {
    const { document } = await show('look.json', smallPrompt());
    const { uri } = document;
    const symbols = await ask<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', uri);
    assert.ok(symbols.some(({ name }) => name.includes('KSampler')));
    const folds = await ask<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', uri);
    assert.ok(folds.length >= 7);
    const legend = await ask<vscode.SemanticTokensLegend>('vscode.provideDocumentSemanticTokensLegend', uri);
    assert.ok(legend.tokenTypes.includes('comfyClassType'));
    const tokens = await ask<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', uri);
    assert.ok(tokens.data.length > 20);
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await ask<vscode.InlayHint[]>('vscode.executeInlayHintProvider', uri, whole);
    assert.ok(hints.length > 0);
    const lenses = await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const used = lenses.map(({ command }) => command?.command);
    for (const each of [commands.run, commands.runWithNewSeeds, commands.runToHere]) {
      assert.ok(used.includes(each), `no lens for ${each}`);
    }
    await vscode.workspace.getConfiguration().update(settings.codeLenses, false, true);
    assert.deepEqual(await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri), []);
    await vscode.workspace.getConfiguration().update(settings.codeLenses, undefined, true);
  });

  it('shows the workspace picture that an input names', async () => {
    const picture = await writeFile('input/shown (1).png', 'not a picture');
    const { document } = await show('pictures.json', {
      '1': { class_type: 'LoadImage', inputs: { image: 'shown (1).png' } },
      '2': { class_type: 'LoadImage', inputs: { image: '../outside.png' } },
      '3': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
    });
    const pictures = async (text: string): Promise<string[]> => {
      const command = 'vscode.executeHoverProvider';
      const hovers = await ask<vscode.Hover[]>(command, document.uri, at(document, text, 3));
      return hovers
        .flatMap(({ contents }) => contents as vscode.MarkdownString[])
        .map(({ value }) => value)
        .filter((each) => each.includes('!['));
    };
    assert.deepEqual(await pictures('"shown (1).png"'), [`![](${picture.toString()}|width=256)`]);
    assert.ok(!picture.toString().includes('('));
    assert.deepEqual(await pictures('"../outside.png"'), []);
  });
});
