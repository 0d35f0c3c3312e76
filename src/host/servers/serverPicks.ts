import * as vscode from 'vscode';
import { addressOrigin, mayCarryCredential } from '../../core/client/address';
import { completeAddress } from '../../core/client/completeAddress';
import type { RunSession } from '../../core/runLife/runSession';
import { listText, t } from '../../core/safety/localize';
import type { Shown } from '../../core/safety/shownText';
import { shown } from '../../core/safety/shownText';
import { commands, settings } from '../platform/contributions';
import { UserProblem, type NextStep } from '../platform/problems';
import { readSetting, writeUserSetting } from '../platform/settings';
import { keyProblem } from './keys';
import {
  addressProblem,
  isPlainRemote,
  nameProblem,
  sandboxServerName,
  serverOrigin,
  type KnownServer,
} from './knownServers';
import { describeStatus, type ServerStatus } from './serverStatus';
import type { Servers } from './servers';
import { askText, type ListRow, pickOne, pickSome, showInformation, showProgress } from '../platform/show';

interface ServerPick extends ListRow {
  readonly server?: KnownServer;
}

/** Lets the user select or add a server; undefined when cancelled. */
async function pickServer(servers: Servers): Promise<KnownServer | undefined> {
  const current = servers.current();
  const picks: ServerPick[] = servers.list().map((server) => ({
    server,
    label: shown`${server.name === current?.name ? shown`$(check)` : icons[server.kind]} ${server.name}`,
    description: shown`${server.name === current?.name ? describeStatus(server, servers.status) : ''}`,
    detail: shown`${detailOf(server)}`,
  }));
  picks.push(
    { label: shown``, isSeparator: true },
    { label: shown`$(add) Add Server…`, detail: shown`Your own ComfyUI at another address.` },
  );
  const chosen = await pickOne(picks, {
    title: shown`Select Server`,
    placeHolder: shown`Select where to run workflows`,
    matchOnDetail: true,
  });
  if (!chosen) return undefined;
  return chosen.server ?? addServer(servers);
}

const icons: Readonly<Record<KnownServer['kind'], Shown>> = {
  cloud: shown`$(cloud)`,
  local: shown`$(vm)`,
  sandbox: shown`$(beaker)`,
  own: shown`$(server)`,
};

function detailOf(server: KnownServer): string {
  if (server.kind === 'sandbox') {
    return server.url === undefined
      ? t`Built in, no account needed: draws test images on this machine.`
      : t`Built in, running at ${server.url}`;
  }
  const address = server.url ?? '';
  return listText([address, server.kind === 'cloud' ? t`needs an API key` : '']);
}

/** Asks for address and name, and stores them in the user settings. */
async function addServer(servers: Servers): Promise<KnownServer | undefined> {
  const title = (step: number): Shown => shown`${t`Add Server`} (${t`${step} of ${2}`})`;
  const address = await askText({
    title: title(1),
    prompt: shown`Address of the ComfyUI server`,
    placeHolder: shown`localhost:8188`,
    problem: (typed) => addressProblem(completeAddress(typed)),
    note: (typed) =>
      isPlainRemote(completeAddress(typed))
        ? shown`You can use http for another machine, but not with an API key. To sign in, use https.`
        : undefined,
  });
  if (address === undefined) return undefined;
  const url = completeAddress(address);
  const name = await askText({
    title: title(2),
    prompt: shown`Display name`,
    value: new URL(url).host,
    problem: (typed) => nameProblem(typed, servers.list()),
  });
  if (name === undefined) return undefined;
  const entry = { name: name.trim(), url };
  await writeUserSetting(settings.servers, [...(readSetting(settings.servers) ?? []), entry]);
  return { kind: 'own', ...entry };
}

/** Removes user-defined servers from the settings, and their keys from the secret storage. */
export async function removeServers(servers: Servers): Promise<void> {
  const own = servers.list().filter(({ kind }) => kind === 'own');
  const chosen = await pickSome(
    own.map(({ name, url = '' }) => ({ label: shown`${name}`, detail: shown`${url}`, name, url })),
    {
      title: shown`Remove Server`,
      placeHolder: shown`Select the servers to remove, along with their keys`,
    },
  );
  if (!chosen || chosen.length === 0) return;
  const names = new Set(chosen.map(({ name }) => name));
  const kept = (readSetting(settings.servers) ?? []).filter((entry) => !names.has(entry.name));
  await writeUserSetting(settings.servers, kept);
  const stillUsed = new Set(
    servers.list().flatMap(({ url }) => (url === undefined ? [] : [addressOrigin(url)])),
  );
  for (const { url } of chosen) {
    if (!stillUsed.has(addressOrigin(url))) await servers.keys.delete(addressOrigin(url));
  }
}

const selectAnother: NextStep = { label: shown`Select Server`, command: commands.selectServer };

