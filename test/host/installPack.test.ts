import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, settings } from '../../src/host/platform/contributions';
import type { Dialect } from '../../src/sandbox/dialect';
import type { ManagerKind } from '../../src/sandbox/registry/sandboxManager';
import { type FaultySandbox, startFaultySandbox } from '../support/faults/faultySandbox';
import { frontServer } from '../support/frontServer';
import type { Loopback } from '../support/loopback';
import {
  answersInTests,
  eventually,
  replaceMember,
  windowParts,
  titleOf,
  useSandbox,
  writeFile,
  type WindowParts,
} from './window';

type Work = Parameters<typeof vscode.window.withProgress>[1];

const pack = 'harbour-masks';

describe('installing a node pack', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let server: FaultySandbox;
  /** The details of questions, without their first line. */
  let details: string[];
  let pages: vscode.WebviewPanel[];
  let restore: (() => void)[];
  let front: Loopback | undefined;

  const set = async (name: string, value: unknown): Promise<void> =>
    vscode.workspace.getConfiguration().update(name, value, true);
  const use = async (manager?: ManagerKind, dialect: Dialect = 'local'): Promise<void> => {
    server = await startFaultySandbox({ dialect, manager });
    await set(settings.registry, server.url);
    await set(settings.servers, [{ name: 'Workshop', url: server.url }]);
    await set(settings.server, 'Workshop');
    await eventually('it is chosen', () => parts.servers.current()?.url === server.url);
  };
  /** From now on, there is a server in front of the sandbox that changes the answers. */
  const useFront = async (change: Parameters<typeof frontServer>[1]): Promise<void> => {
    front = await frontServer(server.url, change);
    const { url } = front;
    await set(settings.servers, [{ name: 'Workshop', url }]);
    await eventually('it is chosen', () => parts.servers.current()?.url === url);
  };
  /** Reads before the question; the replaced functions do the work. */
  const whileReading = (meanwhile: (cancel: () => void) => unknown): void => {
    const original = vscode.window.withProgress;
    replace(vscode.window, 'withProgress', async (options: vscode.ProgressOptions, work: Work) => {
      if (options.title?.startsWith('Checking') !== true) return original(options, work);
      assert.equal(options.cancellable, true);
      const source = new vscode.CancellationTokenSource();
      const done = Promise.resolve(work({ report: () => undefined }, source.token)).then(async (value) => {
        await meanwhile(() => source.cancel());
        return value;
      });
      return done;
    });
  };
  const replace = (...member: Parameters<typeof replaceMember>): void =>
    void restore.push(replaceMember(...member));
  /** Presses one of these buttons whenever it is offered. */
  const press = (...labels: readonly string[]): void => {
    answers.answer('showWarningMessage', (_, options, ...items) => {
      details.push((options as vscode.MessageOptions).detail ?? '');
      return items.find((item) => labels.includes(String(titleOf(item))));
    });
    answers.answer('showInformationMessage', (_, ...items) =>
      // On a slow machine the question comes first.
      items.find((item) => [...labels, 'Install…', 'Restart…'].includes(String(titleOf(item)))),
    );
  };
  const posts = (): string[] =>
    server.seen.requests.flatMap(({ method, path }) => (method === 'POST' ? [path] : []));
  const install = (id = pack) => vscode.commands.executeCommand(commands.installPack, id);
  const pageOf = async (id: string): Promise<string> => {
    await vscode.commands.executeCommand(commands.showPack, id);
    return eventually('the page is drawn', () => pages.at(-1)?.webview.html);
  };

  before(async () => {
    parts = await windowParts();
  });
  beforeEach(() => {
    details = [];
    pages = [];
    restore = [];
    const create = vscode.window.createWebviewPanel;
    replace(vscode.window, 'createWebviewPanel', (...args: Parameters<typeof create>) => {
      const panel = create(...args);
      pages.push(panel);
      return panel;
    });
  });
  afterEach(async () => {
    for (const page of pages) page.dispose();
    for (const back of restore) back();
    for (const name of [settings.registry, settings.servers, settings.server]) await set(name, undefined);
    await front?.close();
    front = undefined;
    await server.close();
  });

  it('asks with everything that will run, and sends nothing before you agree', async () => {
    await use('v3');
    press();
    await install();
    assert.match(answers.texts('showWarningMessage').join(), /^Install harbour-masks 1\.4\.2 on Workshop\?$/);
    const [detail = ''] = details;
    for (const named of [
      'Pack: harbour-masks 1.4.2',
      'Publisher: Harbour Nodes',
      'Source: https://example.org/harbour/nodes',
      `Registry: ${server.url}`,
      `Server: ${server.url}`,
      'Python packages',
      'install script',
    ]) {
      assert.ok(detail.includes(named), `${named} in ${detail}`);
    }
    assert.doesNotMatch(detail, /from its own registry/);
    assert.deepEqual(posts(), []);
  });

  it('is refused if ComfyUI-Manager would install something else', async () => {
    await use('v3');
    await useFront((path, text) =>
      path.includes('/customnode/versions/') ? text.replaceAll('"version-', '"other-') : text,
    );
    press('Install');
    await install();
    assert.match(answers.texts('showErrorMessage').join(), /would install something different from/);
    assert.deepEqual(answers.texts('showWarningMessage'), []);
    assert.deepEqual(posts(), []);
  });

  it('says where the pack comes from if ComfyUI-Manager does not report what it installs', async () => {
    await use('v4');
    press();
    await install();
    assert.match(
      details[0] ?? '',
      /installs packs from its own registry, https:\/\/api\.comfy\.org, not from http:/,
    );
  });

  it('reports the installed version, not the requested one', async () => {
    await use('v3');
    await useFront((path, text) =>
      path.includes('/customnode/installed') ? text.replaceAll('1.4.2', '1.9.0') : text,
    );
    press('Install');
    await install();
    assert.match(
      answers.texts('showWarningMessage').at(-1) ?? '',
      /Harbour Masks 1\.9\.0 was installed instead of 1\.4\.2/,
    );
  });

  it('asks right away only if you still wait for it; otherwise shows a notification first', async () => {
    await use('v3');
    const uri = await writeFile('turned-to-while-reading.json', {});
    whileReading(async () => {
      await vscode.window.showTextDocument(uri);
      await eventually(
        'it has the focus',
        () => vscode.window.activeTextEditor?.document.uri.path === uri.path,
      );
    });
    await install();
    assert.deepEqual(answers.texts('showInformationMessage'), [
      'Harbour Masks can be installed on Workshop now.',
    ]);
    assert.deepEqual(answers.texts('showWarningMessage'), []);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    press();
    await install();
    assert.match(answers.texts('showWarningMessage').join(), /Install harbour-masks/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.commands.executeCommand(commands.restartServer);
    assert.match(answers.texts('showInformationMessage').join(), /Workshop can be restarted now\./);
    assert.deepEqual(posts(), []);
  });

  it('asks nothing if you cancel the lookup', async () => {
    await use('v3');
    whileReading((cancel) => cancel());
    press('Install', 'Restart');
    await install();
    await vscode.commands.executeCommand(commands.restartServer);
    assert.deepEqual(answers.shown, []);
    assert.deepEqual(posts(), []);
  });

  it("is not offered for the packs of the sandbox's practice registry, whatever it is set as", async () => {
    await useSandbox();
    const practice = parts.servers.sandbox.url;
    assert.ok(practice !== undefined);
    await use('v3');
    await set(settings.registry, practice);
    press('Install');
    await install();
    assert.match(answers.texts('showErrorMessage').join(), /This pack is fictional/);
    assert.doesNotMatch(await pageOf(pack), /registry\.install\?/);
    assert.deepEqual(posts(), []);
  });

  it('asks again before the server restarts, after which the findings are gone', async () => {
    await use('v4');
    const uri = await writeFile('masks-to-install.json', {
      '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
      '2': { class_type: 'HarbourMask', inputs: { image: ['1', 0] } },
      '3': { class_type: 'PreviewImage', inputs: { images: ['2', 0] } },
    });
    await vscode.window.showTextDocument(uri);
    const unknown = () =>
      vscode.languages.getDiagnostics(uri).some(({ message }) => message.includes('HarbourMask'));
    await eventually('the node type is unknown', unknown);
    assert.match(
      await pageOf(pack),
      /href="command:comfyDeck\.registry\.install\?[^"]*">Install…<\/a> on Workshop/,
    );
    press('Install', 'Restart Server…', 'Restart');
    await install();
    await eventually('the server is back', () =>
      answers.texts('showInformationMessage').some((text) => text.includes('Workshop was restarted')),
    );
    assert.match(answers.texts('showInformationMessage').join(), /Harbour Masks 1\.4\.2 is installed/);
    assert.match(details.at(-1) ?? '', /will stop and start again/);
    await eventually('the finding is gone', () => !unknown());
    assert.equal(posts().filter((path) => path.endsWith('/queue/task')).length, 1);
  });

  it('installs the selected version, and says what speaks against it', async () => {
    await use('v3');
    let asked = 0;
    answers.answer('showWarningMessage', (_, options, ...items) => {
      details.push((options as vscode.MessageOptions).detail ?? '');
      const label = asked++ === 0 ? 'Other Version…' : 'Install';
      return items.find((item) => titleOf(item) === label);
    });
    // Where the window changed meanwhile, a notification offers the question first.
    answers.answer('showInformationMessage', (_, ...items) =>
      items.find((item) => titleOf(item) === 'Install…'),
    );
    answers.pick('1.0.0');
    await install('lighthouse-nodes');
    assert.match(
      details[1] ?? '',
      /Pack: lighthouse-nodes 1\.0\.0.*⚠ The registry has flagged the version as a risk/s,
    );
    assert.match(answers.texts('showInformationMessage').join(), /Lighthouse Nodes 1\.0\.0 is installed/);
  });

  it('is refused when the registry has banned the pack', async () => {
    await use('v3');
    press('Install');
    await install('wrecked-samplers');
    assert.match(
      answers.texts('showErrorMessage').join(),
      /can't be installed, because the registry has withdrawn it/,
    );
    assert.deepEqual(answers.texts('showWarningMessage'), []);
    assert.deepEqual(posts(), []);
    assert.doesNotMatch(await pageOf('wrecked-samplers'), /registry\.install\?/);
  });

  it('is neither offered nor possible in Restricted Mode', async () => {
    await use('v3');
    replace(vscode.workspace, 'isTrusted', false);
    press('Install', 'Restart');
    await install();
    await vscode.commands.executeCommand(commands.restartServer);
    assert.equal(
      answers.texts('showErrorMessage').filter((text) => /trusted workspaces/.test(text)).length,
      2,
    );
    assert.deepEqual(posts(), []);
    assert.doesNotMatch(await pageOf(pack), /registry\.install\?/);
  });

  it('never looks for ComfyUI-Manager on Comfy Cloud, whatever name it is listed under', async () => {
    await use(undefined, 'cloud');
    await parts.servers.keys.set(server.url, 'test-key');
    await install();
    await pageOf(pack);
    await parts.servers.keys.delete(server.url);
    assert.match(answers.texts('showErrorMessage').join(), /found no supported ComfyUI-Manager on Workshop/);
    assert.deepEqual(
      server.seen.requests.filter(({ path }) => path.includes('/manager/')),
      [],
    );
  });

  it('does not restart a server that has jobs', async () => {
    await use('v3');
    server.faults.set('hang', {});
    const prompt = {
      '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
      '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    };
    await fetch(`${server.url}/api/prompt`, { method: 'POST', body: JSON.stringify({ prompt }) });
    press('Restart');
    await vscode.commands.executeCommand(commands.restartServer);
    assert.match(
      answers.texts('showErrorMessage').join(),
      /Workshop wasn't restarted, because 1 job would be lost/,
    );
    assert.ok(!posts().some((path) => path.endsWith('/reboot')));
  });
});
