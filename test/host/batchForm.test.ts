import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { Secrets } from '../../src/core/safety/secrets';
import { NodeFolder } from '../../src/core/outputs/nodeFolder';
import { BatchFormFile } from '../../src/host/batch/batchFormFile';
import { BatchFormPanel } from '../../src/host/batch/batchFormPanel';
import { BatchTimes } from '../../src/core/batch/batchTime';
import { commands, webviewPanels } from '../../src/host/platform/contributions';
import { isCancellation } from '../../src/host/platform/problems';
import type { ToBatchForm } from '../../src/webview/contract/batchEntry';
import { smallPrompt } from '../support/promptFile';
import { answersInTests, eventually, instead, writeFile } from './window';

const axis = { selector: 'EmptyLatentImage.width', kind: 'list', text: '64, 128', column: '' } as const;

describe('the Set Up Batch form', () => {
  const answers = answersInTests();
  const opened: vscode.WebviewPanel[] = [];

  before(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  afterEach(() => {
    for (const panel of opened.splice(0)) panel.dispose();
  });

  /** The form of a workflow, with a page that is the test. */
  async function open(workflow: vscode.Uri) {
    const panel = vscode.window.createWebviewPanel('test.batchForm', 'Form', vscode.ViewColumn.One, {});
    opened.push(panel);
    const told: ToBatchForm[] = [];
    const page = new vscode.EventEmitter<unknown>();
    const webview = instead(panel.webview, {
      onDidReceiveMessage: page.event,
      postMessage: (message: ToBatchForm) => Promise.resolve(told.push(message) > 0),
    });
    const onError = (error: unknown): void => assert.ok(isCancellation(error), String(error));
    const noRuns = new NodeFolder(vscode.Uri.joinPath(workflow, '..', 'no-outputs').fsPath);
    const sources = {
      servers: () => [{ id: 'sandbox', name: 'Sandbox', origin: undefined, isCurrent: true }],
      catalog: () => Promise.resolve(undefined),
      onDidChange: new vscode.EventEmitter<unknown>().event,
      times: new BatchTimes(noRuns, 'w'),
    };
    const parts = { extensionUri: vscode.Uri.file(process.cwd()), secrets: new Secrets(), onError };
    const formFile = await BatchFormFile.of(workflow);
    new BatchFormPanel(instead(panel, { webview }), parts, formFile, sources, () => Promise.resolve('id-1'));
    const last = <K extends ToBatchForm['type']>(type: K): (ToBatchForm & { readonly type: K }) | undefined =>
      told.findLast((each): each is ToBatchForm & { readonly type: K } => each.type === type);
    page.fire({ type: 'ready' });
    const { form } = await eventually('the form is shown', () => last('form'));
    /** Asks to save it with an input to vary. */
    const save = (): void => page.fire({ type: 'save', form: { ...form, count: '', axes: [axis] } });
    return { form, save, isSaved: () => last('saved'), file: formFile.file };
  }

  const textOf = async (file: vscode.Uri): Promise<string> =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(file));

  it('saves what was entered in a new file', async () => {
    const { save, isSaved, file } = await open(await writeFile('batch-form.json', smallPrompt()));
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(file)));
    save();
    await eventually('it is saved', isSaved);
    assert.deepEqual(JSON.parse(await textOf(file)), {
      format: 1,
      workflow: 'batch-form.json',
      set: { 'EmptyLatentImage.width': [64, 128] },
      servers: ['sandbox'],
    });
  });

  it('asks before it replaces a batch of another workflow', async () => {
    const workflow = await writeFile('batch-other.json', smallPrompt());
    const text = '{ "format": 1, "workflow": "another.json" }';
    const file = await writeFile('batch-other.batch.json', text);
    const { save, isSaved, form } = await open(workflow);
    assert.deepEqual(form.axes, []);
    save();
    await eventually('it asks', () => answers.texts('showWarningMessage').length === 1);
    assert.match(answers.texts('showWarningMessage')[0] ?? '', /Replace batch-other\.batch\.json\?/);
    assert.equal(await textOf(file), text);
    answers.press('Replace');
    save();
    await eventually('it is saved', isSaved);
    assert.match(await textOf(file), /"workflow": "batch-other\.json"/);
  });

  it('opens by its command beside the workflow, once', async () => {
    const workflow = await writeFile('batch-command.json', smallPrompt());
    await vscode.commands.executeCommand(commands.showBatchForm, workflow);
    await vscode.commands.executeCommand(commands.showBatchForm, workflow);
    const isForm = ({ input }: vscode.Tab): boolean =>
      input instanceof vscode.TabInputWebview && input.viewType.endsWith(webviewPanels.batchForm);
    const forms = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isForm);
    await eventually('it is there', () => forms().length === 1);
    assert.equal(forms().length, 1);
  });
});
