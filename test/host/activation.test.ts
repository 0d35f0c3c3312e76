import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

const id = 'comfy-deck.comfy-deck';

describe('activation', () => {
  it('asks the network for nothing', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `${id} is not installed`);
    assert.equal(extension.isActive, false, 'it is active before anybody asked for it');

    const reached: unknown[] = [];
    const connect = net.Socket.prototype.connect;
    net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]): net.Socket {
      reached.push(args[0]);
      return Reflect.apply(connect, this, args) as net.Socket;
    };
    try {
      await extension.activate();
    } finally {
      net.Socket.prototype.connect = connect;
    }
    assert.equal(extension.isActive, true);
    assert.deepEqual(reached, []);
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
