import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { MusicHistory } from '../../src/host/music/musicHistory';
import type { Track } from '../../src/host/music/track';
import { commands, webviewPanels } from '../../src/host/platform/contributions';
import type { Services } from '../../src/host/services';
import { Answers, eventually, services } from './window';

const service = 'https://music.example.org';

describe('the music panel', () => {
  let parts: Services;
  let answers: Answers;

  before(async () => {
    parts = await services();
  });
  beforeEach(() => {
    answers = new Answers();
  });
  afterEach(() => answers.restore());
  after(async () => {
    await vscode.workspace.getConfiguration('comfyDeck').update('musicService', undefined, true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const tabs = (): vscode.Tab[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputWebview && input.viewType.endsWith(webviewPanels.music),
      );

  it('opens once, however often it is requested', async () => {
    await Promise.all([
      vscode.commands.executeCommand(commands.openMusic),
      vscode.commands.executeCommand(commands.openMusic),
    ]);
    await vscode.commands.executeCommand(commands.openMusic);
    await eventually('its tab is there', () => tabs().length > 0);
    assert.equal(tabs().length, 1);
  });

  it('stores its credential separately, bound to the address', async () => {
    await vscode.workspace.getConfiguration('comfyDeck').update('musicService', service, true);
    answers.answer('showInputBox', () => ' test-token ');
    await vscode.commands.executeCommand(commands.signInToMusic);
    assert.equal(await parts.musicKeys.get(service), 'test-token');
    assert.equal(await parts.musicKeys.get('https://api.comfy.org'), undefined);
    assert.equal(await parts.servers.keys.get(service), undefined);
    await vscode.commands.executeCommand(commands.signOutOfMusic);
    assert.equal(await parts.musicKeys.get(service), undefined);
  });

  it('accepts no key for an unencrypted address or for the sandbox', async () => {
    for (const address of ['http://music.example.org', 'sandbox']) {
      await vscode.workspace.getConfiguration('comfyDeck').update('musicService', address, true);
      answers.answer('showInputBox', () => 'test-token');
      await vscode.commands.executeCommand(commands.signInToMusic);
    }
    assert.deepEqual(answers.texts('showInputBox'), []);
    assert.match(answers.texts('showErrorMessage')[0] ?? '', /isn't encrypted/);
    assert.match(answers.texts('showErrorMessage')[1] ?? '', /doesn't use a key/);
  });

  it('gets another service from the quick pick', async () => {
    answers.pick('Sandbox');
    await vscode.commands.executeCommand(commands.selectMusicService);
    await eventually(
      'the setting says so',
      () => vscode.workspace.getConfiguration('comfyDeck').get('musicService') === 'sandbox',
    );
  });
});

describe('the music of two windows with the same folder', () => {
  it('is all in the history of the next one', async () => {
    const parts = await services();
    const name = 'music-two-windows.json';
    const track = (id: string): Track => ({
      ...{ id, title: id, tags: [], prompt: 'calm', asked: 30, createdAt: Date.now(), partial: false },
      ...{ fileName: `${id}.m4a`, uri: `file:///music/${id}.m4a` },
    });
    const histories = ['one', 'two'].map(
      (window) => new MusicHistory(parts.storage, name, `${process.pid}-${window}`),
    );
    await Promise.all(histories.map((history) => history.load()));
    await Promise.all(
      histories.flatMap((history, window) =>
        [1, 2, 3].map(async (number) => {
          const looked = history.look();
          await history.add([track(`${window}-${number}`)]);
          await looked;
        }),
      ),
    );
    const [one] = histories;
    await one?.delete('0-1');
    await one?.settle();
    const next = new MusicHistory(parts.storage, name, `${process.pid}-next`);
    await next.load();
    assert.deepEqual(next.tracks.map(({ id }) => id).sort(), ['0-2', '0-3', '1-1', '1-2', '1-3']);
    for (const history of [...histories, next]) history.dispose();
    for (const file of await parts.storage.list('music-two-windows')) await parts.storage.remove(file.name);
  });
});
