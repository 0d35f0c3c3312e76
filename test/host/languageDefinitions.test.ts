import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { Answers, chooseServer, eventually, windowParts, writeFile, type WindowParts } from './window';

/** A server with only the given node types, which records the routes that were requested. */
class Definer {
  readonly asked: string[] = [];
  readonly classes = new Map<string, object>();
  #server: Server | undefined;
  #port = 0;

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  knows(...names: readonly string[]): void {
    for (const name of names) {
      this.classes.set(name, {
        input: { required: { images: ['IMAGE'] } },
        output: ['IMAGE'],
        output_node: true,
        name,
        category: 'test',
      });
    }
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*$/, '').replace(/^\/api/, '');
      this.asked.push(path);
      const answer = this.#answer(path);
      const type = answer === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': type });
      response.end(answer === undefined ? '404: Not Found' : JSON.stringify(answer));
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  #answer(path: string): unknown {
    if (path === '/system_stats') return { system: { comfyui_version: '0.1', os: 'posix' }, devices: [] };
    if (path === '/queue') return { queue_running: [], queue_pending: [] };
    if (path === '/history') return {};
    if (path === '/object_info') return Object.fromEntries(this.classes);
    const one = /^\/object_info\/(.+)$/.exec(path)?.[1];
    if (one === undefined) return undefined;
    const found = this.classes.get(one);
    return found ? { [one]: found } : {};
  }
}

describe('node definitions of a server', () => {
  let parts: WindowParts;
  let answers: Answers;
  let document: vscode.TextDocument;
  const server = new Definer();

  before(async () => {
    answers = new Answers().begin();
    parts = await windowParts();
    server.knows('TestImage', 'TestSave');
    await server.start();
    await chooseServer(parts, 'Definer', server.origin);
    const uri = await writeFile('defined.json', {
      '1': { class_type: 'TestLater', inputs: {} },
      '2': { class_type: 'TestNever', inputs: {} },
      '3': { class_type: 'TestSave', inputs: { images: ['1', 0] } },
      '4': { class_type: 'TestSave', inputs: { images: ['2', 0] } },
    });
    document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
  });
  after(async () => {
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('servers', undefined, true);
    await configuration.update('server', undefined, true);
    await server.stop();
    answers.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const unknown = (): string[] =>
    vscode.languages
      .getDiagnostics(document.uri)
      .filter(({ code }) => typeof code === 'object' && code.value === 'unknown-class')
      .map(({ range }) => document.getText(range));
  const stored = async (): Promise<string | undefined> => {
    const name = createHash('sha256').update(server.origin).digest('hex').slice(0, 24);
    return parts.storage.read(`definitions-${name}.json`);
  };

  it('are read in the background when a workflow opens, and cached on disk', async () => {
    await eventually('unknown classes are found', () => unknown().length === 2);
    let kept: string | undefined;
    await eventually('they are kept', () => {
      void stored().then((text) => {
        kept = text;
      });
      return kept?.includes('TestImage');
    });
    assert.equal(server.asked.filter((path) => path === '/object_info').length, 1);
  });

  it('are requested for a single node type if the server supports it', async () => {
    server.knows('TestLater');
    const before = server.asked.length;
    await vscode.commands.executeCommand(commands.refreshDefinitions, 'TestLater');
    await eventually('the class is known', () => unknown().length === 1);
    assert.deepEqual(unknown(), ['"TestNever"']);
    assert.deepEqual(
      server.asked.slice(before).filter((path) => path.startsWith('/object_info')),
      ['/object_info/TestLater'],
    );
  });

  it('are read completely on command', async () => {
    server.knows('TestNever');
    await vscode.commands.executeCommand(commands.refreshDefinitions);
    await eventually('every class is known', () => unknown().length === 0);
  });

  it('come from the disk while the server is unreachable, and are marked as old', async () => {
    await eventually('the newest are kept', () => server.asked.length > 0);
    await server.stop();
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('server', undefined, true);
    await parts.servers.sessions.close(server.origin);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(
      document.uri,
      new vscode.Position(0, 1),
      '\n  "9": { "class_type": "TestGone", "inputs": {} },',
    );
    await vscode.workspace.applyEdit(edit);
    await configuration.update('server', 'Definer', true);
    await eventually('the class that is in neither is found', () => unknown().includes('"TestGone"'));
    assert.deepEqual(unknown(), ['"TestGone"']);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
