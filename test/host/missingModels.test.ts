import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { sandboxUnasked } from '../support/quietSandbox';
import { answersInTests, writeFile } from './window';

describe('Missing Models…', () => {
  const answers = answersInTests();

  before(() => sandboxUnasked());
  afterEach(() => {
    answers.answer('showQuickPick', () => undefined);
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const loader = (id: number, name: string, models: readonly object[] = []) => ({
    id,
    type: 'CheckpointLoaderSimple',
    mode: 0,
    inputs: [],
    outputs: [],
    properties: { models },
    widgets_values: [name],
  });
  const show = async (name: string, ...nodes: readonly unknown[]): Promise<vscode.Uri> => {
    const uri = await writeFile(name, { nodes, links: [], version: 0.4 });
    await vscode.window.showTextDocument(uri);
    return uri;
  };

  it('lists each model once, and copies the command that downloads it', async () => {
    const url = 'https://example.org/$(command:x)/gone.safetensors';
    const model = { name: 'gone.safetensors', url, directory: 'checkpoints' };
    await show(
      'missing-models.json',
      loader(1, 'gone.safetensors', [model]),
      loader(2, 'gone.safetensors', [model]),
    );
    const lists: vscode.QuickPickItem[][] = [];
    answers.answer('showQuickPick', (items) => {
      const list = [...(items as readonly vscode.QuickPickItem[])];
      lists.push(list);
      return list[0];
    });
    await vscode.commands.executeCommand(commands.missingModels);
    const [models = [], actions = []] = lists;
    assert.deepEqual(
      models.map(({ label, description }) => [label, description]),
      [
        ['$(package) gone.safetensors', 'models/checkpoints'],
        ['', undefined],
        ['$(copy) Copy Download Commands (1)', undefined],
      ],
    );
    assert.match(models[0]?.detail ?? '', /needed by CheckpointLoaderSimple \(node 1\), .*\(node 2\)$/);
    assert.doesNotMatch(models[0]?.detail ?? '', /\$\(command/);
    assert.deepEqual(
      actions.map(({ label }) => label),
      [
        '$(copy) Copy Download Command',
        '$(link-external) Open in Browser',
        '$(copy) Copy Name',
        '$(go-to-file) Go to CheckpointLoaderSimple (node 1)',
        '$(go-to-file) Go to CheckpointLoaderSimple (node 2)',
      ],
    );
    assert.equal(
      await vscode.env.clipboard.readText(),
      'comfy model download --url "https://example.org/%24(command:x)/gone.safetensors" --relative-path models/checkpoints --filename gone.safetensors',
    );
  });
});
