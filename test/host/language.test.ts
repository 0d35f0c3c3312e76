import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, settings } from '../../src/host/platform/contributions';
import { smallGraph } from '../support/graphFile';
import { smallPrompt } from '../support/promptFile';
import { eventually, writeFile } from './window';
import { ask, at, codeOf, found, node, type Nodes, seen, show, workflowInEditor } from './workflowEditor';

describe('a workflow file in the editor', () => {
  const window = workflowInEditor('warm.json');

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

  describe('saved by the ComfyUI editor', () => {
    it('is checked, annotated and shown as the prompt that would run', async () => {
      const { document } = await show('page-graph.json', smallGraph(0));
      const diagnostic = await seen(document.uri, 'below-minimum');
      assert.equal(document.getText(diagnostic.range), '0');
      await vscode.commands.executeCommand(commands.showPrompt, document.uri);
      const prompt = await eventually('the prompt is shown', () =>
        vscode.workspace.textDocuments.find(
          ({ uri }) => uri.scheme === 'comfy-deck' && uri.authority === 'prompt',
        ),
      );
      const shown = (): Nodes => JSON.parse(prompt.getText()) as Nodes;
      assert.equal(node(shown(), '1').inputs['width'], 0);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, diagnostic.range, '128');
      await vscode.workspace.applyEdit(edit);
      await eventually('the prompt follows', () => node(shown(), '1').inputs['width'] === 128);
      await eventually('the finding is gone', () =>
        found(document.uri).every((each) => codeOf(each) !== 'below-minimum'),
      );
      await vscode.commands.executeCommand('workbench.action.files.revert', document.uri);
    });

    it('lists in one line at the top what the sandbox lacks, and offers another server', async () => {
      const text = JSON.stringify(smallGraph(), null, 2).replace('"SaveImage"', '"NodeThatIsNowhere"');
      const { document } = await show('graph-lacks.json', text);
      const { range, message } = await seen(document.uri, 'unknown-class');
      assert.match(message, /^The sandbox doesn't have 1 node type of this file: NodeThatIsNowhere\./);
      assert.deepEqual([range.start.line, range.start.character], [0, 0]);
      const titles = async (where: vscode.Range): Promise<string[]> => {
        const command = 'vscode.executeCodeActionProvider';
        const actions = await ask<vscode.CodeAction[]>(command, document.uri, where);
        return actions.map(({ title }) => title);
      };
      assert.ok((await titles(range)).includes('Select Another Server'));
      const place = at(document, '"NodeThatIsNowhere"');
      const packs = (await titles(new vscode.Range(place, place))).filter((each) => each.includes('Pack'));
      assert.equal(packs.length, 1, packs.join(', '));
      assert.equal(await vscode.commands.executeCommand(commands.run, document.uri), undefined);
      const missing = found(document.uri).filter(({ source }) => source === 'Comfy Deck');
      assert.equal(missing.length, 1, missing.map((each) => each.message).join(' | '));
    });

    it('does not report a picture in the workspace, and notices when it appears or disappears', async () => {
      const graph = {
        '1': { class_type: 'LoadImage', inputs: { image: 'soon.png' } },
        '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
      };
      const { document } = await show('names-a-picture.json', graph);
      await seen(document.uri, 'file-not-on-server');
      const picture = await writeFile('soon.png', '');
      await eventually('the warning goes', () => found(document.uri).length === 0);
      await vscode.workspace.fs.delete(picture);
      await seen(document.uri, 'file-not-on-server');
    });

    it('asks before writing without the values of nodes that the server lacks', async () => {
      const far = { id: 8, type: 'NodeThatIsNowhere', title: 'Far', outputs: [{ name: 'x', type: '*' }] };
      const graph = { nodes: [{ ...far, widgets_values: [1, 2] }], links: [], version: 0.4 };
      const uri = await writeFile('graph-loses.json', graph);
      const target = vscode.Uri.joinPath(uri, '..', 'lost.json');
      window.answers.answer('showSaveDialog', () => target);
      const wasWritten = async (): Promise<boolean> =>
        vscode.workspace.fs.stat(target).then(
          () => true,
          () => false,
        );
      await vscode.commands.executeCommand(commands.exportApi, uri);
      assert.equal(await wasWritten(), false);
      const [question = ''] = window.answers.texts('showWarningMessage');
      assert.match(question, /loses values or links of 1 node/);
      window.answers.press('Export Anyway');
      await vscode.commands.executeCommand(commands.exportApi, uri);
      assert.equal(await wasWritten(), true);
      const before = vscode.workspace.textDocuments.length;
      await vscode.commands.executeCommand(commands.convertToApi, uri);
      assert.equal(vscode.workspace.textDocuments.length, before);
      await vscode.commands.executeCommand(commands.showPrompt, uri);
      assert.match(
        window.answers.texts('showWarningMessage').at(-1) ?? '',
        /Far \(node 8\) loses its values \(2\)/,
      );
    });
  });

  describe('a quick fix', () => {
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
      const choice = actions.find(({ title }) => title === 'Select Another…')?.command;
      assert.ok(choice, `offered: ${actions.map(({ title }) => title).join(', ')}`);
      window.answers.pick('there.png');
      await vscode.commands.executeCommand(choice.command, ...((choice.arguments ?? []) as unknown[]));
      assert.match(document.getText(), /"there\.png"/);
      await eventually('nothing is missing any more', () => isClean(document.uri));
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });
  });
});
