import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal } from '../../src/core/jobs/job';
import { commands, settings } from '../../src/host/platform/contributions';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import { noLongerQuiet, quietSandbox } from '../support/quietSandbox';
import { answersInTests, chooseServer, eventually, titleOf, writeFile, type WindowParts } from './window';

/** One pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('what leaves the machine or the workspace', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let folder: vscode.Uri;
  /** A server of someone else, as far as the window knows. */
  let guest: Sandbox;

  before(async () => {
    parts = await quietSandbox();
    guest = await startSandbox({ dialect: 'cloud' });
    await parts.servers.keys.set(guest.url, 'test-key');
    await chooseGuest();
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    folder = workspace.uri;
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'input', 'own.png'), picture);
  });
  after(async () => {
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('servers', undefined, true);
    await configuration.update('server', undefined, true);
    await parts.servers.keys.delete(guest.url);
    await guest.close();
    await noLongerQuiet();
  });

  const chooseGuest = (): Promise<void> => chooseServer(parts, 'Guest', guest.url);

  const run = async (name: string, workflow: unknown): Promise<string | undefined> => {
    const uri = await writeFile(name, workflow);
    return vscode.commands.executeCommand<string | undefined>(commands.run, uri);
  };

  it('includes a workspace file only after you agree, which then applies to this file', async () => {
    const workflow = {
      '1': { class_type: 'LoadImage', inputs: { image: 'own.png' } },
      '2': { class_type: 'SaveImage', inputs: { filename_prefix: 'own', images: ['1', 0] } },
    };
    assert.equal(await run('upload.json', workflow), undefined, 'nothing is sent without a yes');
    assert.match(
      answers.texts('showWarningMessage')[0] ?? '',
      /^Upload files from this workspace to Guest\?$/,
    );
    answers.press('Upload and Run');
    const id = await run('upload.json', workflow);
    assert.ok(id, JSON.stringify(answers.shown));
    const job = await eventually('it ends', () => {
      const known = parts.store.get(id);
      return known && isTerminal(known.state) ? known : undefined;
    });
    assert.equal(job.state, 'completed');
    const asked = answers.texts('showWarningMessage').length;
    assert.ok(await run('upload.json', workflow));
    assert.equal(answers.texts('showWarningMessage').length, asked, 'asked again');
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder, 'input', 'own.png'),
      Buffer.concat([picture, Buffer.from('painted on')]),
    );
    assert.ok(await run('upload.json', workflow));
    assert.equal(answers.texts('showWarningMessage').length, asked, 'asked again about the same file');
  });

  it('includes no other file: a question lists each with its size and whatever is unusual about it', async () => {
    const other = Buffer.concat([picture, Buffer.from('another')]);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'input', '.other.png'), other);
    const details: string[] = [];
    answers.answer('showWarningMessage', (_message, options) => {
      details.push((options as vscode.MessageOptions).detail ?? '');
      return undefined;
    });
    const workflow = {
      '1': { class_type: 'LoadImage', inputs: { image: '.other.png' } },
      '2': { class_type: 'SaveImage', inputs: { filename_prefix: 'own', images: ['1', 0] } },
    };
    assert.equal(await run('flows/upload.json', workflow), undefined);
    assert.equal(details.length, 1);
    assert.match(
      details[0] ?? '',
      /• .*input\/\.other\.png \(77 bytes, an image\) – outside the workflow's folder, hidden file\n/,
    );
  });

  it('includes no credits unless you agree to each run', async () => {
    const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'partner-image.json'));
    const workflow: unknown = JSON.parse(new TextDecoder().decode(text));
    assert.equal(await run('partner.json', workflow), undefined);
    assert.match(answers.texts('showWarningMessage')[0] ?? '', /paid partner nodes\?$/);
    answers.press('Run and Spend Credits');
    const id = await run('partner.json', workflow);
    assert.ok(id, JSON.stringify(answers.shown));
    await eventually('it ends', () => isTerminal(parts.store.get(id)?.state ?? 'running'));

    // Neither while the question is open, nor after one yes.
    const uri = await writeFile('partner.json', workflow);
    const again = (): Thenable<string | undefined> =>
      vscode.commands.executeCommand(commands.runWithNewSeeds, uri);
    let more: Thenable<string | undefined>[] = [];
    answers.answer('showWarningMessage', async (_message, ...items) => {
      if (more.length === 0 && items.some((item) => titleOf(item) === 'Run and Spend Credits')) {
        more = [again(), again()];
        await Promise.all(more);
      }
      return items.find((item) => titleOf(item) === 'Run and Spend Credits');
    });
    const presses = [again(), again()];
    const asked = (): number =>
      answers.texts('showWarningMessage').filter((text) => /paid partner nodes\?$/.test(text)).length;
    const before = asked();
    assert.equal((await Promise.all(presses)).filter((each) => each !== undefined).length, 2);
    assert.equal(asked() - before, 2, 'one question for each run');
    assert.deepEqual(await Promise.all(more), [undefined, undefined]);
    assert.equal(answers.texts('showInformationMessage').length, 2);
  });

  it("is nothing on the sandbox, so it doesn't ask", async () => {
    await vscode.commands.executeCommand(commands.startSandbox);
    await eventually('it is chosen', () => parts.servers.current()?.name === 'Sandbox');
    const workflow = {
      '1': { class_type: 'LoadImage', inputs: { image: 'own.png' } },
      '2': { class_type: 'SaveImage', inputs: { filename_prefix: 'own', images: ['1', 0] } },
    };
    const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'partner-image.json'));
    const partner: unknown = JSON.parse(new TextDecoder().decode(text));
    try {
      for (const each of [workflow, partner]) {
        const id = await run('free.json', each);
        assert.ok(id, JSON.stringify(answers.shown));
        await eventually('it ends', () => isTerminal(parts.store.get(id)?.state ?? 'running'));
      }
    } finally {
      await chooseGuest();
    }
    assert.deepEqual(answers.texts('showWarningMessage'), []);
  });

  for (const [outside, words] of [
    ['../elsewhere', /is outside /],
    ['outside.json', /is a file or inside one, not a folder/],
  ] as const) {
    it(`excludes an output folder like ${outside}`, async () => {
      const configuration = vscode.workspace.getConfiguration(undefined, folder);
      await configuration.update(settings.outputFolder, outside, vscode.ConfigurationTarget.WorkspaceFolder);
      try {
        assert.equal(await run('outside.json', smallPrompt(71)), undefined);
        assert.match(answers.texts('showErrorMessage')[0] ?? '', words);
        assert.match(answers.texts('showErrorMessage')[0] ?? '', /comfyDeck\.outputFolder/);
      } finally {
        await configuration.update(
          settings.outputFolder,
          undefined,
          vscode.ConfigurationTarget.WorkspaceFolder,
        );
      }
    });
  }
});
