import { isLoopback, normaliseBase } from '../../core/client/address';
import { completeAddress } from '../../core/client/completeAddress';
import type { ServerEntry } from '../platform/settings';
import { t } from '../../core/safety/localize';
import type { RunStore } from '../../core/runLife/runStore';

/** A server that can be selected. The name is what the setting contains and the user sees. */
export interface KnownServer {
  readonly kind: 'cloud' | 'local' | 'sandbox' | 'own';
  readonly name: string;
  /** Missing for a sandbox that has not been started. */
  readonly url: string | undefined;
}

export const cloudServer: KnownServer = {
  kind: 'cloud',
  name: 'Comfy Cloud',
  url: 'https://cloud.comfy.org',
};
const localServer: KnownServer = {
  kind: 'local',
  name: 'Local ComfyUI',
  url: 'http://127.0.0.1:8188',
};
export const sandboxServerName = 'Sandbox';

const builtInNames = new Set([cloudServer.name, localServer.name, sandboxServerName]);

/** All servers in display order. Invalid entries of a hand-edited setting are skipped. */
export function knownServers(entries: readonly unknown[], sandboxUrl: string | undefined): KnownServer[] {
  const servers: KnownServer[] = [
    cloudServer,
    localServer,
    { kind: 'sandbox', name: sandboxServerName, url: sandboxUrl },
  ];
  const taken = new Set(builtInNames);
  for (const entry of entries) {
    if (!isEntry(entry) || taken.has(entry.name)) continue;
    const url = completeAddress(entry.url);
    if (addressProblem(url) !== undefined) continue;
    taken.add(entry.name);
    servers.push({ kind: 'own', name: entry.name, url });
  }
  return servers;
}

function isEntry(value: unknown): value is ServerEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { name, url } = value as Partial<Record<keyof ServerEntry, unknown>>;
  return typeof name === 'string' && name.trim() !== '' && typeof url === 'string';
}

/** Says in one sentence why an address, completed if possible, is wrong; undefined if it isn't. */
export function addressProblem(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return t`Enter an address, such as localhost:8188 or https://comfy.example.org.`;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return t`The address must start with http:// or https://.`;
  if (url.username !== '' || url.password !== '') {
    return t`Remove the user name and password from the address. Settings aren't secret. To store an API key safely, use Sign In.`;
  }
  if (url.search !== '' || url.hash !== '') return t`Remove everything after ? or # from the address.`;
  return undefined;
}

/** Says why an entered name is wrong; undefined if it isn't. */
export function nameProblem(text: string, servers: readonly KnownServer[]): string | undefined {
  const name = text.trim();
  if (name === '') return t`Enter a display name.`;
  return servers.some((server) => server.name === name)
    ? t`Another server already has this name.`
    : undefined;
}

/** A plain http address beyond this machine: usable, but never with a key. */
export function isPlainRemote(url: string): boolean {
  return new URL(url).protocol === 'http:' && !isLoopback(url);
}

/** The address of a server, as jobs have it: several may have one origin, as behind a proxy, and then one key. */
export function serverOrigin(server: KnownServer): string | undefined {
  return server.url === undefined ? undefined : normaliseBase(server.url);
}

/** Jobs name servers that were removed from the settings, and sandboxes of earlier windows. */
export class ServerNames {
  readonly #names = new Map<string, string>();
  readonly #stop: () => void;

  constructor(private readonly runs: Pick<RunStore, 'job' | 'onDidChange'>) {
    this.#stop = runs.onDidChange(({ added, changed }) => {
      for (const id of [...added, ...changed]) this.#learn(id);
    });
  }

  of(origin: string): string | undefined {
    return this.#names.get(origin);
  }

  dispose(): void {
    this.#stop();
  }

  #learn(id: string): void {
    const job = this.runs.job(id);
    const name = job?.origin?.serverName;
    if (job && name !== undefined) this.#names.set(job.server, name);
  }
}
