import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { loopback, type Loopback, sendJson } from '../support/loopback';
import { answersInTests, chooseServer, eventually, windowParts, type WindowParts } from './window';

const key = 'test-key';
const systemStats = { system: { comfyui_version: '0.33.0', os: 'posix' }, devices: [] };
const noJobs = {
  queue_running: [],
  queue_pending: [],
  jobs: [],
  pagination: { offset: 0, limit: 100, total: 0, has_more: false },
};

describe('servers and keys', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let refusing: Loopback;

  before(async () => {
    parts = await windowParts();
    refusing = await loopback({
      answer: (_, response) => sendJson(response, 401, { error: { type: 'unauthorized', message: 'no' } }),
    });
  });
  after(async () => {
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('servers', undefined, true);
    await configuration.update('server', undefined, true);
    await refusing.close();
  });

  const choose = (name: string, url: string): Promise<void> => chooseServer(parts, name, url);

  it('starts the sandbox when it is selected, and finds it connected', async () => {
    answers.pick('Sandbox');
    await vscode.commands.executeCommand(commands.selectServer);
    await eventually('it runs', () => parts.servers.status.kind === 'connected');
    assert.match(parts.servers.sandbox.url ?? '', /^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('keeps the port of the sandbox when it is stopped and started again', async () => {
    const before = parts.servers.sandbox.url;
    await vscode.commands.executeCommand(commands.stopSandbox);
    assert.equal(parts.servers.status.kind, 'stopped');
    await vscode.commands.executeCommand(commands.startSandbox);
    assert.equal(parts.servers.sandbox.url, before);
  });

  it('never sends a key over plain http to another machine', async () => {
    await choose('Attic', 'http://192.0.2.1:8188');
    let asked = false;
    answers.answer('showInputBox', () => {
      asked = true;
      return key;
    });
    await vscode.commands.executeCommand(commands.signIn);
    assert.equal(asked, false);
    assert.match(answers.texts('showErrorMessage')[0] ?? '', /isn't encrypted/);
  });

  it('does not store a key that the server rejects', async () => {
    await choose('Guarded', refusing.url);
    answers.answer('showInputBox', () => key);
    await vscode.commands.executeCommand(commands.signIn);
    const keys = refusing.arrivals.map(({ headers }) => headers['x-api-key']);
    assert.ok(keys.includes(key), 'the key was not tried');
    assert.equal(await parts.servers.keys.get(refusing.url), undefined);
    assert.match(answers.texts('showErrorMessage')[0] ?? '', /Guarded/);
  });

  it('keeps a key that was typed for one server while another one was selected', async () => {
    const url = 'http://127.0.0.1:1';
    await choose('Away', url);
    answers.answer('showInputBox', async () => {
      await choose('Guarded', refusing.url);
      return key;
    });
    await vscode.commands.executeCommand(commands.signIn);
    assert.deepEqual([await parts.servers.keys.get(url), answers.texts('showErrorMessage')], [key, []]);
    await parts.servers.keys.delete(url);
  });

  it('keeps keys out of the settings', async () => {
    await choose('Guarded', refusing.url);
    await parts.servers.keys.set(refusing.url, key);
    const all = JSON.stringify(vscode.workspace.getConfiguration().inspect('comfyDeck.servers'));
    assert.ok(!all.includes(key));
    await vscode.commands.executeCommand(commands.signOut);
    assert.equal(await parts.servers.keys.get(refusing.url), undefined);
  });

  it('shows that a server refuses access only to its jobs, until it grants it', async () => {
    let denies = false;
    const denying = await loopback({
      answer: ({ path }, response) => {
        const isAboutJobs = /\/(?:queue|jobs|history)/.test(path);
        sendJson(response, isAboutJobs && denies ? 403 : 200, isAboutJobs ? noJobs : systemStats);
      },
    });
    await choose('Denying', denying.url);
    const refused = (): string | undefined => {
      const { status } = parts.servers;
      return status.kind === 'connected' ? (status.jobsRefused?.missing ?? 'nothing') : status.kind;
    };
    await vscode.commands.executeCommand(commands.checkConnection);
    assert.equal(refused(), 'nothing');

    denies = true;
    await vscode.commands.executeCommand(commands.refreshJobs);
    assert.equal(refused(), 'permission');
    await vscode.commands.executeCommand(commands.checkConnection);
    assert.equal(refused(), 'permission');

    denies = false;
    await vscode.commands.executeCommand(commands.checkConnection);
    assert.equal(refused(), 'nothing');
    await parts.servers.sessions.close(parts.servers.currentOrigin() ?? '');
    await denying.close();
  });

  it("says that a server can't be reached, and what to do", async () => {
    await choose('Nobody', 'http://127.0.0.1:9');
    await vscode.commands.executeCommand(commands.checkConnection);
    assert.equal(parts.servers.status.kind, 'unreachable');
    assert.equal(answers.texts('showErrorMessage').length, 1);
    assert.match(answers.texts('showErrorMessage')[0] ?? '', /Nobody/);
  });
});
