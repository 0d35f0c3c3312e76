import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import {
  answersInTests,
  chooseServer,
  eventually,
  runsTelling,
  windowParts,
  titleOf,
  writeFile,
  type WindowParts,
} from './window';

/** Errors, and one warning: an input that no node has. */
const faulty = (seed: number): unknown => {
  const nodes = smallPrompt(seed);
  return {
    ...nodes,
    '4': { class_type: 'EmptyLatentImage', inputs: { width: 1, height: 1, batch_size: 1, depth: 3 } },
    '8': { class_type: 'SomethingOfAPack', inputs: {} },
    '9': { class_type: 'SaveImage', inputs: { filename_prefix: 'test', images: ['8', 0] } },
  };
};

describe('a run that is refused', () => {
  runsTelling('never');

  let parts: WindowParts;
  let server: Sandbox;
  const answers = answersInTests();
  let buttons: unknown[];

  before(async () => {
    parts = await windowParts();
    server = await startSandbox({ dialect: 'local' });
    await chooseServer(parts, 'Workshop', server.url);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await server.close();
  });
  beforeEach(() => {
    buttons = [];
    answers.answer('showErrorMessage', (_text, ...offered) => {
      buttons = offered.map(titleOf);
    });
  });

  const problems = (uri: vscode.Uri): number =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning).length;
  const lens = async (uri: vscode.Uri): Promise<string | undefined> => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    return lenses.map(({ command }) => command?.title ?? '').find((title) => title.includes('problem'));
  };

  it('has one number of problems in the tab, the lens and the notification', async () => {
    const uri = await writeFile('counted.json', faulty(1));
    await vscode.window.showTextDocument(uri);
    await eventually('they are found', () => problems(uri) === 4);
    assert.equal(await vscode.commands.executeCommand(commands.run, uri), undefined);
    await eventually('it is told', () => answers.texts('showErrorMessage').length === 1);
    assert.equal(problems(uri), 4);
    assert.match(answers.texts('showErrorMessage')[0] ?? '', / More problems: 3\. /);
    assert.equal(await lens(uri), '4 problems');
  });

  it('offers to find the packs that it lacks', async () => {
    const lacking = await writeFile('lacking.json', faulty(3));
    await vscode.commands.executeCommand(commands.run, lacking);
    await eventually('it is told', () => buttons.length > 0);
    assert.deepEqual(buttons, ['Find Missing Packs…', 'Show Problems', 'Run Anyway']);

    const nodes = smallPrompt(4);
    nodes['4'].inputs.width = 1;
    buttons = [];
    await vscode.commands.executeCommand(commands.run, await writeFile('small.json', nodes));
    await eventually('it is told', () => buttons.length > 0);
    assert.deepEqual(buttons, ['Show Problems', 'Run Anyway']);
  });
});
