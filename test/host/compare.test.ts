import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, customEditors } from '../../src/host/platform/contributions';
import { smallPrompt } from '../support/promptFile';
import { workspacePath } from '../support/quietSandbox';
import { png } from '../unit/workflow/pictures/files';
import { answersInTests, eventually, replaceMember, windowParts, writeFile } from './window';
import { node, workflowWith } from './workflowEditor';

interface Row extends vscode.QuickPickItem {
  readonly pick: unknown;
}

/** The list of differences that opened last: its rows, and what a user does with it. */
class OpenLists {
  readonly #putBack: () => void;
  #last: vscode.QuickPick<Row> | undefined;
  isHidden = false;

  constructor() {
    const create = vscode.window.createQuickPick.bind(vscode.window);
    const replaced = () => (this.#last = create<Row>());
    this.#putBack = replaceMember(vscode.window, 'createQuickPick', replaced);
  }

  async rows(): Promise<readonly string[]> {
    const list = await eventually('the list opens', () => this.#last);
    return list.items.map(({ label }) => label);
  }

  get title(): string | undefined {
    return this.#last?.title;
  }

  /** Moves to a row, as with the arrow keys; the list stays open. */
  async moveTo(text: string): Promise<void> {
    const list = await eventually('the list opens', () => this.#last);
    const row = list.items.find(({ label }) => label.includes(text));
    assert.ok(row, `${text} is not among ${(await this.rows()).join(', ')}`);
    const isActive = new Promise<void>((resolve) => {
      list.onDidChangeActive(([active]) => {
        if (active?.label === row.label) resolve();
      });
    });
    list.onDidHide(() => (this.isHidden = true));
    if (list.activeItems[0]?.label === row.label) return;
    list.activeItems = [row];
    await isActive;
  }

  async select(text: string): Promise<void> {
    await this.moveTo(text);
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
  }

  restore(): void {
    this.#last?.hide();
    this.#putBack();
  }
}

describe('comparing workflows', () => {
  const root = path.join(workspacePath(), 'compared');
  const answers = answersInTests();
  let lists: OpenLists;

  const git = (...args: readonly string[]): string => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    return execFileSync('git', ['-C', root, ...identity, '-c', 'commit.gpgSign=false', ...args]).toString();
  };
  const write = (name: string, content: unknown) => writeFile(`compared/${name}`, content);
  const commit = async (name: string, content: unknown, subject: string): Promise<vscode.Uri> => {
    const uri = await write(name, content);
    git('--literal-pathspecs', 'add', '--', name);
    git('commit', '--quiet', '-m', subject);
    return uri;
  };
  const compare = (...args: readonly unknown[]) =>
    vscode.commands.executeCommand(commands.compareWorkflows, ...args);
  const selection = (editor: vscode.TextEditor | undefined): string | undefined =>
    editor?.document.getText(editor.selection);
  /** What is selected in the visible editors. */
  const selected = (): string =>
    [...vscode.window.visibleTextEditors]
      .sort((a, b) => Number(a.viewColumn) - Number(b.viewColumn))
      .map(selection)
      .join();
  /** Waits for these selections, and for the focus of the later text: nothing more opens then. */
  const bothOpen = async (before: string, after: string): Promise<void> => {
    await eventually('both are shown', () => selected() === `${before},${after}`);
    await eventually(
      'the later one has the focus',
      () => selection(vscode.window.activeTextEditor) === after,
    );
  };

  before(async () => {
    await windowParts();
    await write('placeholder.txt', 'x');
    git('init', '--quiet');
  });
  after(() => rmSync(root, { recursive: true, force: true }));
  beforeEach(() => {
    lists = new OpenLists();
  });
  afterEach(async () => {
    lists.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('of two files lists what differs by node, and shows each change in both texts', async () => {
    const one = await write('one.json', smallPrompt(1));
    const two = await write(
      'two.json',
      workflowWith((nodes) => (node(nodes, '5').inputs['cfg'] = 8.5)),
    );
    await compare(one, [one, two]);
    assert.deepEqual(await lists.rows(), [
      '$(diff) Open Diff Editor',
      '$(type-hierarchy) Show Graph',
      'KSampler (5)',
      '$(diff-modified) cfg: 7 → 8.5',
    ]);
    assert.equal(lists.title, 'one.json ↔ two.json');
    await lists.moveTo('cfg');
    await eventually('both are shown', () => selected() === '7,8.5');
    assert.equal(lists.isHidden, false);
    await lists.select('cfg');
    await bothOpen('7', '8.5');
  });

  it('opens them as one value a line in the diff editor', async () => {
    const one = await write('left.json', smallPrompt(1));
    const two = await write('right.json', smallPrompt(2));
    await compare(one, [one, two]);
    await lists.select('Open Diff Editor');
    const tab = await eventually('the diff editor opens', () => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab?.input instanceof vscode.TabInputTextDiff ? activeTab : undefined;
    });
    // Editors of a tab that closes while it opens stay among the visible ones.
    await eventually('it has both texts', () => vscode.window.visibleTextEditors.length === 2);
    assert.equal(tab.label, 'left.json ↔ right.json');
    const { original, modified } = tab.input as vscode.TabInputTextDiff;
    const texts = await Promise.all(
      [original, modified].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
    );
    assert.deepEqual(
      texts.map((text) => /^5: KSampler\n(?: {2}.*\n)* {2}seed = (\d+)$/m.exec(text)?.[1]),
      ['1', '2'],
    );
  });

  it('of a file and one of its commits shows the commit on the left', async () => {
    const name = "-odd 雪 'n' $(x).json";
    await commit(name, smallPrompt(18), 'First seed');
    const file = await commit(name, smallPrompt(19), 'Second seed');
    await write(name, smallPrompt(20));
    answers.pick('First seed');
    await compare(file);
    assert.deepEqual((await lists.rows()).slice(2), ['KSampler (5)', '$(diff-modified) seed: 18 → 20']);
    const short = git('log', '--format=%h', '--abbrev=7', '--skip=1', '--max-count=1').trim();
    assert.equal(
      lists.title,
      `${name.replace('$(x)', '$ (x)')} (${short}) ↔ ${name.replace('$(x)', '$ (x)')}`,
    );
    await lists.select('seed');
    await bothOpen('18', '20');
    const [left] = vscode.window.visibleTextEditors.filter(({ document }) => document.uri.scheme !== 'file');
    assert.equal(left?.document.languageId, 'json');
  });

  it('of an output and its workflow file reads what the output contains', async () => {
    const output = await write('made.png', '');
    await vscode.workspace.fs.writeFile(output, png({ prompt: JSON.stringify(smallPrompt(40)) }));
    await write('makes.json', smallPrompt(41));
    answers.pick('makes.json');
    await compare(output);
    assert.deepEqual((await lists.rows()).slice(2), ['KSampler (5)', '$(diff-modified) seed: 40 → 41']);
    assert.equal(lists.title, 'made.png ↔ makes.json');
    await lists.select('seed');
    await bothOpen('40', '41');
  });

  it('of two runs reads what was submitted, and of a run and its workflow file', async () => {
    const record = (name: string, seed: number, sentAt: string) =>
      write(`${name}.run.json`, {
        ...{ format: 3, state: 'saved', job: name, server: 'http://127.0.0.1:8188', label: 'portrait.json' },
        ...{ sourceUri: 'compared/portrait.json', seeds: {}, files: [], expected: [], texts: [], sentAt },
        prompt: smallPrompt(seed),
      });
    const one = await record('portrait-1', 50, '2026-01-02T03:04:05Z');
    const two = await record('portrait-2', 51, '2026-01-02T03:05:05Z');
    await compare(two, [one, two]);
    assert.deepEqual((await lists.rows()).slice(2), ['KSampler (5)', '$(diff-modified) seed: 50 → 51']);
    assert.match(lists.title ?? '', /^portrait\.json \(.+\) ↔ portrait\.json \(.+\)$/);
    await lists.select('seed');
    await bothOpen('50', '51');

    const file = await write('portrait.json', smallPrompt(52));
    const wanted = ['Run…', 'portrait.json'];
    answers.answer('showQuickPick', async (picks) => {
      const label = wanted.shift() ?? '';
      return ((await picks) as readonly Row[]).find((row) => row.label.includes(label));
    });
    await compare(file);
    assert.deepEqual((await lists.rows()).slice(2), ['KSampler (5)', '$(diff-modified) seed: 51 → 52']);

    await vscode.commands.executeCommand('vscode.openWith', two, customEditors.runRecord);
    wanted.push('Run…', 'portrait.json');
    await compare();
    assert.deepEqual((await lists.rows()).slice(2), ['KSampler (5)', '$(diff-modified) seed: 50 → 51']);
  });

  it('says why it reads no commits in Restricted Mode, and compares files', async () => {
    const file = await commit('restricted.json', smallPrompt(1), 'Never read');
    await write('beside.json', smallPrompt(2));
    const restoreTrust = replaceMember(vscode.workspace, 'isTrusted', false);
    try {
      answers.pick('Never read');
      await compare(file);
      answers.pick('Commits');
      await compare(file);
      assert.deepEqual(answers.texts('showErrorMessage'), [
        'Commits are available only in trusted workspaces, because a repository can make Git start programs. ' +
          'Trust this workspace if you know where its files come from.',
      ]);
      answers.pick('beside.json');
      await compare(file);
      assert.deepEqual((await lists.rows()).slice(3), ['$(diff-modified) seed: 1 → 2']);
    } finally {
      restoreTrust();
    }
  });

  it('refuses a file that is no workflow, and more than two', async () => {
    const one = await write('first.json', smallPrompt(1));
    const other = await write('settings.json', { a: 1 });
    await compare(one, [one, other]);
    await compare(one, [one, other, one]);
    assert.deepEqual(answers.texts('showErrorMessage'), [
      'settings.json contains no workflow. Choose another file.',
      'More than two files are selected. Select one or two workflow files, then try again.',
    ]);
  });
});
