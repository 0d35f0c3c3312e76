import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { loopback, type Loopback, sendJson } from '../support/loopback';
import { Answers, chooseServer, eventually, windowParts, writeFile, type WindowParts } from './window';

/** The node types of the server. */
const classes: Record<string, object> = {};

function knows(...names: readonly string[]): void {
  for (const name of names) {
    const input = { required: { images: ['IMAGE'] } };
    classes[name] = { input, output: ['IMAGE'], output_node: true, name, category: 'test' };
  }
}

function answerTo(path: string): unknown {
  if (path === '/system_stats') return { system: { comfyui_version: '0.1', os: 'posix' }, devices: [] };
  if (path === '/queue') return { queue_running: [], queue_pending: [] };
  if (path === '/history') return {};
  if (path === '/object_info') return classes;
  const one = /^\/object_info\/(.+)$/.exec(path)?.[1];
  if (one === undefined) return undefined;
  return classes[one] ? { [one]: classes[one] } : {};
}

describe('node definitions of a server', () => {
  let parts: WindowParts;
  let answers: Answers;
  let document: vscode.TextDocument;
  let server: Loopback;

  before(async () => {
    answers = new Answers().begin();
    parts = await windowParts();
    knows('TestImage', 'TestSave');
    server = await loopback({
      answer: ({ path }, response) => {
        const answer = answerTo(path.replace(/^\/api/, ''));
        if (answer === undefined) response.writeHead(404).end('404: Not Found');
        else sendJson(response, 200, answer);
      },
    });
    await chooseServer(parts, 'Definer', server.url);
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
    answers.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** The requests for definitions. */
  const asked = (): string[] => server.arrivals.flatMap(({ path }) => /\/object_info.*/.exec(path) ?? []);
  const unknown = (): string[] =>
    vscode.languages
      .getDiagnostics(document.uri)
      .filter(({ code }) => typeof code === 'object' && code.value === 'unknown-class')
      .map(({ range }) => document.getText(range));
  const stored = async (): Promise<string | undefined> => {
    const name = createHash('sha256').update(server.url).digest('hex').slice(0, 24);
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
    assert.equal(asked().filter((path) => path === '/object_info').length, 1);
  });

  it('are requested for a single node type if the server supports it', async () => {
    knows('TestLater');
    server.arrivals.length = 0;
    await vscode.commands.executeCommand(commands.refreshDefinitions, 'TestLater');
    await eventually('the class is known', () => unknown().length === 1);
    assert.deepEqual(unknown(), ['"TestNever"']);
    assert.deepEqual(asked(), ['/object_info/TestLater']);
  });

  it('are read completely on command', async () => {
    knows('TestNever');
    await vscode.commands.executeCommand(commands.refreshDefinitions);
    await eventually('every class is known', () => unknown().length === 0);
  });

  it('come from the disk while the server is unreachable, and are marked as old', async () => {
    await server.close();
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('server', undefined, true);
    await parts.servers.sessions.close(server.url);
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
