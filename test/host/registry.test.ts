import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { loopback, type Loopback, sendJson } from '../support/loopback';
import { answersInTests, eventually, windowParts, useSandbox, writeFile, type WindowParts } from './window';

const token = 'test-registry-token';

describe('node packs', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let registry: Loopback;
  let status = 200;

  before(async () => {
    parts = await windowParts();
    registry = await loopback({
      answer: ({ method, path, headers }, response) => {
        const isKnown = headers.authorization === `Bearer ${token}`;
        const code = method !== 'POST' ? 200 : isKnown ? status : 401;
        const pack = { id: 'a-pack', name: 'A Pack', rating: 3 };
        sendJson(response, code, path.endsWith('/versions') ? [] : pack);
      },
    });
  });
  after(async () => {
    await set('registry', undefined);
    await set('server', undefined);
    await registry.close();
  });
  beforeEach(() => {
    registry.arrivals.length = 0;
    status = 200;
  });

  const posts = () => registry.arrivals.filter(({ method }) => method === 'POST');
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
    await useSettings(registry.url);
    answerReview();
    await vscode.commands.executeCommand(commands.reviewPack, 'a-pack');
    assert.match(
      answers.texts('showInformationMessage').join(),
      /A Pack was reviewed. It now has ★★★☆☆ 3\.0/,
    );
    assert.deepEqual(
      posts().map(({ target, headers }) => [target, headers.authorization]),
      [
        ['/nodes/a-pack/reviews?star=3', undefined],
        ['/nodes/a-pack/reviews?star=3', `Bearer ${token}`],
      ],
    );
    // Not looked up before.
    assert.equal(registry.arrivals[0]?.method, 'POST');
    assert.equal(await parts.platform.context.secrets.get(`comfyDeck.registryToken:${registry.url}`), token);
    assert.equal(await parts.servers.keys.get(registry.url), undefined);
  });

  it('deletes tokens that are rejected, and offers to review again', async () => {
    await useSettings(registry.url);
    answerReview();
    status = 401;
    await vscode.commands.executeCommand(commands.reviewPack, 'a-pack');
    assert.match(answers.texts('showErrorMessage').join(), /a-pack wasn't reviewed\. The registry rejected/);
    assert.equal(
      await parts.platform.context.secrets.get(`comfyDeck.registryToken:${registry.url}`),
      undefined,
    );
    assert.equal(posts().length, 2);
  });

  it('sends nothing and stores no token without confirmation', async () => {
    await useSettings(registry.url);
    await vscode.commands.executeCommand(commands.registrySignOut);
    answerReview();
    answers.press('something else');
    await vscode.commands.executeCommand(commands.reviewPack, 'a-pack');
    assert.deepEqual(posts(), []);
    assert.equal(
      await parts.platform.context.secrets.get(`comfyDeck.registryToken:${registry.url}`),
      undefined,
    );
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
