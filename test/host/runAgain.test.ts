import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal, type Job, type JobOrigin } from '../../src/core/jobs/job';
import { commands } from '../../src/host/platform/contributions';
import { SubmittedRuns } from '../../src/host/outputs/submittedRuns';
import type { Services } from '../../src/host/services';
import { smallPrompt } from '../support/promptFile';
import { noLongerQuiet, quietSandbox } from '../support/quietSandbox';
import { Answers, eventually, writeFile } from './window';

describe('running a job again', () => {
  let parts: Services;
  let answers: Answers;
  let jobId: string;
  let olds = 0;

  before(async () => {
    parts = await quietSandbox();
    const file = await writeFile('repeated.json', smallPrompt(97));
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
    await noLongerQuiet();
  });
  beforeEach(() => {
    answers = new Answers();
  });
  afterEach(() => answers.restore());

  /** A run of an earlier window, whose sandbox is gone. */
  const ofDeadSandbox = async (origin?: JobOrigin): Promise<Job> => {
    const job = parts.store.get(jobId);
    const sent = await parts.submitted.of(jobId);
    assert.ok(job && sent);
    const sender = origin ?? job.origin;
    assert.ok(sender);
    const old = { ...job, origin: sender, id: `old-${++olds}`, server: 'http://127.0.0.1:2' };
    parts.store.restore([old]);
    await parts.submitted.keep(old.id, sent, undefined);
    return old;
  };

  it('needs only the run record: nothing else on this machine keeps what was sent', async () => {
    const stored = new Map<string, string>();
    const storage = {
      read: (name: string) => Promise.resolve(stored.get(name)),
      write: (name: string, text: string) => Promise.resolve(void stored.set(name, text)),
      remove: () => Promise.resolve(),
    };
    const trouble = { guard: (work: Promise<unknown>) => work.then(() => true) };
    const sent = await parts.submitted.of(jobId);
    assert.ok(sent);
    const records = await vscode.workspace.findFiles('outputs/repeated-*.run.json');
    const texts = await Promise.all(records.map(async (uri) => readFile(uri.fsPath, 'utf8')));
    const record = records[texts.findIndex((text) => text.includes(jobId))];
    assert.ok(record);
    const window = new SubmittedRuns(storage, trouble);
    await window.keep(jobId, sent, path.basename(record.fsPath));
    assert.equal([...stored.values()].join('').includes('class_type'), false);
    const later = await new SubmittedRuns(storage, trouble).of(jobId);
    assert.deepEqual(JSON.parse(later?.promptText ?? ''), JSON.parse(sent.promptText));
    assert.equal(await new SubmittedRuns(storage, trouble).of('another'), undefined);
  });

  it('finds what a batch or the command line sent in the run records of the workspace', async () => {
    const storage = {
      read: () => Promise.resolve(undefined),
      write: () => Promise.resolve(),
      remove: () => Promise.resolve(),
    };
    const trouble = { guard: (work: Promise<unknown>) => work.then(() => true) };
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    const folders = () => Promise.resolve([vscode.Uri.joinPath(root, 'outputs')]);
    const sent = await new SubmittedRuns(storage, trouble, folders).of(jobId);
    assert.deepEqual(sent?.promptText, (await parts.submitted.of(jobId))?.promptText);
    assert.equal(await new SubmittedRuns(storage, trouble, folders).of('another'), undefined);
  });

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

  it('is offered when the sandbox that made the outputs has stopped', async () => {
    const old = await ofDeadSandbox();
    await vscode.commands.executeCommand(commands.saveOutputs, old.id);
    assert.deepEqual(answers.texts('showErrorMessage'), [
      'The outputs of repeated.json are gone, because the sandbox that made them has stopped. Run it again to recreate them.',
    ]);
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
      'repeated-gone.json has been moved or deleted, so Comfy Deck runs the workflow as it was last sent.',
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