/** True if a server is selected afterwards. */
export async function selectServer(servers: Servers): Promise<boolean> {
  const server = await pickServer(servers);
  if (!server) return false;
  await servers.select(server);
  if (server.kind === 'sandbox') await servers.session();
  if (await lacksKey(server, servers)) return signIn(servers);
  await servers.check();
  return true;
}

/** A session of the selected server, after asking for what is missing; undefined when cancelled. */
export async function readySession(servers: Servers): Promise<RunSession | undefined> {
  if (!servers.current() && !(await selectServer(servers))) return undefined;
  if ((await lacksKey(servers.current(), servers)) && !(await signIn(servers))) return undefined;
  return servers.session();
}

async function lacksKey(server: KnownServer | undefined, { keys }: Servers): Promise<boolean> {
  const origin = server?.kind === 'cloud' ? serverOrigin(server) : undefined;
  return origin !== undefined && (await keys.get(origin)) === undefined;
}

/** Asks for the key of the current server and tests it; true when one is stored afterwards. */
export async function signIn(servers: Servers): Promise<boolean> {
  const server = servers.current();
  if (!server) return selectServer(servers);
  if (server.kind === 'sandbox') {
    throw new UserProblem(shown`The sandbox doesn't use a key.`, shown`Select another server.`, [
      selectAnother,
    ]);
  }
  if (server.url === undefined) return false;
  const origin = addressOrigin(server.url);
  if (!mayCarryCredential(server.url)) {
    throw new UserProblem(
      shown`API keys are never sent to ${origin}, because the connection isn't encrypted.`,
      shown`Use an https address for the server, or reach it through this machine (127.0.0.1).`,
      [selectAnother],
    );
  }
  const typed = await askText({
    title: shown`Sign in to ${server.name}`,
    prompt: shown`API key for ${origin}. It is stored in VS Code's secret storage and sent only to this address.`,
    password: true,
    problem: keyProblem,
  });
  if (typed === undefined) return false;
  const before = await servers.keys.get(origin);
  await servers.keys.set(origin, typed.trim());
  const status = await checkWithProgress(servers);
  // Another window may have selected another server, which was checked.
  if (servers.currentOrigin() !== serverOrigin(server)) return true;
  if (status.kind === 'connected') {
    void showInformation(shown`Signed in to ${server.name}.`);
    return true;
  }
  // A key that the server rejects is not stored, and does not replace one that worked.
  if (status.kind === 'refused')
    await (before === undefined ? servers.keys.delete(origin) : servers.keys.set(origin, before));
  requireConnected(status, server.name);
  return status.kind !== 'refused' && status.kind !== 'noKey';
}

export async function signOut(servers: Servers): Promise<void> {
  const server = servers.current();
  const origin = server && serverOrigin(server);
  if (!server || origin === undefined) return;
  if ((await servers.keys.get(origin)) === undefined) {
    void showInformation(shown`You're not signed in to ${server.name}.`);
    return;
  }
  await servers.keys.delete(origin);
  void showInformation(shown`Signed out of ${server.name}. Its key was removed from this machine.`);
}

export async function addAndSelectServer(servers: Servers): Promise<void> {
  const server = await addServer(servers);
  if (!server) return;
  await servers.select(server);
  requireConnected(await checkWithProgress(servers), server.name);
}

export async function checkConnection(servers: Servers): Promise<void> {
  const server = servers.current();
  if (!server) {
    await selectServer(servers);
    return;
  }
  if (server.kind === 'sandbox') await servers.session();
  const status = await checkWithProgress(servers);
  requireConnected(status, server.name);
  if (status.kind === 'connected')
    void showInformation(shown`${server.name}: ${describeStatus(server, status)}.`);
}

export async function selectSandbox(servers: Servers): Promise<void> {
  const sandbox = servers.list().find(({ name }) => name === sandboxServerName);
  if (!sandbox) return;
  await servers.select(sandbox);
  await servers.session();
  await servers.check();
}

function checkWithProgress(servers: Servers): Thenable<ServerStatus> {
  const title = shown`Comfy Deck: checking the connection`;
  return showProgress({ location: vscode.ProgressLocation.Window, title }, () => servers.check());
}

/** @throws UserProblem if the server can't be used */
function requireConnected(status: ServerStatus, name: string): void {
  if (status.kind === 'noKey') {
    throw new UserProblem(shown`${name} needs an API key.`, shown`Sign in, or select another server.`, [
      { label: shown`Sign In`, command: commands.signIn },
      selectAnother,
    ]);
  }
  if (status.kind === 'refused' || status.kind === 'unreachable') {
    const again: NextStep =
      status.kind === 'refused'
        ? { label: shown`Sign In`, command: commands.signIn }
        : { label: shown`Check Again`, command: commands.checkConnection };
    throw new UserProblem(shown`${name}: ${status.problem}`, shown`${status.nextAction}`, [
      again,
      selectAnother,
    ]);
  }
}
