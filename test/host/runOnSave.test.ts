import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal } from '../../src/core/jobs/job';
import { commands, settings } from '../../src/host/platform/contributions';
import type { Services } from '../../src/host/services';
import { startSandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import { Answers, eventually, notify, useSandbox, writeFile } from './window';

const saverOf = (prefix: string) => ({
  '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 0 } },
  '2': { class_type: 'SaveImage', inputs: { filename_prefix: prefix, images: ['1', 0] } },
});

const graph = {
  nodes: [
    {
      id: 1,
      type: 'EmptyImage',
      pos: [0, 0],
      outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1] }],
      widgets_values: [16, 16, 1, 0],
    },
    {
      id: 2,
      type: 'SaveImage',
      pos: [300, 0],
      inputs: [{ name: 'images', type: 'IMAGE', link: 1 }],
      widgets_values: ['graph'],
    },
  ],
  links: [[1, 1, 0, 2, 0, 'IMAGE']],
  version: 0.4,
};

describe('run on save', () => {
  let parts: Services;
  let answers: Answers;
  let folder: vscode.Uri;
  let number = 0;
  const set = (id: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    const first = new Answers();
    parts = await useSandbox();
    first.restore();
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    folder = workspace.uri;
    await notify('never');
    // In a browser VS Code saves automatically after a second: a slow machine would leave nothing to save by hand.
    await set('files.autoSave', 'off');
  });
  after(async () => {
    await vscode.commands.executeCommand(commands.turnOffRunOnSave);
    await set(settings.runOnSave, undefined);
    await set('files.autoSave', undefined);
    await notify(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  beforeEach(() => {
    answers = new Answers();
  });
  afterEach(() => answers.restore());

  const jobsOf = (uri: vscode.Uri) =>
    parts.store.jobs().filter(({ origin }) => origin?.sourceUri === uri.toString());
  const allEnd = (uri: vscode.Uri) =>
    eventually('its jobs end', () => jobsOf(uri).every(({ state }) => isTerminal(state)));

  const turnOn = () => vscode.commands.executeCommand(commands.turnOnRunOnSave);

  const cancelAll = async (uri: vscode.Uri): Promise<void> => {
    for (const { id, server } of jobsOf(uri)) {
      await (await parts.servers.sessions.of(server))?.tracker.cancel(id);
    }
  };

  const type = async (uri: vscode.Uri, text: string): Promise<vscode.TextDocument> => {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, editor.document.lineCount, 0), text));
    return editor.document;
  };
  /** Changes the file and saves it manually. */
  const saveWith = async (uri: vscode.Uri, content: unknown): Promise<void> => {
    await type(uri, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    await vscode.commands.executeCommand('workbench.action.files.save');
  };
  /** A save of another file is sent: everything saved before it had its turn. */
  const anotherIsSent = async (): Promise<vscode.Uri> => {
    const uri = await writeFile(`save-other-${++number}.json`, saverOf('before'));
    await saveWith(uri, saverOf(`other${number}`));
    await eventually('the other file runs', () => jobsOf(uri).length === 1);
    return uri;
  };
  const another = async (): Promise<void> => {
    await allEnd(await anotherIsSent());
  };

  it('is off until the user turns it on', async () => {
    const uri = await writeFile('save-off.json', smallPrompt(101));
    await saveWith(uri, smallPrompt(102));
    await set(settings.runOnSave, true);
    answers.press('Run on Save');
    await another();
    assert.deepEqual(jobsOf(uri), []);
    assert.equal(answers.texts('showWarningMessage').length, 1, 'asked once');
    await set(settings.runOnSave, undefined);
  });

  it('asks first, and treats a dismissed question as No', async () => {
    await set(settings.runOnSave, true);
    await vscode.commands.executeCommand(commands.turnOffRunOnSave);
    await vscode.workspace
      .getConfiguration()
      .update(settings.runOnSave, undefined, vscode.ConfigurationTarget.Workspace);
    const uri = await writeFile('save-ask.json', smallPrompt(111));
    await saveWith(uri, smallPrompt(112));
    await eventually('the question', () => answers.texts('showWarningMessage').length === 1);
    await set(settings.runOnSave, undefined);
    await vscode.commands.executeCommand(commands.turnOnRunOnSave);
    await another();
    assert.deepEqual(jobsOf(uri), []);
  });

  it('is turned on by its command without asking, for this workspace', async () => {
    await vscode.commands.executeCommand(commands.turnOnRunOnSave);
    const { workspaceValue } = vscode.workspace.getConfiguration().inspect(settings.runOnSave) ?? {};
    assert.equal(workspaceValue, true);
    await another();
    assert.deepEqual(answers.shown, []);
  });

  it('runs only the last version saved during a job once the job ends', async () => {
    await turnOn();
    const uri = await writeFile('save-live.json', smallPrompt(121));
    const seeds = () => jobsOf(uri).map(({ origin }) => origin?.seeds['5.seed']);
    await saveWith(uri, smallPrompt(122, 5000));
    await eventually('a job', () => jobsOf(uri).length === 1);
    await saveWith(uri, smallPrompt(123));
    await saveWith(uri, smallPrompt(124));
    await anotherIsSent();
    assert.deepEqual(seeds(), ['122'], 'sent beside a job that lives');
    assert.ok(
      jobsOf(uri).some(({ state }) => !isTerminal(state)),
      'the job ended too early to tell',
    );
    await cancelAll(uri);
    await eventually('the last save runs', () => jobsOf(uri).length === 2);
    await allEnd(uri);
    await another();
    assert.deepEqual(seeds(), ['122', '124']);
  });

  it('ignores whitespace changes', async () => {
    await turnOn();
    const uri = await writeFile('save-blank.json', saverOf('x'));
    await saveWith(uri, saverOf('blank'));
    await eventually('a job', () => jobsOf(uri).length === 1);
    await allEnd(uri);
    await saveWith(uri, JSON.stringify(saverOf('blank')));
    await saveWith(uri, JSON.stringify(saverOf('blank'), null, 8));
    await another();
    assert.equal(jobsOf(uri).length, 1, 'the same prompt was sent again');
  });

  it('runs graph files, but not for a moved node', async () => {
    await turnOn();
    const text = JSON.stringify(graph);
    const uri = await writeFile('save-graph.json', '{}');
    await saveWith(uri, text);
    await eventually('a job', () => jobsOf(uri).length === 1);
    await allEnd(uri);
    await saveWith(uri, text.replace('[0,0]', '[400,0]'));
    await another();
    assert.equal(jobsOf(uri).length, 1);
  });

  it('never runs for an auto save', async () => {
    await turnOn();
    const uri = await writeFile('save-auto.json', saverOf('x'));
    const document = await type(uri, JSON.stringify(saverOf('automatic')));
    await set('files.autoSaveDelay', 50);
    await set('files.autoSave', 'afterDelay');
    try {
      await type(uri, JSON.stringify(saverOf('automatic too')));
      await eventually('it is saved by itself', () => !document.isDirty);
    } finally {
      await set('files.autoSave', 'off');
      await set('files.autoSaveDelay', undefined);
    }
    await another();
    assert.deepEqual(jobsOf(uri), []);
  });

  it('tries again at the next save after a run that could not start', async () => {
    await turnOn();
    const uri = await writeFile('save-again.json', saverOf('x'));
    const current = vscode.workspace.getConfiguration().get<string>(settings.server);
    await set(settings.server, '');
    await saveWith(uri, saverOf('again'));
    await eventually('the trouble is told', () => answers.texts('showErrorMessage').length === 1);
    await set(settings.server, current);
    assert.deepEqual(jobsOf(uri), []);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await eventually('it runs', () => jobsOf(uri).length === 1);
    await allEnd(uri);
  });

  it('does not run on a server selected after the save', async () => {
    await turnOn();
    const uri = await writeFile('save-server.json', smallPrompt(131));
    await saveWith(uri, smallPrompt(132, 5000));
    await eventually('a job', () => jobsOf(uri).length === 1);
    await saveWith(uri, smallPrompt(133));
    await anotherIsSent();
    const current = vscode.workspace.getConfiguration().get<string>(settings.server);
    await set(settings.server, 'Comfy Cloud');
    await cancelAll(uri);
    await allEnd(uri);
    await set(settings.server, current);
    await another();
    assert.equal(jobsOf(uri).length, 1, 'it was sent all the same');
  });

  it('neither asks to spend or to upload nor runs: a notification offers the ordinary run', async () => {
    await turnOn();
    // Nothing costs money on the window's sandbox.
    const guest = await startSandbox({ dialect: 'cloud' });
    await parts.servers.keys.set(guest.url, 'test-key');
    const current = vscode.workspace.getConfiguration().get<string>(settings.server);
    await set(settings.servers, [{ name: 'Guest', url: guest.url }]);
    await set(settings.server, 'Guest');
    const paid = new TextDecoder().decode(
      await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'partner-image.json')),
    );
    const picture = await vscode.workspace.fs.readFile(
      vscode.Uri.joinPath(folder, 'inputs', 'landscape.png'),
    );
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'input', 'saved.png'), picture);
    const loaderOf = (prefix: string) => ({
      '1': { class_type: 'LoadImage', inputs: { image: 'saved.png' } },
      '2': { class_type: 'SaveImage', inputs: { filename_prefix: prefix, images: ['1', 0] } },
    });
    const notices: string[] = [];
    let press: (button: string | undefined) => void = () => undefined;
    answers.answer('showWarningMessage', (message, options) => {
      const isModal = typeof options === 'object';
      notices.push(isModal ? 'a question' : String(message));
      return isModal ? 'Upload and Run' : new Promise((resolve) => (press = resolve));
    });
    const spends = await writeFile('save-paid.json', '{}');
    await saveWith(spends, paid);
    await eventually('the notice', () => notices.length === 1);
    await saveWith(spends, `${paid}\n`);
    await another();
    press(undefined);
    const uploads = await writeFile('save-upload.json', '{}');
    await saveWith(uploads, loaderOf('upload'));
    await eventually('the next notice', () => notices.length === 2);
    assert.deepEqual(notices, [
      'save-paid.json was saved but not run, because each run spends credits on paid partner nodes.',
      "save-upload.json was saved but not run, because it uses files that you haven't approved for upload to Guest.",
    ]);
    assert.deepEqual([...jobsOf(spends), ...jobsOf(uploads)], []);
    assert.equal(guest.seen.requests.filter(({ path }) => path.includes('/upload/')).length, 0);

    // The ordinary run asks; from then on saves run.
    press('Run…');
    await eventually('it runs after a yes', () => jobsOf(uploads).length === 1);
    await allEnd(uploads);
    await saveWith(uploads, loaderOf('upload-allowed'));
    await eventually('the next save runs', () => jobsOf(uploads).length === 2);
    await allEnd(uploads);
    assert.deepEqual(notices.slice(2), ['a question']);
    await set(settings.server, current);
    await set(settings.servers, undefined);
    await parts.servers.keys.delete(guest.url);
    await guest.close();
  });

  it('ignores files without a workflow', async () => {
    await turnOn();
    const uri = await writeFile('save-none.json', { name: 'settings' });
    await saveWith(uri, { name: 'other settings' });
    await another();
    assert.deepEqual(jobsOf(uri), []);
    assert.deepEqual(answers.texts('showErrorMessage'), []);
  });

  it('is turned off by its command', async () => {
    await vscode.commands.executeCommand(commands.turnOffRunOnSave);
    const uri = await writeFile('save-off-again.json', saverOf('x'));
    await saveWith(uri, saverOf('off'));
    await vscode.commands.executeCommand(commands.turnOnRunOnSave);
    await another();
    assert.deepEqual(jobsOf(uri), []);
  });
});
