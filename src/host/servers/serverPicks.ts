import { addressOrigin } from '../../core/client/address';
import { completeAddress } from '../../core/client/completeAddress';
import { listText, t } from '../../core/safety/localize';
import type { Shown } from '../../core/safety/shownText';
import { shown } from '../../core/safety/shownText';
import { settings } from '../platform/contributions';
import { readSetting, writeUserSetting } from '../platform/settings';
import { addressProblem, isPlainRemote, nameProblem, type KnownServer } from './knownServers';
import { describeStatus } from './serverStatus';
import type { Servers } from './servers';
import { askText, type ListRow, pickOne, pickSome } from '../platform/show';

interface ServerPick extends ListRow {
  readonly server?: KnownServer;
}

/** Lets the user select or add a server; undefined when cancelled. */
export async function pickServer(servers: Servers): Promise<KnownServer | undefined> {
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
export async function addServer(servers: Servers): Promise<KnownServer | undefined> {
  const address = await askText({
    title: shown`Add Server (1 of 2)`,
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
    title: shown`Add Server (2 of 2)`,
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
