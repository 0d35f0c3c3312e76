import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { answersInTests, windowParts, type WindowParts } from './window';

const service = 'https://music.example.org';

describe('the music service', () => {
  let parts: WindowParts;
  const answers = answersInTests();

  before(async () => {
    parts = await windowParts();
  });
  after(async () => {
    await vscode.workspace.getConfiguration('comfyDeck').update('musicService', undefined, true);
  });

  const keyOf = (address: string): Thenable<string | undefined> =>
    parts.platform.context.secrets.get(`comfyDeck.musicKey:${address}`);

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
