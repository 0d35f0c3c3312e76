import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal } from '../../src/core/jobs/job';
import { settings } from '../../src/host/platform/contributions';
import type { Services } from '../../src/host/services';
import { smallPrompt } from '../support/promptFile';
import { Answers, eventually, notify, useSandbox, writeFile } from './window';

describe('run on save', () => {
  let parts: Services;
  let answers: Answers;
  const set = (id: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    const first = new Answers();
    parts = await useSandbox();
    first.restore();
    await notify('never');
  });
  after(async () => {
    await set(settings.runOnSave, undefined);
    await notify(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  beforeEach(() => {
    answers = new Answers();
  });
  afterEach(() => answers.restore());

  const jobsOf = (uri: vscode.Uri) =>
    parts.store.jobs().filter(({ origin }) => origin?.sourceUri === uri.toString());

  /** Changes a seed in the file and saves it by hand. */
  const saveWith = async (uri: vscode.Uri, seed: number): Promise<void> => {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const text = JSON.stringify(smallPrompt(seed), null, 2);
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, editor.document.lineCount, 0), text));
    await vscode.commands.executeCommand('workbench.action.files.save');
  };
  /** Saving is answered by a run at once or not at all; the next run shows that the answers are in. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 400));

  it('is off until the user turns it on', async () => {
    const uri = await writeFile('save-off.json', smallPrompt(101));
    await saveWith(uri, 102);
    await settled();
    assert.deepEqual(jobsOf(uri), []);
    assert.deepEqual(answers.texts('showWarningMessage'), []);
  });

  it('asks first, and takes a closed question for a no', async () => {
    await set(settings.runOnSave, true);
    const uri = await writeFile('save-ask.json', smallPrompt(111));
    await saveWith(uri, 112);
    await eventually('the question', () => answers.texts('showWarningMessage').length === 1);
    await settled();
    assert.deepEqual(jobsOf(uri), []);
  });

  it('runs what changed, once, and not while the file still has a job', async () => {
    await set(settings.runOnSave, true);
    answers.press('Run on Save');
    const uri = await writeFile('save-on.json', smallPrompt(121, 30));
    await saveWith(uri, 122);
    await eventually('a job', () => jobsOf(uri).length === 1);
    await eventually('it ends', () => jobsOf(uri).every(({ state }) => isTerminal(state)));
    await vscode.commands.executeCommand('workbench.action.files.save');
    await settled();
    assert.equal(jobsOf(uri).length, 1, 'the same text is not sent again');
    await saveWith(uri, 123);
    await eventually('another job', () => jobsOf(uri).length === 2);
    assert.equal(answers.texts('showWarningMessage').length, 1, 'asked once');
  });

  it('leaves files alone that hold no workflow', async () => {
    const uri = await writeFile('save-other.json', { name: 'settings' });
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    await vscode.commands.executeCommand('workbench.action.files.save');
    await settled();
    assert.deepEqual(jobsOf(uri), []);
    assert.deepEqual(answers.texts('showErrorMessage'), []);
  });
});
