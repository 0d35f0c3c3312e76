import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

const id = 'comfy-deck.comfy-deck';

describe('activation', () => {
  it('asks the network for nothing', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `${id} is not installed`);
    assert.equal(extension.isActive, false, 'it is active before anybody asked for it');

    const sockets: unknown[] = [];
    const note = (message: unknown) => sockets.push(message);
    subscribe('net.client.socket', note);
    try {
      await extension.activate();
    } finally {
      unsubscribe('net.client.socket', note);
    }
    assert.equal(extension.isActive, true);
    assert.equal(sockets.length, 0);
  });

  it('registers every command that the manifest declares', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension);
    const { contributes } = extension.packageJSON as {
      contributes: { commands: readonly { command: string }[] };
    };
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = contributes.commands
      .map(({ command }) => command)
      .filter((name) => !registered.has(name));
    assert.deepEqual(missing, []);
  });
});
