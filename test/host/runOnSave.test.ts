import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal } from '../../src/core/jobs/job';
import { commands, settings } from '../../src/host/platform/contributions';
import { startSandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import { sandboxUnasked } from '../support/quietSandbox';
import { answersInTests, eventually, notify, writeFile, type WindowParts } from './window';

const saverOf = (prefix: string) => ({
  '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 0 } },
  '2': { class_type: 'SaveImage', inputs: { filename_prefix: prefix, images: ['1', 0] } },
});

describe('run on save', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let folder: vscode.Uri;
  let number = 0;
  const set = (id: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    parts = await sandboxUnasked();
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

  const jobsOf = (uri: vscode.Uri) =>
    parts.store.jobs().filter(({ origin }) => origin?.sourceUri === uri.toString());
  const allEnd = (uri: vscode.Uri) =>
    eventually('its jobs end', () => jobsOf(uri).every(({ state }) => isTerminal(state)));

  const turnOn = () => vscode.commands.executeCommand(commands.turnOnRunOnSave);

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

  it('is turned on by its command without asking, for this workspace', async () => {
    await vscode.commands.executeCommand(commands.turnOnRunOnSave);
    const { workspaceValue } = vscode.workspace.getConfiguration().inspect(settings.runOnSave) ?? {};
    assert.equal(workspaceValue, true);
    await another();
    assert.deepEqual(answers.shown, []);
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

  it('is turned off by its command', async () => {
    await vscode.commands.executeCommand(commands.turnOffRunOnSave);
    const uri = await writeFile('save-off-again.json', saverOf('x'));
    await saveWith(uri, saverOf('off'));
    await vscode.commands.executeCommand(commands.turnOnRunOnSave);
    await another();
    assert.deepEqual(jobsOf(uri), []);
  });
});
