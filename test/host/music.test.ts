import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, webviewPanels } from '../../src/host/platform/contributions';
import { answersInTests, eventually, windowParts, type WindowParts } from './window';

const service = 'https://music.example.org';

describe('the music panel', () => {
  let parts: WindowParts;
  const answers = answersInTests();

  before(async () => {
    parts = await windowParts();
  });
  after(async () => {
    await vscode.workspace.getConfiguration('comfyDeck').update('musicService', undefined, true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const keyOf = (address: string): Thenable<string | undefined> =>
    parts.platform.context.secrets.get(`comfyDeck.musicKey:${address}`);
  const tabs = (): vscode.Tab[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputWebview && input.viewType.endsWith(webviewPanels.music),
      );

  it('opens once, however often it is requested', async () => {
    await Promise.all([
      vscode.commands.executeCommand(commands.openMusic),
      vscode.commands.executeCommand(commands.openMusic),
    ]);
    await vscode.commands.executeCommand(commands.openMusic);
    await eventually('its tab is there', () => tabs().length > 0);
    assert.equal(tabs().length, 1);
  });

  it('stores its credential separately, bound to the address', async () => {
    await vscode.workspace.getConfiguration('comfyDeck').update('musicService', service, true);
    answers.answer('showInputBox', () => ' test-token ');
    await vscode.commands.executeCommand(commands.signInToMusic);
    assert.equal(await keyOf(service), 'test-token');
    assert.equal(await keyOf('https://api.comfy.org'), undefined);
    assert.equal(await parts.servers.keys.get(service), undefined);
    await vscode.commands.executeCommand(commands.signOutOfMusic);
    assert.equal(await keyOf(service), undefined);
  });

  it('accepts no key for an unencrypted address or for the sandbox', async () => {
    for (const address of ['http://music.example.org', 'sandbox']) {
      await vscode.workspace.getConfiguration('comfyDeck').update('musicService', address, true);
      answers.answer('showInputBox', () => 'test-token');
      await vscode.commands.executeCommand(commands.signInToMusic);
    }
    assert.deepEqual(answers.texts('showInputBox'), []);
    assert.match(answers.texts('showErrorMessage')[0] ?? '', /isn't encrypted/);
    assert.match(answers.texts('showErrorMessage')[1] ?? '', /doesn't use a key/);
  });
});
