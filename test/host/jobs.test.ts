import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../src/core/jobs/job';
import type { JobItems } from '../../src/host/jobs/jobItems';
import type { JobSection } from '../../src/host/jobs/jobSection';
import { JobTree, type Row } from '../../src/host/jobs/jobTree';
import { commands } from '../../src/host/platform/contributions';
import { smallPrompt } from '../support/promptFile';
import { noLongerQuiet, quietSandbox } from '../support/quietSandbox';
import {
  answersInTests,
  eventually,
  failingWorkflow,
  notify,
  writeFile,
  jobItemsOf,
  jobSectionOf,
  type WindowParts,
} from './window';

const labelOf = ({ label }: vscode.TreeItem): string =>
  typeof label === 'string' ? label : (label?.label ?? '');

describe('jobs', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let jobs: JobSection;
  let items: JobItems;
  let tree: JobTree;

  before(async () => {
    parts = await quietSandbox();
    items = jobItemsOf(parts);
    jobs = jobSectionOf(parts, items);
    tree = new JobTree([jobs]);
  });
  after(async () => {
    tree.dispose();
    jobs.dispose();
    await noLongerQuiet();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const rowOf = (id: string): Row => {
    const row = items.find(id);
    assert.ok(row);
    return row;
  };
  const submit = async (name: string, workflow: unknown): Promise<string> => {
    const id = await vscode.commands.executeCommand<string | undefined>(
      commands.run,
      await writeFile(name, workflow),
    );
    assert.ok(id, `not sent: ${JSON.stringify(answers.shown)}`);
    return id;
  };
  const isSaved = (id: string): boolean => parts.known.filesOfJob(id).length > 0 && !parts.known.isSaving(id);
  const ended = (id: string): Promise<Job> =>
    eventually('the job ends', () => {
      const job = parts.store.get(id);
      return job && isTerminal(job.state) ? job : undefined;
    });

  it('are listed under their day, with outputs and nodes below, each row once', async () => {
    const id = await submit('tree.json', smallPrompt(3));
    await ended(id);
    await eventually('the outputs are saved', () => isSaved(id));
    const groups = await tree.getChildren();
    const row = rowOf(id);
    const group = groups.find((each) => labelOf(tree.getTreeItem(each)).startsWith('Finished, Today'));
    assert.ok(group && (await tree.getChildren(group)).includes(row));
    const item = tree.getTreeItem(row);
    assert.match(labelOf(item), /^tree\.json · \d.* · .* s$/);
    assert.match(String(item.description), /^seed 3, completed, .*1 output$/);
    assert.match(item.contextValue ?? '', /\bsaved\b/);
    // One with arguments would be forgotten with each refresh.
    assert.deepEqual(item.command, { command: commands.openRow, title: '' });
    assert.match(item.accessibilityInformation?.label ?? '', /^tree\.json, completed/);
    const children = await tree.getChildren(row);
    assert.equal(children.filter(({ kind }) => kind === 'output').length, 1);
    assert.ok(children.some(({ kind }) => kind === 'node'));
    assert.deepEqual(await tree.getChildren(row), children, 'the same rows again');
  });

  it('refresh only their own row while their position stays the same', async () => {
    const id = await submit('rows.json', smallPrompt(8));
    await ended(id);
    await tree.getChildren();
    await eventually('the outputs are saved', () => isSaved(id));
    const row = rowOf(id);
    const fired: (Row | Row[] | undefined)[] = [];
    const listening = tree.onDidChangeTreeData((what) => fired.push(what));
    jobs.refresh([id]);
    await eventually('it is refreshed', () => fired.length > 0);
    listening.dispose();
    assert.deepEqual(fired, [[row]]);
  });

  it('show where they failed, in the file and in a report', async () => {
    await notify('always');
    answers.press('Go to Node');
    const id = await submit('failing.json', failingWorkflow);
    const job = await ended(id);
    assert.equal(job.state, 'failed');
    const uri = vscode.Uri.parse(job.origin?.sourceUri ?? '');
    await eventually('a notification', () => answers.texts('showErrorMessage').length === 1);
    const told = answers.texts('showErrorMessage')[0] ?? '';
    assert.match(told, /^failing\.json failed at /);
    const { message = '' } = job.failure ?? {};
    assert.ok(told.length <= 160 && told.includes(message), 'the words of the server');
    await eventually('the node in the editor', () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.toString() === uri.toString() && !editor.selection.isEmpty;
    });
    await notify('never');

    await vscode.commands.executeCommand(commands.showError, id);
    const report = vscode.window.activeTextEditor?.document;
    assert.ok(report);
    assert.equal(report.uri.scheme, 'comfy-deck');
    assert.match(report.getText(), /What to do: /);
    assert.ok(report.getText().includes(id));
  });

  it('are all cancelled at once while queued, after a question', async () => {
    const first = await submit('front.json', smallPrompt(21, 300));
    const waiting: string[] = [];
    for (let number = 0; number < 3; number++) {
      waiting.push(await submit(`waiting-${number}.json`, smallPrompt(30 + number, 300)));
    }
    await eventually('one waits', () => waiting.some((id) => parts.store.get(id)?.state === 'pending'));
    const stillWaiting = waiting.filter((id) => parts.store.get(id)?.state === 'pending');
    await vscode.commands.executeCommand(commands.cancelPending);
    assert.equal(parts.store.get(stillWaiting[0] ?? '')?.state, 'pending', 'nothing happens without a yes');
    answers.press('Cancel Jobs');
    await vscode.commands.executeCommand(commands.cancelPending);
    for (const id of stillWaiting)
      await eventually('cancelled', () => parts.store.get(id)?.state === 'cancelled');
    for (const id of [first, ...waiting]) await vscode.commands.executeCommand(commands.cancelJobs, id);
    for (const id of [first, ...waiting]) await ended(id);
  });

  it('are interrupted only after a question that says whose they are', async () => {
    const id = await submit('interrupt.json', smallPrompt(41, 300));
    await eventually('it runs', () => parts.store.get(id)?.state === 'running');
    await vscode.commands.executeCommand(commands.interrupt);
    assert.match(answers.texts('showWarningMessage')[0] ?? '', /^Interrupt interrupt\.json on Sandbox\?$/);
    assert.equal(parts.store.get(id)?.state, 'running');
    answers.press('Interrupt');
    await vscode.commands.executeCommand(commands.interrupt);
    assert.equal((await ended(id)).state, 'cancelled');
  });
});
