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
import type { BatchForm, ToBatchForm } from '../../src/webview/contract/batchEntry';
import { smallPrompt } from '../support/promptFile';
import { answersInTests, eventually, writeFile } from './window';

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
  async function open(
    workflow: vscode.Uri,
    times = new BatchTimes(new NodeFolder(vscode.Uri.joinPath(workflow, '..', 'no-outputs').fsPath), 'w'),
  ) {
    const panel = vscode.window.createWebviewPanel('test.batchForm', 'Form', vscode.ViewColumn.One, {});
    opened.push(panel);
    const told: ToBatchForm[] = [];
    const started: (readonly string[])[] = [];
    const texts: string[] = [];
    const errors: unknown[] = [];
    const page = new vscode.EventEmitter<unknown>();
    const webview = new Proxy(panel.webview, {
      get: (target, name) => {
        if (name === 'onDidReceiveMessage') return page.event;
        if (name === 'postMessage') return (message: ToBatchForm) => Promise.resolve(told.push(message) > 0);
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
      set: (target, name, value) => Reflect.set(target, name, value),
    });
    const shownPanel = new Proxy(panel, {
      get: (target, name) => {
        if (name === 'webview') return webview;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
      set: (target, name, value) => Reflect.set(target, name, value),
    });
    const file = await BatchFormFile.of(workflow);
    const onError = (error: unknown): void => {
      if (!isCancellation(error)) errors.push(error);
    };
    const sources = {
      servers: () => [{ id: 'sandbox', name: 'Sandbox', origin: undefined, isCurrent: true }],
      catalog: () => Promise.resolve(undefined),
      onDidChange: new vscode.EventEmitter<unknown>().event,
      times,
    };
    const start = (servers: readonly string[] = [], text: string): Promise<string> => {
      started.push(servers);
      texts.push(text);
      return Promise.resolve('id-1');
    };
    const parts = { extensionUri: vscode.Uri.file(process.cwd()), secrets: new Secrets(), onError };
    new BatchFormPanel(shownPanel, parts, file, sources, start);
    const send = (message: unknown): void => page.fire(message);
    const last = <K extends ToBatchForm['type']>(type: K): (ToBatchForm & { readonly type: K }) | undefined =>
      told.findLast((each): each is ToBatchForm & { readonly type: K } => each.type === type);
    send({ type: 'ready' });
    const { form } = await eventually('the form is shown', () => last('form'));
    return { send, told, last, form, started, texts, errors, file: file.file, panel };
  }

  const textOf = async (file: vscode.Uri): Promise<string> =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(file));

  it('runs what was entered without a file, shows its sheet, and saves it when asked to', async () => {
    const workflow = await writeFile('batch-form.json', smallPrompt());
    const { send, last, form, started, texts, file } = await open(workflow);
    const entered: BatchForm = { ...form, count: '', axes: [axis] };
    send({ type: 'change', revision: 1, form: entered });
    const preview = await eventually('the preview', () => {
      const told = last('preview');
      return told?.revision === 1 && told.preview;
    });
    assert.deepEqual(preview.problems, []);
    assert.equal(preview.table?.count, 2);
    assert.deepEqual(preview.table.rows, [['64'], ['128']]);
    send({ type: 'run', form: entered });
    await eventually('its sheet is shown', () => tabsOf(webviewPanels.batchSheet).length === 1);
    assert.deepEqual(started, [['sandbox']]);
    assert.deepEqual(JSON.parse(texts[0] ?? ''), {
      format: 1,
      workflow: 'batch-form.json',
      set: { 'EmptyLatentImage.width': [64, 128] },
      servers: ['sandbox'],
    });
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(file)));
    send({ type: 'save', form: entered });
    await eventually('it is saved', () => last('saved'));
    assert.equal(await textOf(file), texts[0]);
  });

  it('asks before it replaces a batch of another workflow', async () => {
    const workflow = await writeFile('batch-other.json', smallPrompt());
    const text = '{ "format": 1, "workflow": "another.json" }';
    const file = await writeFile('batch-other.batch.json', text);
    const { send, last, form } = await open(workflow);
    assert.deepEqual(form.axes, []);
    const entered = { ...form, count: '', axes: [axis] };
    send({ type: 'save', form: entered });
    await eventually('it asks', () => answers.texts('showWarningMessage').length === 1);
    assert.match(answers.texts('showWarningMessage')[0] ?? '', /Replace batch-other\.batch\.json\?/);
    assert.equal(await textOf(file), text);
    answers.press('Replace');
    send({ type: 'save', form: entered });
    await eventually('it is saved', () => last('saved'));
    assert.match(await textOf(file), /"workflow": "batch-other\.json"/);
  });

  it('opens by its command beside the workflow, once', async () => {
    const workflow = await writeFile('batch-command.json', smallPrompt());
    await vscode.commands.executeCommand(commands.showBatchForm, workflow);
    await vscode.commands.executeCommand(commands.showBatchForm, workflow);
    await eventually('it is there', () => tabsOf(webviewPanels.batchForm).length === 1);
    assert.equal(tabsOf(webviewPanels.batchForm).length, 1);
  });
});

function tabsOf(panel: string): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(panel));
}
