import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal } from '../../src/core/jobs/job';
import { commands } from '../../src/host/platform/contributions';
import { hostileServer, type HostileServer, type Hostility } from '../support/hostileServer';
import { canaryKey, quotedForm } from '../support/secretForms';
import {
  Answers,
  chooseServer,
  eventually,
  replaceMember,
  runsTelling,
  windowParts,
  writeFile,
  type WindowParts,
} from './window';

const key = canaryKey('window');
const workflow = {
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shot' } },
};

/** The text of an error and of its causes, including stacks. */
function chain(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return String(error);
  return `${error.stack ?? ''} ${error.message} ${JSON.stringify(error)} ${chain(error.cause, depth + 1)}`;
}

describe('a server that quotes the key of this window', () => {
  let parts: WindowParts;
  let answers: Answers;
  let server: HostileServer | undefined;
  const told: string[] = [];
  const restore: (() => void)[] = [];

  /** Records calls of a method from now on. */
  function listen<T extends object>(
    object: T,
    method: keyof T & string,
    hear: (args: readonly unknown[], result: unknown) => void,
  ): void {
    const original = object[method] as (...args: readonly unknown[]) => unknown;
    const value = (...args: readonly unknown[]): unknown => {
      const result = original.apply(object, [...args]);
      hear(args, result);
      return result;
    };
    restore.push(replaceMember(object, method, value));
  }

  runsTelling('always');
  before(async () => {
    parts = await windowParts();
    answers = new Answers().begin();
    answers.press('Run');
    // The input of the log, before its own checks.
    listen(parts.log, 'error', ([what, error]) => told.push(`log: ${String(what)} ${chain(error)}`));
    for (const level of ['info', 'warn', 'debug'] as const) {
      listen(parts.log, level, ([words]) => told.push(`log: ${String(words)}`));
    }
    listen(vscode.window, 'createWebviewPanel', (_args, panel) => {
      const { webview } = panel as vscode.WebviewPanel;
      listen(webview, 'postMessage', ([message]) => told.push(`webview: ${JSON.stringify(message)}`));
    });
  });
  after(async () => {
    for (const undo of restore.reverse()) undo();
    answers.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await server?.close();
  });

  async function run(hostility: Hostility, dialect: 'local' | 'cloud'): Promise<string | undefined> {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await server?.close();
    server = await hostileServer(key, hostility, dialect);
    const name = `Hostile ${hostility} ${dialect}`;
    await parts.servers.keys.set(server.url, key);
    await chooseServer(parts, name, server.url);
    const file = await writeFile(`${hostility}-${dialect}.json`, workflow);
    return vscode.commands.executeCommand<string | undefined>(commands.run, file);
  }

  async function everything(): Promise<readonly string[]> {
    const files: string[] = [];
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = await readFile(path.join(entry.parentPath, entry.name), 'latin1');
      files.push(`file: ${entry.name} ${text}`);
    }
    for (const { name } of await parts.storage.list('')) {
      files.push(`storage: ${name} ${(await parts.storage.read(name)) ?? ''}`);
    }
    const marks = vscode.languages
      .getDiagnostics()
      .flatMap(([, list]) => list.map(({ message, code }) => `mark: ${message} ${JSON.stringify(code)}`));
    return [
      ...told,
      ...answers.shown.map(({ how, text }) => `${how}: ${text}`),
      ...files,
      ...marks,
      ...vscode.workspace.textDocuments.map((document) => `document: ${document.getText()}`),
      `jobs: ${JSON.stringify(parts.store.jobs())}`,
    ];
  }

  for (const dialect of ['local', 'cloud'] as const) {
    for (const hostility of ['completes', 'fails', 'refusesPrompt'] as const) {
      it(`${dialect}, ${hostility}: no notification, log line, message, diagnostic or file contains it`, async () => {
        answers.shown.length = 0;
        const id = await run(hostility, dialect);
        if (id !== undefined) {
          await eventually('the job ends', () => {
            const job = parts.store.get(id);
            return job !== undefined && isTerminal(job.state);
          });
          if (hostility === 'fails') await vscode.commands.executeCommand(commands.showError, id);
          if (hostility === 'completes') {
            await eventually('outputs are saved', () => parts.known.filesOfJob(id).length > 0);
          }
        }
        await eventually('it is told', () => answers.shown.length > 0);
        if (id !== undefined) await vscode.commands.executeCommand(commands.openPreview);
        await parts.folders.close();

        const all = await everything();
        for (const text of all) assert.equal(quotedForm(text, key), undefined, text.slice(0, 1500));
        assert.ok(all.some((text) => text.includes('[hidden')));
      });
    }
  }

  it('was observed everywhere it could have leaked', () => {
    assert.ok(told.some((text) => text.startsWith('log: ')));
    assert.ok(told.some((text) => text.startsWith('webview: ')));
  });
});
