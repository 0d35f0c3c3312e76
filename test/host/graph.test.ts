import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { GraphPage } from '../../src/host/graph/graphPage';
import { activeDocument, documentsInSight } from '../../src/host/platform/activeDocument';
import { commands } from '../../src/host/platform/contributions';
import { isSourceGone } from '../../src/host/runs/goneSource';
import type { FromGraph, ToGraph } from '../../src/webview/contract/graphPanel';
import { smallGraph } from '../support/graphFile';
import { eventually, instead, windowParts, writeFile, type WindowParts } from './window';

/** Graphs of documents, with the test in the place of their pages. */
class OpenGraphs {
  readonly #messages = new vscode.EventEmitter<unknown>();
  readonly posted: ToGraph[] = [];
  panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly parts: WindowParts,
    private readonly extensionUri: vscode.Uri,
  ) {}

  async open(file: vscode.Uri): Promise<void> {
    const document = await vscode.workspace.openTextDocument(file);
    const real = vscode.window.createWebviewPanel('test', 'Graph', vscode.ViewColumn.Active, {});
    this.panel = real;
    const webview = instead(real.webview, {
      onDidReceiveMessage: this.#messages.event,
      postMessage: (message: ToGraph) => Promise.resolve(this.posted.push(message) > 0),
    });
    const none = new vscode.EventEmitter<void>();
    const definitions = {
      rules: {},
      state: { server: undefined, known: undefined, reading: false, problem: undefined },
      ready: () => Promise.resolve({}),
      onDidChange: none.event,
      onDidChangeRules: none.event,
    };
    const platform = {
      extensionUri: this.extensionUri,
      onError: (error: unknown) => assert.fail(String(error)),
    };
    const panel = instead(real, { webview });
    new GraphPage(panel, document, platform, definitions, this.parts.windowRuns);
  }

  send(message: FromGraph): void {
    this.#messages.fire(message);
  }

  async ready(): Promise<void> {
    this.send({ type: 'ready', inside: '' });
    await eventually('it is drawn', () => this.last('draw'));
  }

  last<T extends ToGraph['type']>(type: T): Extract<ToGraph, { type: T }> | undefined {
    return this.posted.findLast((each): each is Extract<ToGraph, { type: T }> => each.type === type);
  }

  close(): void {
    this.panel?.dispose();
    this.#messages.dispose();
  }
}

describe('the graph beside a text', () => {
  let parts: WindowParts;
  let extensionUri: vscode.Uri;
  let graphs: OpenGraphs;

  before(async () => {
    parts = await windowParts();
    const extension = vscode.extensions.getExtension('comfy-deck.comfy-deck');
    assert.ok(extension);
    ({ extensionUri } = extension);
  });
  beforeEach(() => {
    graphs = new OpenGraphs(parts, extensionUri);
  });
  afterEach(async () => {
    graphs.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('shows a text that was not open beside it, not over it', async () => {
    const file = await writeFile('graph-alone.json', smallGraph());
    await graphs.open(file);
    await graphs.ready();
    graphs.send({ type: 'goTo', node: '2', takesFocus: true });
    const editor = await eventually('the text is shown', () => vscode.window.activeTextEditor);
    assert.equal(editor.document.uri.toString(), file.toString());
    assert.notEqual(editor.viewColumn, graphs.panel?.viewColumn);
    assert.equal(graphs.panel?.visible, true);
  });

  it('leaves nothing behind when it is closed, however often it is opened', async () => {
    const file = await writeFile('opened often.json', smallGraph());
    const opened: WeakRef<vscode.WebviewPanel>[] = [];
    for (let opening = 0; opening < 20; opening++) {
      await graphs.open(file);
      await graphs.ready();
      if (graphs.panel) opened.push(new WeakRef(graphs.panel));
      graphs.panel?.dispose();
      graphs.panel = undefined;
      graphs.posted.length = 0;
    }
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    assert.equal(opened.length, 20);
    // A listener that stays holds its page, which holds its panel.
    await eventually('all of them are forgotten', () => {
      collectGarbage();
      return opened.every((panel) => panel.deref() === undefined);
    });
  });
});

describe('the graph as an editor', () => {
  const tabOf = (uri: vscode.Uri): vscode.Tab | undefined =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .find(({ input }) => input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString());
  const show = (...args: readonly vscode.Uri[]) =>
    vscode.commands.executeCommand(commands.showGraph, ...args);

  before(() => windowParts());
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('opens beside the text, once, and is changed and reverted with it', async () => {
    const file = await writeFile('graph-editor.json', smallGraph());
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    await show();
    const tab = await eventually('it is open', () => tabOf(file));
    assert.equal(tab.group.viewColumn, vscode.ViewColumn.Two);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await show();
    await eventually('it is in front', () => tabOf(file)?.group.isActive);
    assert.equal(vscode.window.tabGroups.all.length, 2);
    assert.equal(activeDocument(), document);

    const text = document.getText();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(file, new vscode.Position(0, 0), ' ');
    await vscode.workspace.applyEdit(edit);
    await eventually('it is marked as changed', () => tabOf(file)?.isDirty);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await eventually('it is as it was saved', () => document.getText() === text);
  });

  it('needs no editor of the text: commands apply to its document', async () => {
    const file = await writeFile('graph-only.json', smallGraph());
    await show(file);
    await eventually('it is open', () => tabOf(file));
    assert.equal(tabOf(file)?.group.viewColumn, vscode.ViewColumn.One);
    const document = await eventually('it is the active document', () => activeDocument());
    assert.equal(document.uri.toString(), file.toString());
    assert.deepEqual(documentsInSight(), [document]);
    assert.equal(await isSourceGone(file), false);
    await vscode.commands.executeCommand(commands.goToNode);
    await eventually('its text is shown', () => vscode.window.activeTextEditor?.document === document);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    assert.equal(tabOf(file)?.isActive, true);
  });

  it('is checked also once the text is closed', async () => {
    const content = (image: unknown) => ({
      1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
      2: { class_type: 'SaveImage', inputs: { images: image, filename_prefix: 'closed' } },
    });
    const file = await writeFile('graph-closed.json', content(['9', 0]));
    await vscode.commands.executeCommand('vscode.open', file);
    await show();
    await eventually('it is open', () => tabOf(file));
    const isMarked = (): boolean => vscode.languages.getDiagnostics(file).length > 0;
    await eventually('its problem is marked', isMarked);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(({ input }) => input instanceof vscode.TabInputText));
    await eventually('it is still marked', isMarked);
    await writeFile('graph-closed.json', content(['1', 0]));
    await eventually('it is marked no longer', () => !isMarked());
  });

  it('is shown for an untitled document, too', async () => {
    const content = JSON.stringify(smallGraph());
    const { uri } = await vscode.workspace.openTextDocument({ language: 'json', content });
    await vscode.window.showTextDocument(uri);
    await show();
    await eventually('it is open', () => tabOf(uri));
    await eventually('it is the active document', () => activeDocument()?.uri.toString() === uri.toString());
  });
});
