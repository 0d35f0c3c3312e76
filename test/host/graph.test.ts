import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import type { FromGraph, ToGraph } from '../../src/webview/contract/graphPanel';
import { smallGraph } from '../support/graphFile';
import { smallPrompt } from '../support/promptFile';
import { Answers, eventually, services, writeFile } from './window';

/** The graphs that open, with the test in the place of their pages. */
class OpenGraphs {
  readonly #original = vscode.window.createWebviewPanel.bind(vscode.window);
  readonly #messages = new vscode.EventEmitter<unknown>();
  readonly posted: ToGraph[] = [];
  panel: vscode.WebviewPanel | undefined;

  constructor() {
    this.#replace((...args: Parameters<typeof vscode.window.createWebviewPanel>) => {
      const real = this.#original(...args);
      this.panel = real;
      const webview = instead(real.webview, {
        onDidReceiveMessage: this.#messages.event,
        postMessage: (message: ToGraph) => Promise.resolve(this.posted.push(message) > 0),
      });
      return instead(real, { webview });
    });
  }

  send(message: FromGraph): void {
    this.#messages.fire(message);
  }

  /** As a page that is no longer ours. */
  sendAnything(message: unknown): void {
    this.#messages.fire(message);
  }

  async ready(): Promise<void> {
    this.send({ type: 'ready', inside: '' });
    await eventually('it is drawn', () => this.last('draw'));
  }

  last<T extends ToGraph['type']>(type: T): Extract<ToGraph, { type: T }> | undefined {
    return this.posted.findLast((each): each is Extract<ToGraph, { type: T }> => each.type === type);
  }

  restore(): void {
    this.panel?.dispose();
    this.#messages.dispose();
    this.#replace(this.#original);
  }

  #replace(value: unknown): void {
    Object.defineProperty(vscode.window, 'createWebviewPanel', { value, configurable: true, writable: true });
  }
}

/** An object of VS Code with some members replaced. */
function instead<T extends object>(real: T, members: Partial<T>): T {
  return new Proxy(real, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(Object.hasOwn(members, name) ? members : real, name);
      return value instanceof Function ? (value.bind(real) as unknown) : value;
    },
    set: (_target, name, value) => Reflect.set(real, name, value),
  });
}

/** Files whose reading takes as long as the test wants. */
class SlowFiles implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
  readonly reads: ((text: string) => void)[] = [];

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: this.reads.length, size: 1 };
  }

  readFile(): Promise<Uint8Array> {
    return new Promise((resolve) => {
      this.reads.push((text) => resolve(new TextEncoder().encode(text)));
    });
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
}

