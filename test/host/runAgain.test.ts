import assert from 'node:assert/strict';
import { readFile, writeFile as writeFileText } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal, type Job, type JobOrigin } from '../../src/core/jobs/job';
import { commands } from '../../src/host/platform/contributions';
import { smallPrompt } from '../support/promptFile';
import { noLongerQuiet, quietSandbox } from '../support/quietSandbox';
import { putRecordedJob } from '../unit/jobs/observations';
import { answersInTests, eventually, writeFile, type WindowParts } from './window';

describe('running a job again', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let jobId: string;
  let olds = 0;

  before(async () => {
    parts = await quietSandbox();
    const file = await writeFile('repeated.json', smallPrompt(97));
    const id = await vscode.commands.executeCommand<string | undefined>(commands.run, file);
    assert.ok(id);
    jobId = id;
    await eventually('it ends', () => isTerminal(parts.store.get(id)?.state ?? 'running'));
    await eventually('it is saved', () => parts.pointers.owedOfJob(id) === undefined);
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('servers', [{ name: 'Attic', url: 'http://127.0.0.1:9' }], true);
    await configuration.update('server', 'Attic', true);
    await eventually('it is chosen', () => parts.servers.current()?.name === 'Attic');
  });
  after(async () => {
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('servers', undefined, true);
    await configuration.update('server', undefined, true);
    await noLongerQuiet();
  });

  /** A run of an earlier window, whose sandbox is gone. */
  const ofDeadSandbox = async (origin?: JobOrigin): Promise<Job> => {
    const job = parts.store.get(jobId);
    const pointer = await parts.pointers.ofJob(jobId);
    assert.ok(job && pointer);
    const sender = origin ?? job.origin;
    assert.ok(sender);
    const old = { ...job, origin: sender, id: `old-${++olds}`, server: 'http://127.0.0.1:2' };
    putRecordedJob(parts.known, old);
    const record = `${old.id}.run.json`;
    const text = await readFile(path.join(pointer.folder, pointer.record), 'utf8');
    const recorded = { ...(JSON.parse(text) as object), job: old.id, server: old.server };
    await writeFileText(path.join(pointer.folder, record), JSON.stringify(recorded));
    await parts.pointers.put({ ...pointer, jobId: old.id, server: old.server, record });
    return old;
  };

  it('asks which server to use, naming both, when another one is selected now', async () => {
    const details: string[] = [];
    answers.answer('showWarningMessage', (_message, options) => {
      details.push((options as vscode.MessageOptions).detail ?? '');
      return undefined;
    });
    const before = parts.store.jobs().length;
    await vscode.commands.executeCommand(commands.runAgain, jobId);
    assert.deepEqual(answers.texts('showWarningMessage'), ['Run repeated.json again on Attic?']);
    assert.match(
      details[0] ?? '',
      /^It ran on Sandbox\. The selected server is Attic \(http:\/\/127\.0\.0\.1:9\)\.$/,
    );
    assert.equal(parts.store.jobs().length, before, 'ran without an answer');
  });

  it("uses the sandbox for a job of an earlier window's sandbox, never its old port", async () => {
    const old = await ofDeadSandbox();
    assert.equal(parts.servers.nameOf(old.server), 'Sandbox');
    const details: string[] = [];
    answers.answer('showWarningMessage', (_message, options) => {
      details.push((options as vscode.MessageOptions).detail ?? '');
      return 'Run on Sandbox';
    });
    const before = new Set(parts.store.jobs().map(({ id }) => id));
    await vscode.commands.executeCommand(commands.runAgain, old.id);
    assert.match(details[0] ?? '', /^It ran on Sandbox\. The selected server is Attic/);
    const again = parts.store.jobs().find(({ id }) => !before.has(id));
    assert.equal(again?.server, parts.servers.sandbox.url, JSON.stringify(answers.shown));
    await eventually('it ends', () => isTerminal(parts.store.get(again?.id ?? '')?.state ?? 'running'));
  });

  it('says when its file was deleted, and offers what was sent', async () => {
    const file = await writeFile('repeated-gone.json', smallPrompt(98));
    answers.press('Run on Sandbox');
    const known = parts.store.get(jobId)?.origin;
    assert.ok(known);
    const old = await ofDeadSandbox({ ...known, label: 'repeated-gone.json', sourceUri: file.toString() });
    await vscode.workspace.fs.delete(file);
    const before = new Set(parts.store.jobs().map(({ id }) => id));
    answers.answer('showInformationMessage', () => 'Open Workflow');
    await vscode.commands.executeCommand(commands.runAgain, old.id);
    assert.deepEqual(answers.texts('showInformationMessage'), [
      'repeated-gone.json has been moved or deleted. Comfy Deck uses the workflow as it was sent.',
    ]);
    await eventually('what was sent is open', () =>
      vscode.window.activeTextEditor?.document.getText().includes('class_type'),
    );
    const again = parts.store.jobs().find(({ id }) => !before.has(id));
    assert.ok(again, JSON.stringify(answers.shown));
    await eventually('it ends', () => isTerminal(parts.store.get(again.id)?.state ?? 'running'));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it("runs it on the job's server if you choose that", async () => {
    answers.press('Run on Sandbox');
    const before = new Set(parts.store.jobs().map(({ id }) => id));
    await vscode.commands.executeCommand(commands.runAgain, jobId);
    const again = parts.store.jobs().find(({ id }) => !before.has(id));
    assert.equal(again?.server, parts.store.get(jobId)?.server, JSON.stringify(answers.shown));
    await eventually('it ends', () => isTerminal(parts.store.get(again?.id ?? '')?.state ?? 'running'));
  });
});
