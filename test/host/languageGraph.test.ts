import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { smallGraph } from '../support/graphFile';
import { eventually, writeFile } from './window';
import { ask, at, codeOf, found, node, type Nodes, seen, show, workflowInEditor } from './workflowEditor';

describe('a workflow file in the editor', () => {
  const window = workflowInEditor('warm-graph.json');

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

    it('can ask the server again for an unknown node type', async () => {
      const text = JSON.stringify(smallGraph(), null, 2).replace('"SaveImage"', '"SaveImagex"');
      const { document } = await show('graph-ask.json', text);
      const { range } = await seen(document.uri, 'unknown-class');
      const actions = await ask<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, range);
      const again = actions.find(({ title }) => title.startsWith('Check for '));
      assert.deepEqual(again?.command?.arguments, ['SaveImagex']);
      const packs = actions.filter(({ title }) => title.includes('Pack'));
      assert.equal(packs.length, 1, packs.map(({ title }) => title).join(', '));
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
      const original = vscode.window.showSaveDialog;
      Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(target) });
      const wasWritten = async (): Promise<boolean> =>
        vscode.workspace.fs.stat(target).then(
          () => true,
          () => false,
        );
      try {
        await vscode.commands.executeCommand(commands.exportApi, uri);
        assert.equal(await wasWritten(), false);
        const [question = ''] = window.answers.texts('showWarningMessage');
        assert.match(question, /loses values or links of 1 node/);
        window.answers.press('Export Anyway');
        await vscode.commands.executeCommand(commands.exportApi, uri);
        assert.equal(await wasWritten(), true);
      } finally {
        Object.assign(vscode.window, { showSaveDialog: original });
      }
      const before = vscode.workspace.textDocuments.length;
      await vscode.commands.executeCommand(commands.convertToApi, uri);
      assert.equal(vscode.workspace.textDocuments.length, before);
      await vscode.commands.executeCommand(commands.showPrompt, uri);
      assert.match(
        window.answers.texts('showWarningMessage').at(-1) ?? '',
        /Far \(node 8\) loses its values \(2\)/,
      );
    });

    it('is exported in the API format', async () => {
      const uri = await writeFile('graph-export.json', smallGraph());
      const target = vscode.Uri.joinPath(uri, '..', 'exported.json');
      const original = vscode.window.showSaveDialog;
      Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(target) });
      try {
        await vscode.commands.executeCommand(commands.exportApi, uri);
      } finally {
        Object.assign(vscode.window, { showSaveDialog: original });
      }
      const bytes = await vscode.workspace.fs.readFile(target);
      const exported = JSON.parse(new TextDecoder().decode(bytes)) as Nodes;
      assert.deepEqual(node(exported, '2').inputs, { images: ['1', 0], filename_prefix: 'graph' });
      assert.equal(exported['1']?.class_type, 'EmptyImage');
    });
  });
});