describe('the graph beside a text', () => {
  let graphs: OpenGraphs;
  let answers: Answers;

  const show = (file?: vscode.Uri) =>
    vscode.commands.executeCommand(commands.showGraph, ...(file ? [file] : []));
  const nodes = (): number => graphs.last('draw')?.drawing.nodes.length ?? -1;

  before(async () => {
    await services();
  });
  beforeEach(() => {
    graphs = new OpenGraphs();
    answers = new Answers();
  });
  afterEach(async () => {
    graphs.restore();
    answers.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  describe('of a file that is read slowly', () => {
    const slow = new SlowFiles();
    let registered: vscode.Disposable;
    before(() => {
      registered = vscode.workspace.registerFileSystemProvider('slow', slow);
    });
    after(() => {
      registered.dispose();
    });

    it('shows no drawing that a newer one was asked for after', async () => {
      await show(vscode.Uri.parse('slow:/flow.json'));
      graphs.send({ type: 'ready', inside: '' });
      await eventually('it is read', () => slow.reads.length === 1);
      graphs.send({ type: 'open', inside: '' });
      slow.reads[0]?.(JSON.stringify(smallGraph()));
      await eventually('the newer one is drawn', () => nodes() === 2);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.equal(graphs.posted.filter(({ type }) => type === 'draw').length, 1);
    });

    it('fails at nothing when it is closed meanwhile', async () => {
      const before = slow.reads.length;
      await show(vscode.Uri.parse('slow:/closed.json'));
      graphs.send({ type: 'ready', inside: '' });
      await eventually('it is read', () => slow.reads.length === before + 1);
      graphs.panel?.dispose();
      slow.reads[before]?.(JSON.stringify(smallGraph()));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.deepEqual(answers.shown, []);
    });
  });

  it('says so when the file is gone, and follows it when it is back', async () => {
    const file = await writeFile('graph-gone.json', smallGraph());
    await show(file);
    await graphs.ready();
    await vscode.workspace.fs.delete(file);
    const problem = await eventually('it is said', () => graphs.last('problem'));
    assert.match(problem.message, /^graph-gone\.json can't be read/);
    const drawings = (): number => graphs.posted.filter(({ type }) => type === 'draw').length;
    const before = drawings();
    await writeFile('graph-gone.json', smallGraph());
    await eventually('it is drawn again, though nothing has changed', () => drawings() > before);
    await writeFile('graph-gone.json', smallPrompt());
    await eventually('it is drawn again', () => nodes() > 2);
  });

  it('shows a text that was not open beside it, not over it', async () => {
    const file = await writeFile('graph-alone.json', smallGraph());
    await show(file);
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
      await show(file);
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

  it('drops what no page of ours would ask for', async () => {
    const file = await writeFile('graph-hostile.json', smallGraph());
    await show(file);
    await graphs.ready();
    graphs.sendAnything({ type: 'open', inside: '1:'.repeat(500_000) });
    graphs.sendAnything({ type: 'goTo', node: '__proto__', input: 'constructor', takesFocus: true });
    graphs.sendAnything({ type: 'goTo', node: '1:2:3', takesFocus: false });
    graphs.sendAnything({ type: 'run' });
    graphs.sendAnything(null);
    graphs.sendAnything({ type: 'goTo', node: '2', takesFocus: true });
    const editor = await eventually('what is known is shown', () => vscode.window.activeTextEditor);
    assert.equal(editor.document.getText(editor.selection), '"SaveImage"');
    const types = ['file', 'draw', 'findings', 'run', 'select'];
    assert.deepEqual(new Set(graphs.posted.map(({ type }) => type)), new Set(types));
    assert.deepEqual(answers.shown, []);
  });

  it('marks its problems also once the text is closed, until they are repaired', async () => {
    const content = (image: unknown) => ({
      1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
      2: { class_type: 'SaveImage', inputs: { images: image, filename_prefix: 'closed' } },
    });
    const file = await writeFile('graph-closed.json', content(['9', 0]));
    await vscode.commands.executeCommand('vscode.open', file);
    await show();
    await graphs.ready();
    const isMarked = (): boolean => (graphs.last('findings')?.findings.length ?? 0) > 0;
    await eventually('its problem is marked', isMarked);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(({ input }) => input instanceof vscode.TabInputText));
    await eventually('it is still marked', isMarked);
    await writeFile('graph-closed.json', content(['1', 0]));
    await eventually('it is marked no longer', () => !isMarked());
  });

  it('of a file in a diff editor shows its text where the diff editor is', async () => {
    const [before, file] = [
      await writeFile('graph-before.json', smallGraph(32)),
      await writeFile('graph-diff.json', smallGraph()),
    ];
    await vscode.commands.executeCommand('vscode.diff', before, file, 'Changes');
    await eventually('it is shown', () =>
      vscode.window.activeTextEditor?.document.uri.toString() === file.toString() ? true : undefined,
    );
    await show();
    await graphs.ready();
    assert.equal(nodes(), 2);
    await eventually('it is beside', () => vscode.window.tabGroups.all.length === 2);
    graphs.send({ type: 'goTo', node: '2', takesFocus: true });
    await eventually('the text is shown', () => vscode.window.activeTextEditor);
    assert.equal(vscode.window.tabGroups.all.length, 2);
    assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.One);
    assert.equal(graphs.panel?.visible, true);
  });

  it('of a file outside the workspace follows it', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'comfy-deck-graph-'));
    try {
      const file = vscode.Uri.file(path.join(folder, 'outside.json'));
      writeFileSync(file.fsPath, JSON.stringify(smallGraph()));
      await show(file);
      await graphs.ready();
      assert.equal(nodes(), 2);
      writeFileSync(file.fsPath, JSON.stringify(smallPrompt()));
      await eventually('it is drawn again', () => nodes() > 2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('tells its file before it is drawn, so that it comes back after a reload', async () => {
    const file = await writeFile('graph-torn.json', '{"nodes": [');
    await show(file);
    graphs.send({ type: 'ready', inside: '' });
    await eventually('it says why', () => graphs.last('problem'));
    assert.equal(graphs.last('file')?.file, file.toString());
  });

  it('is drawn for an untitled document, and no more once it is closed', async () => {
    const content = JSON.stringify(smallGraph());
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    const editor = await vscode.window.showTextDocument(document);
    await show();
    await graphs.ready();
    assert.equal(nodes(), 2);
    graphs.panel?.dispose();
    const before = graphs.posted.length;
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(graphs.posted.length, before);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
