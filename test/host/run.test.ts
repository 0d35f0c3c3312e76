import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Job } from '../../src/core/jobs/job';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { commands } from '../../src/host/platform/contributions';
import type { RunFolders } from '../../src/host/runs/runFolders';
import { smallGraph } from '../support/graphFile';
import { smallPrompt } from '../support/promptFile';
import { noLongerQuiet, quietSandbox } from '../support/quietSandbox';
import { answersInTests, eventually, failingWorkflow, notify, writeFile, type WindowParts } from './window';

describe('running a workflow file', () => {
  let parts: WindowParts;
  const answers = answersInTests();

  before(async () => {
    parts = await quietSandbox();
  });
  after(async () => {
    await noLongerQuiet();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const run = async (uri: vscode.Uri): Promise<Job> => {
    const id = await vscode.commands.executeCommand<string | undefined>(commands.run, uri);
    assert.ok(id, `not sent: ${JSON.stringify(answers.shown)}`);
    return eventually('the job ends', () => {
      const job = parts.store.get(id);
      return job && ['completed', 'failed', 'cancelled', 'lost'].includes(job.state) ? job : undefined;
    });
  };

  it("saves pictures and a run record in the workspace's output folder", async () => {
    await notify('always');
    const uri = await writeFile('lighthouse.json', smallPrompt(11));
    const job = await run(uri);
    assert.equal(job.state, 'completed');
    const [saved] = await eventually('the outputs are saved', () => {
      const files = parts.known.filesOfJob(job.id);
      return files.length > 0 ? files : undefined;
    });
    assert.ok(saved);
    assert.match(
      vscode.workspace.asRelativePath(vscode.Uri.file(saved.location), false),
      /^outputs\/lighthouse-\d{8}-\d{6}-.*\.png$/,
    );
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(saved.location));
    assert.deepEqual([...bytes.slice(1, 4)], [...Buffer.from('PNG')]);
    const folder = await vscode.workspace.fs.readDirectory(
      vscode.Uri.joinPath(vscode.Uri.file(saved.location), '..'),
    );
    assert.ok(folder.some(([name]) => /^lighthouse-.*\.run\.json$/.test(name)));
    const told = () =>
      answers.texts('showInformationMessage').filter((text) => text.includes('lighthouse.json'));
    await eventually('a notification', () => told().length > 0);
    assert.deepEqual(told(), ['lighthouse.json finished. 1 output saved.']);
    await notify('never');
  });

  it('has a file under way while a ComfyUI page sends it, so that a save waits', async () => {
    const uri = await writeFile('page.json', smallPrompt(12));
    const workflow = WorkflowDocument.of(JSON.stringify(smallPrompt(12)));
    const session = await parts.servers.session();
    const source = { uri, workflow, label: 'page.json' };
    const sent = parts.runs.underWayUntil(
      uri,
      parts.runs.sendPrompt(source, { seeds: 'keep' }, session, false),
    );
    assert.ok(parts.runs.isUnderWay(uri));
    assert.equal((await sent)?.kind, 'submitted');
    assert.ok(!parts.runs.isUnderWay(uri));
  });

  it('runs once for each press of Run with New Seeds, and once for presses of Run that come too fast', async () => {
    const uri = await writeFile('presses.json', smallPrompt(21));
    const press = (command: string) => vscode.commands.executeCommand<string | undefined>(command, uri);
    const varied = await Promise.all(Array.from({ length: 5 }, () => press(commands.runWithNewSeeds)));
    assert.equal(new Set(varied).size, 5);
    assert.ok(!varied.includes(undefined));
    const seeds = varied.map((id) => parts.store.get(id ?? '')?.origin?.seeds['5.seed']);
    assert.equal(new Set(seeds).size, 5);

    const same = await Promise.all([press(commands.run), press(commands.run)]);
    assert.equal(same.filter((id) => id !== undefined).length, 1);
    assert.ok(
      answers.texts('showInformationMessage').some((text) => /presses\.json is already/.test(text)),
      JSON.stringify(answers.shown),
    );
  });

  it('starts as many runs as Run × asks for, and at most twenty wait', async () => {
    const uri = await writeFile('times.json', smallPrompt(22));
    const before = new Set(parts.store.jobs().map(({ id }) => id));
    answers.answer('showInputBox', () => '3');
    await vscode.commands.executeCommand(commands.runTimes, uri);
    assert.equal(parts.store.jobs().filter(({ id }) => !before.has(id)).length, 3);

    const presses = Array.from({ length: 23 }, () =>
      vscode.commands.executeCommand<string | undefined>(commands.runWithNewSeeds, uri),
    );
    await eventually('the presses beyond twenty say why', () =>
      answers.texts('showInformationMessage').some((text) => /20 runs are already waiting/.test(text)),
    );
    const sent = (await Promise.all(presses)).filter((id) => id !== undefined);
    assert.ok(sent.length >= 21 && sent.length < 23, `${sent.length} were sent`);
  });

  it('leaves the preview with the job that was chosen while others waited', async () => {
    const preview = (): readonly string[] =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) =>
        tabs.flatMap(({ input, label }) => (input instanceof vscode.TabInputWebview ? [label] : [])),
      );
    const chosen = await run(await writeFile('chosen.json', smallPrompt(24)));
    const uri = await writeFile('others.json', smallPrompt(25));
    await vscode.workspace.getConfiguration('comfyDeck').update('openPreviewOnRun', true, true);
    const [first, ...others] = [1, 2, 3].map(() =>
      vscode.commands.executeCommand<string | undefined>(commands.runWithNewSeeds, uri),
    );
    await first;
    await vscode.commands.executeCommand(commands.previewJob, chosen.id);
    assert.ok((await Promise.all(others)).every((id) => id !== undefined));
    await eventually('the preview shows it', () => preview().includes('chosen.json (Completed)'));
    await vscode.workspace.getConfiguration('comfyDeck').update('openPreviewOnRun', false, true);
  });

  it("runs the editor's text, saved or not, and keeps every digit of a seed", async () => {
    const uri = await writeFile('unsaved.json', smallPrompt(1));
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    const text = document.getText().replace('"seed": 1,', '"seed": 18446744073709551615,');
    await editor.edit((edit) => {
      edit.replace(new vscode.Range(0, 0, document.lineCount, 0), text);
    });
    assert.equal(document.isDirty, true);
    const job = await run(uri);
    assert.equal(job.origin?.seeds['5.seed'], '18446744073709551615');
    const kept = await parts.folders.sent(job);
    assert.match(kept?.promptText ?? '', /18446744073709551615/);
    await document.save();
  });

  it('marks the node that failed until the file changes', async () => {
    const uri = await writeFile('failing.json', failingWorkflow);
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    await run(uri);
    const failure = (): vscode.Diagnostic | undefined =>
      vscode.languages.getDiagnostics(uri).find(({ message }) => message.includes('SandboxFail (node 2)'));
    const diagnostic = await eventually('the failure is marked', failure);
    assert.equal(document.getText(diagnostic.range), '"SandboxFail"');
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Error);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    await eventually('the mark is gone', () => failure() === undefined);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it("sends what the check would refuse with Run Anyway, and shows the server's answer", async () => {
    const workflow: Record<string, unknown> = smallPrompt(9);
    workflow['5'] = { class_type: 'KSampler', inputs: { seed: 'no number' } };
    const uri = await writeFile('invalid.json', workflow);
    assert.equal(await vscode.commands.executeCommand(commands.run, uri), undefined);
    const shown = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Comfy Deck');
    assert.ok(shown().length > 0, 'nothing is marked in the file');
    assert.equal(answers.texts('showErrorMessage').length, 1);
    answers.press('Run Anyway');
    await vscode.commands.executeCommand(commands.run, uri);
    await eventually(
      `the server has spoken: ${JSON.stringify(answers.shown)}`,
      () => answers.texts('showErrorMessage').length === 3,
    );
    assert.match(answers.texts('showErrorMessage')[2] ?? '', /^Sandbox rejected invalid\.json: /);
  });

  it('runs JSON with Comments from the editor and from disk, and marks errors at their places', async () => {
    const text = `// Small.\n${JSON.stringify(smallPrompt(31), null, 2).replace(/\n\}$/, ', /* end */\n}')}`;
    const uri = await writeFile('commented.jsonc', text);
    assert.equal((await run(uri)).state, 'completed');
    const open = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(open);
    assert.equal((await run(uri)).state, 'completed');
    const edit = new vscode.WorkspaceEdit();
    const start = open.getText().indexOf('"steps": 2') + 9;
    edit.replace(uri, new vscode.Range(open.positionAt(start), open.positionAt(start + 1)), '-5');
    await vscode.workspace.applyEdit(edit);
    const marks = await eventually('the fault is marked', () => {
      const found = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Comfy Deck');
      return found.length > 0 && found;
    });
    assert.deepEqual(
      marks.map(({ range }) => open.getText(range)),
      ['-5'],
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('runs a graph again with its graph, up to the same output', async () => {
    const graph = smallGraph();
    const uri = await writeFile('graph-again.json', graph);
    const id = await vscode.commands.executeCommand<string>(commands.runToHere, uri, '2');
    assert.ok(id);
    let kept: Awaited<ReturnType<RunFolders['sent']>>;
    const before = new Set(parts.store.jobs().map(({ id: each }) => each));
    await vscode.commands.executeCommand(commands.runAgain, id);
    const again = await eventually('another job', () =>
      parts.store.jobs().find((job) => !before.has(job.id)),
    );
    const sent = await eventually('it is kept', () => {
      void parts.folders.sent(again).then((run) => (kept = run));
      return kept;
    });
    assert.deepEqual(JSON.parse(sent.workflowText ?? ''), graph);
    assert.deepEqual(sent.targets, ['2']);
  });
});
