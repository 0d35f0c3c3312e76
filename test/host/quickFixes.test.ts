import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { smallGraph } from '../support/graphFile';
import { smallPrompt } from '../support/promptFile';
import { eventually, writeFile } from './window';
import { ask, at, node, seen, show, workflowInEditor, workflowWith } from './workflowEditor';

describe('a quick fix', () => {
  const window = workflowInEditor('warm-fixes.json');

  const offered = async (
    { uri }: vscode.TextDocument,
    where: vscode.Range | vscode.Position,
  ): Promise<vscode.CodeAction[]> => {
    const range = where instanceof vscode.Range ? where : new vscode.Range(where, where);
    return ask<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, range, 'quickfix');
  };

  /** Applies the preferred fix at a place, as VS Code's Auto Fix does. */
  const autoFix = async (
    document: vscode.TextDocument,
    where: vscode.Range | vscode.Position,
  ): Promise<string> => {
    const actions = await offered(document, where);
    const fix = actions.find(({ isPreferred, edit }) => isPreferred === true && edit);
    assert.ok(fix?.edit, `offered: ${actions.map(({ title }) => title).join(', ')}`);
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    return fix.title;
  };

  const isClean = (uri: vscode.Uri): boolean =>
    vscode.languages
      .getDiagnostics(uri)
      .every(({ severity }) => severity > vscode.DiagnosticSeverity.Warning);

  for (const [kind, content, right, wrong, title, place] of [
    ['an API file', smallPrompt(), '"normal",', '"normal"', 'Add Comma', '"normal"'],
    ['an API file', smallPrompt(), '"denoise": 1,', '"denoise": 1,,', 'Remove Comma', ',,'],
    ['a graph file', smallGraph(), '"version": 0.4', '"version": 0.4,', 'Remove Comma', '"version": 0.4,'],
  ] as const) {
    it(`mends a comma of ${kind}, where the cursor is: ${title}`, async () => {
      const text = JSON.stringify(content, null, 2);
      assert.ok(text.includes(right), `${right} in ${text}`);
      const { document } = await show(`comma-${wrong.length}.json`, text.replace(right, wrong));
      await eventually('VS Code marks it', () => !isClean(document.uri));
      const cursor = at(document, place, place.length);
      assert.equal(await autoFix(document, cursor), title);
      assert.equal(document.getText(), text);
      await eventually('nothing is wrong any more', () => isClean(document.uri));
    });
  }

  it('opens a cycle at the only link that can go elsewhere', async () => {
    const text = JSON.stringify(smallPrompt(), null, 2);
    const wrong = workflowWith((nodes) => {
      node(nodes, '5').inputs['latent_image'] = ['5', 0];
    });
    const { document } = await show('cycle.json', wrong);
    const { range } = await seen(document.uri, 'cycle');
    const title = await autoFix(document, range);
    assert.match(title, /^Link latent_image of KSampler \(node 5\) to .* \(node 4\)$/);
    assert.deepEqual(JSON.parse(document.getText()), JSON.parse(text));
    await eventually('nothing is wrong any more', () => isClean(document.uri));
  });

  describe('for what the server lacks', () => {
    const loading = (type: string, input: string, value: string) => ({
      1: { class_type: type, inputs: { [input]: value } },
      2: { class_type: 'SaveImage', inputs: { filename_prefix: 'x', images: ['1', 0] } },
    });
    const loadingInGraph = (type: string, value: string) => ({
      ...smallGraph(),
      nodes: [
        {
          id: 1,
          type,
          mode: 0,
          outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1] }],
          widgets_values: [value, 'image'],
        },
        {
          id: 2,
          type: 'SaveImage',
          mode: 0,
          inputs: [{ name: 'images', type: 'IMAGE', link: 1 }],
          widgets_values: ['x'],
        },
      ],
    });

    for (const [kind, content] of [
      ['an API file', loading('LoadImage', 'image', 'gone.png')],
      ['a graph file', loadingInGraph('LoadImage', 'gone.png')],
    ] as const) {
      it(`replaces a picture of ${kind} by one of the workspace`, async () => {
        await writeFile('input/there.png', 'not read');
        const { document } = await show(`picture of ${kind}.json`, content);
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
    }

    it('offers the likeliest of many options, and all of them in a list', async () => {
      const { document } = await show('sampler.json', smallPrompt(1, 2, 'dpm_2_ancestrl'));
      const { range } = await seen(document.uri, 'option-unknown');
      const actions = await offered(document, range);
      const titles = actions.map(({ title }) => title);
      assert.equal(titles[0], 'Change to "dpm_2_ancestral"');
      assert.equal(titles.filter((title) => title.startsWith('Change to')).length, 5);
      const choice = actions.find(({ title }) => title === 'Select Another…')?.command;
      assert.ok(choice, `offered: ${titles.join(', ')}`);
      window.answers.pick('ddim');
      await vscode.commands.executeCommand(choice.command, ...((choice.arguments ?? []) as unknown[]));
      assert.match(document.getText(), /"sampler_name": "ddim"/);
      await eventually('nothing is wrong any more', () => isClean(document.uri));
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    for (const [kind, content] of [
      [
        'an API file',
        { ...smallPrompt(), 1: loading('CheckpointLoaderSimple', 'ckpt_name', 'gone.safetensors')[1] },
      ],
      ['a graph file', loadingInGraph('CheckpointLoaderSimple', 'gone.safetensors')],
    ] as const) {
      it(`leads from a model of ${kind} to the list of missing models`, async () => {
        const { document } = await show(`model of ${kind}.json`, content);
        const { range } = await seen(document.uri, 'option-unknown');
        const actions = await offered(document, range);
        const command = actions.find(({ title }) => title === 'Find Missing Models…')?.command;
        assert.equal(command?.command, commands.missingModels);
        let labels: readonly string[] = [];
        window.answers.answer('showQuickPick', (items) => {
          labels = (items as readonly vscode.QuickPickItem[]).map(({ label }) => label);
        });
        await vscode.commands.executeCommand(commands.missingModels, document.uri);
        assert.ok(
          labels.some((label) => label.includes('gone.safetensors')),
          labels.join(', '),
        );
      });
    }
  });
});
