import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal } from '../../src/core/jobs/job';
import { readRunRecord, type RunRecord } from '../../src/core/records/runRecord';
import { commands, customEditors } from '../../src/host/platform/contributions';
import { smallPrompt } from '../support/promptFile';
import { noLongerQuiet, quietSandbox } from '../support/quietSandbox';
import { answersInTests, eventually, writeFile, jobOf, type WindowParts } from './window';

const activeInput = (): unknown => vscode.window.tabGroups.activeTabGroup.activeTab?.input;

/** The record whose page is the active tab. */
const shownRecord = (): vscode.Uri | undefined => {
  const input = activeInput();
  return input instanceof vscode.TabInputCustom && input.viewType === customEditors.runRecord
    ? input.uri
    : undefined;
};

describe('the page of a run record', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let record: vscode.Uri;
  let output: vscode.Uri;
  let jobId: string;

  const recordAt = async (uri: vscode.Uri): Promise<RunRecord> => {
    const read = readRunRecord(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    assert.ok(read, `${uri.path} is no run record`);
    return read;
  };

  before(async () => {
    parts = await quietSandbox();
    const file = await writeFile('recorded.json', smallPrompt(1234));
    const id = await vscode.commands.executeCommand<string | undefined>(commands.run, file);
    assert.ok(id);
    jobId = id;
    await eventually(
      'its output is saved',
      () => parts.known.filesOfJob(id).length > 0 && !parts.known.isSaving(id),
    );
    output = vscode.Uri.file(parts.known.filesOfJob(id)[0]?.location ?? '');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await noLongerQuiet();
  });

  it('opens from an output, and from a job in the Jobs view', async () => {
    await vscode.commands.executeCommand(commands.showRun, output);
    record = await eventually('the page is open', shownRecord);
    assert.equal((await recordAt(record)).job, jobId);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(commands.showRun, {
      kind: 'job',
      id: `job:${jobId}`,
      jobId,
    });
    assert.equal((await eventually('the page is open', shownRecord)).path, record.path);
  });

  it('is what a run record opens in', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('vscode.open', record);
    assert.equal((await eventually('the page is open', shownRecord)).path, record.path);
  });

  it('opens the record as text', async () => {
    await vscode.commands.executeCommand(commands.openRecordAsText, record);
    const input = activeInput();
    assert.ok(input instanceof vscode.TabInputText && input.uri.path === record.path);
  });

  it('runs the recorded prompt again, digit for digit, to the same folder', async () => {
    const known = new Set(parts.store.jobs().map(({ id }) => id));
    const id = await vscode.commands.executeCommand<string | undefined>(commands.runRecordAgain, record);
    assert.ok(id && !known.has(id), JSON.stringify(answers.shown));
    await eventually('it ends', () => isTerminal(parts.store.get(id)?.state ?? 'running'));
    const sent = await parts.folders.sent(jobOf(parts, id));
    assert.equal(sent?.promptText, (await recordAt(record)).promptText);
    assert.equal(parts.store.get(id)?.origin?.label, 'recorded.json');
  });

  it('opens the workflow file, and says when it has changed or is gone', async () => {
    const shown = (): string => path.posix.basename(vscode.window.activeTextEditor?.document.uri.path ?? '');
    await vscode.commands.executeCommand(commands.openRecordWorkflow, record);
    assert.equal(shown(), 'recorded.json');
    assert.deepEqual(answers.texts('showInformationMessage'), []);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const file = await writeFile('recorded.json', smallPrompt(99));
    await vscode.commands.executeCommand(commands.openRecordWorkflow, record);
    assert.deepEqual(answers.texts('showInformationMessage'), ['recorded.json has changed since this run.']);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(file);
    await vscode.commands.executeCommand(commands.openRecordWorkflow, record);
    assert.equal(vscode.window.activeTextEditor?.document.isUntitled, true);
    assert.equal(vscode.window.activeTextEditor.document.getText(), (await recordAt(record)).promptText);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('never follows a path in a record out of the folders it belongs to', async () => {
    const outside = await writeFile('archive/evil.run.json', {
      ...(await recordAt(record)),
      sourceUri: '../../../../etc/passwd',
    });
    await vscode.commands.executeCommand(commands.openRecordWorkflow, outside);
    assert.equal(vscode.window.activeTextEditor?.document.isUntitled, true);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
