import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal } from '../../src/core/jobs/job';
import { commands, settings } from '../../src/host/platform/contributions';
import type { Services } from '../../src/host/services';
import { smallPrompt } from '../support/promptFile';
import { Answers, eventually, notify, useSandbox, writeFile } from './window';

describe('running a job again', () => {
  let parts: Services;
  let answers: Answers;
  let jobId: string;

  before(async () => {
    const first = new Answers();
    parts = await useSandbox();
    first.restore();
    await notify('never');
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, false, true);
    const file = await writeFile('again.json', smallPrompt(97));
    const id = await vscode.commands.executeCommand<string | undefined>(commands.run, file);
    assert.ok(id);
    jobId = id;
    await eventually('it ends', () => isTerminal(parts.store.get(id)?.state ?? 'running'));
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('servers', [{ name: 'Attic', url: 'http://127.0.0.1:9' }], true);
    await configuration.update('server', 'Attic', true);
    await eventually('it is chosen', () => parts.servers.current()?.name === 'Attic');
  });
  after(async () => {
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('servers', undefined, true);
    await configuration.update('server', undefined, true);
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, undefined, true);
    await notify(undefined);
  });
  beforeEach(() => {
    answers = new Answers();
  });
  afterEach(() => answers.restore());

  it('asks where, naming both, when another server is selected than the one it ran on', async () => {
    const details: string[] = [];
    answers.answer('showWarningMessage', (_message, options) => {
      details.push((options as vscode.MessageOptions).detail ?? '');
      return undefined;
    });
    const before = parts.store.jobs().length;
    await vscode.commands.executeCommand(commands.runAgain, jobId);
    assert.deepEqual(answers.texts('showWarningMessage'), ['Run again.json again on Attic?']);
    assert.match(
      details[0] ?? '',
      /^It ran on Sandbox \(http:\/\/127\.0\.0\.1:\d+\)\. The selected server is Attic \(http:\/\/127\.0\.0\.1:9\)\.$/,
    );
    assert.equal(parts.store.jobs().length, before, 'ran without an answer');
  });

  it('runs it on the server of the job when that is the answer', async () => {
    answers.press('Run on Sandbox');
    const before = new Set(parts.store.jobs().map(({ id }) => id));
    await vscode.commands.executeCommand(commands.runAgain, jobId);
    const again = parts.store.jobs().find(({ id }) => !before.has(id));
    assert.equal(again?.server, parts.store.get(jobId)?.server, JSON.stringify(answers.shown));
    await eventually('it ends', () => isTerminal(parts.store.get(again?.id ?? '')?.state ?? 'running'));
  });
});
