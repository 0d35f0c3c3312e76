import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { answersInTests, eventually, windowParts, useSandbox, writeFile, type WindowParts } from './window';

const token = 'test-registry-token';

describe('node packs', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let registry: Server;
  let address: string;
  let status = 200;
  /** What it says about any pack. */
  let about: object | undefined;
  const seen: {
    readonly method: string;
    readonly url: string;
    readonly authorization: string | undefined;
  }[] = [];

  before(async () => {
    parts = await windowParts();
    registry = createServer((request, response) => {
      const { method = '', url = '' } = request;
      seen.push({ method, url, authorization: request.headers.authorization });
      const isKnown = request.headers.authorization === `Bearer ${token}`;
      const code = method !== 'POST' ? 200 : isKnown ? status : 401;
      response.writeHead(code, { 'content-type': 'application/json' });
      const pack = about ?? { id: 'a-pack', name: 'A Pack', rating: 3 };
      response.end(url.includes('/versions?') ? '[]' : JSON.stringify(pack));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  });
  after(async () => {
    await set('registry', undefined);
    await set('server', undefined);
    registry.closeAllConnections();
    registry.close();
  });
  beforeEach(() => {
    seen.length = 0;
    status = 200;
  });

  const set = async (name: string, value: unknown): Promise<void> =>
    vscode.workspace.getConfiguration('comfyDeck').update(name, value, vscode.ConfigurationTarget.Global);

  /** Switches from the sandbox to a server that does not answer: the registry of the settings is used then. */
  const useSettings = async (url: string): Promise<void> => {
    await set('server', 'Local ComfyUI');
    await set('registry', url);
    await eventually('it is chosen', () => parts.servers.current()?.kind === 'local');
  };

  const answerReview = (): void => {
    answers.pick('★★★☆☆');
    answers.press('Send Review');
    answers.answer('showInputBox', () => `Bearer ${token}`);
  };

  it('offers the quick fix only for unknown node types, and the hover shows their pack', async () => {
    await useSandbox();
    const uri = await writeFile('packs.json', {
      '1': { class_type: 'DriftingUpscaler', inputs: {} },
      '2': { class_type: 'EmptyImage', inputs: {} },
    });
    const document = await vscode.workspace.openTextDocument(uri);
    const titles = async (classType: string): Promise<string[]> => {
      const at = document.positionAt(document.getText().indexOf(classType));
      const range = new vscode.Range(at, at);
      const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        range,
      );
      return found.map(({ title }) => title).filter((title) => title.includes('Node Pack'));
    };
    assert.deepEqual(await titles('DriftingUpscaler'), ['Find the Node Pack of “DriftingUpscaler”']);
    assert.deepEqual(await titles('EmptyImage'), []);
    const at = document.positionAt(document.getText().indexOf('DriftingUpscaler'));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      at,
    );
    const text = hovers.flatMap(({ contents }) =>
      contents.map((each) => (each as vscode.MarkdownString).value),
    );
    assert.match(text.join(), /Drifting Upscalers/);
    assert.deepEqual(enabledIn(hovers), [commands.showPack, commands.reviewPack]);
    assert.match(text.join(), /flagged the latest version/);
    assert.deepEqual(await titles('DriftingUpscaler'), [
      'Show the Node Pack “Drifting Upscalers” (Flagged by the Registry)',
    ]);
  });

  it('sends a token only when the review needs one, and stores it for that registry', async () => {
    await useSettings(address);
    answerReview();
    await vscode.commands.executeCommand(commands.reviewPack, 'a-pack');
    assert.match(
      answers.texts('showInformationMessage').join(),
      /A Pack was reviewed. It now has ★★★☆☆ 3\.0/,
    );
    const posts = seen.filter(({ method }) => method === 'POST');
    assert.deepEqual(posts, [
      { method: 'POST', url: '/nodes/a-pack/reviews?star=3', authorization: undefined },
      { method: 'POST', url: '/nodes/a-pack/reviews?star=3', authorization: `Bearer ${token}` },
    ]);
    // Not looked up before.
    assert.equal(seen[0]?.method, 'POST');
    assert.equal(await parts.platform.context.secrets.get(`comfyDeck.registryToken:${address}`), token);
    assert.equal(await parts.servers.keys.get(address), undefined);
  });

  it('deletes tokens that are rejected, and offers to review again', async () => {
    await useSettings(address);
    answerReview();
    status = 401;
    await vscode.commands.executeCommand(commands.reviewPack, 'a-pack');
    assert.match(answers.texts('showErrorMessage').join(), /a-pack wasn't reviewed\. The registry rejected/);
    assert.equal(await parts.platform.context.secrets.get(`comfyDeck.registryToken:${address}`), undefined);
    assert.equal(seen.filter(({ method }) => method === 'POST').length, 2);
  });

  it('sends nothing and stores no token without confirmation', async () => {
    await useSettings(address);
    await vscode.commands.executeCommand(commands.registrySignOut);
    answerReview();
    answers.press('something else');
    await vscode.commands.executeCommand(commands.reviewPack, 'a-pack');
    assert.deepEqual(
      seen.filter(({ method }) => method === 'POST'),
      [],
    );
    assert.equal(await parts.platform.context.secrets.get(`comfyDeck.registryToken:${address}`), undefined);
  });
});

/** Commands that the Markdown of hovers may run. */
function enabledIn(hovers: readonly vscode.Hover[]): string[] {
  return hovers.flatMap(({ contents }) =>
    contents.flatMap((each) => {
      const { isTrusted } = each as vscode.MarkdownString;
      assert.notEqual(isTrusted, true);
      return typeof isTrusted === 'object' ? isTrusted.enabledCommands : [];
    }),
  );
}
