import * as vscode from 'vscode';
import { originOf } from '../../core/client/address';
import { settings } from '../platform/contributions';
import { readSetting, writeUserSetting } from '../platform/settings';
import { addressProblem, isPlainRemote, nameProblem, type KnownServer } from './knownServers';
import { describeStatus } from './serverStatus';
import type { Servers } from './servers';

interface ServerPick extends vscode.QuickPickItem {
  readonly server?: KnownServer;
}

/** Lets the user choose a server or add one; undefined when he turns away. */
export async function pickServer(servers: Servers): Promise<KnownServer | undefined> {
  const current = servers.current();
  const picks: ServerPick[] = servers.list().map((server) => ({
    server,
    label: `${server.name === current?.name ? '$(check)' : icons[server.kind]} ${server.name}`,
    description: server.name === current?.name ? describeStatus(server, servers.status) : '',
    detail: detailOf(server),
  }));
  picks.push(
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: '$(add) Add Server…', detail: 'A ComfyUI of your own at another address.' },
  );
  const chosen = await vscode.window.showQuickPick(picks, {
    title: 'Comfy Deck: Select Server',
    placeHolder: 'Where should workflows run?',
    matchOnDetail: true,
  });
  if (!chosen) return undefined;
  return chosen.server ?? addServer(servers);
}

const icons: Readonly<Record<KnownServer['kind'], string>> = {
  cloud: '$(cloud)',
  local: '$(vm)',
  sandbox: '$(beaker)',
  own: '$(server)',
};

function detailOf(server: KnownServer): string {
  if (server.kind === 'sandbox') {
    return server.url === undefined
      ? 'Built in, no account: draws test pictures on this machine.'
      : `Built in, runs at ${server.url}`;
  }
  const address = server.url ?? '';
  return server.kind === 'cloud' ? `${address}, needs an API key` : address;
}

/** Asks for address and name, keeps them in the user's settings. */
export async function addServer(servers: Servers): Promise<KnownServer | undefined> {
  const address = await vscode.window.showInputBox({
    title: 'Add Server (1 of 2)',
    prompt: 'Address of the ComfyUI server',
    placeHolder: 'http://127.0.0.1:8188',
    ignoreFocusOut: true,
    validateInput: (text) => {
      const problem = addressProblem(text);
      if (problem !== undefined) return problem;
      if (!isPlainRemote(text.trim())) return undefined;
      const severity = vscode.InputBoxValidationSeverity.Info;
      return {
        message: 'Plain http to another machine: it works, but never with an API key. Use https for one.',
        severity,
      };
    },
  });
  if (address === undefined) return undefined;
  const url = address.trim();
  const name = await vscode.window.showInputBox({
    title: 'Add Server (2 of 2)',
    prompt: 'Name to show',
    value: new URL(url).host,
    ignoreFocusOut: true,
    validateInput: (text) => nameProblem(text, servers.list()),
  });
  if (name === undefined) return undefined;
  const entry = { name: name.trim(), url };
  await writeUserSetting(settings.servers, [...(readSetting(settings.servers) ?? []), entry]);
  return { kind: 'own', ...entry };
}

/** Takes servers of the user's own out of the settings, and their keys out of the secret storage. */
export async function removeServers(servers: Servers): Promise<void> {
  const own = servers.list().filter(({ kind }) => kind === 'own');
  const chosen = await vscode.window.showQuickPick(
    own.map(({ name, url = '' }) => ({ label: name, detail: url, url })),
    {
      title: 'Comfy Deck: Remove Server',
      placeHolder: 'Which servers to forget, with their keys',
      canPickMany: true,
    },
  );
  if (!chosen || chosen.length === 0) return;
  const names = new Set(chosen.map(({ label }) => label));
  const kept = (readSetting(settings.servers) ?? []).filter((entry) => !names.has(entry.name));
  await writeUserSetting(settings.servers, kept);
  const stillUsed = new Set(servers.list().flatMap(({ url }) => (url === undefined ? [] : [originOf(url)])));
  for (const { url } of chosen) {
    if (!stillUsed.has(originOf(url))) await servers.keys.delete(originOf(url));
  }
}
