import { addressOrigin } from '../../core/client/address';
import type { CoreClasses } from '../../core/registry/packAnswer';
import type { PackLookup } from '../../core/registry/packLookup';
import type { RegistryClient } from '../../core/registry/registryClient';
import { withoutEmails } from '../../core/protocol/registry/registryText';
import { shown } from '../../core/safety/shownText';
import { settings } from '../platform/contributions';
import type { Platform } from '../platform/platform';
import { UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import { Keys } from '../servers/keys';
import { addressProblem } from '../servers/knownServers';
import type { Servers } from '../servers/servers';

/** A node registry that can be used. */
export interface Registry {
  readonly baseUrl: string;
  readonly origin: string;
  readonly isSandbox: boolean;
  readonly client: RegistryClient;
  readonly lookup: PackLookup;
}

const cacheFile = 'registry.json';

/** The registry for the selected server: the sandbox's own, or the one in the settings. */
export class Registries {
  /** For reviews, apart from the keys of servers. */
  readonly tokens: Keys;
  readonly #made = new Map<string, Promise<Registry>>();

  constructor(
    private readonly platform: Platform,
    private readonly servers: Servers,
    private readonly coreClasses: CoreClasses,
  ) {
    this.tokens = platform.own(new Keys(platform, 'comfyDeck.registryToken:'));
  }

  /** For a user's request: starts the sandbox if selected, and reports what is missing. */
  async current(): Promise<Registry> {
    const { servers } = this;
    if (servers.current()?.kind === 'sandbox') return this.#make(await servers.sandbox.start(), true);
    const address = (readSetting(settings.registry) ?? '').trim();
    if (address === '') {
      throw new UserProblem(
        shown`No node registry is set.`,
        shown`Enter its address in the ${settings.registry} setting.`,
      );
    }
    const problem = addressProblem(address);
    if (problem !== undefined) {
      throw new UserProblem(shown`${settings.registry} is not a valid registry address.`, shown`${problem}`);
    }
    // The sandbox's packs are made up, also where its address is set as that of a registry.
    const { url } = servers.sandbox;
    return this.#make(address, url !== undefined && addressOrigin(url) === addressOrigin(address));
  }

  /** For background work: starts nothing and reports nothing. */
  async quiet(): Promise<Registry | undefined> {
    const { servers } = this;
    if (servers.current()?.kind === 'sandbox' && servers.sandbox.url === undefined) return undefined;
    try {
      return await this.current();
    } catch {
      return undefined;
    }
  }

  #make(address: string, isSandbox: boolean): Promise<Registry> {
    const key = `${isSandbox ? 'practice' : 'real'} ${address}`;
    const existing = this.#made.get(key);
    if (existing) return existing;
    const made = this.#build(address, isSandbox);
    this.#made.set(key, made);
    made.catch(() => this.#made.delete(key));
    return made;
  }

  async #build(address: string, isSandbox: boolean): Promise<Registry> {
    const { storage, log, secrets } = this.platform;
    const [{ RegistryClient: Client }, { PackLookup: Lookup }, { PackCache }, { fetchStack }] =
      await Promise.all([
        import('../../core/registry/registryClient'),
        import('../../core/registry/packLookup'),
        import('../../core/registry/packCache'),
        import('../../core/client/fetchStack'),
      ]);
    const origin = addressOrigin(address);
    const client = new Client({
      baseUrl: address,
      http: fetchStack(globalThis),
      reviewToken: async () => {
        const value = await this.tokens.get(origin);
        return value === undefined ? undefined : { kind: 'bearer', value };
      },
      secrets,
      log: (line) => log.debug(withoutEmails(JSON.stringify(line))),
    });
    // Each sandbox creates its own data, so it isn't cached for a day.
    const store = isSandbox
      ? { load: () => Promise.resolve(undefined), save: () => Promise.resolve() }
      : {
          load: () => storage.read(cacheFile),
          save: (text: string) => storage.write(cacheFile, text),
        };
    const cache = new PackCache(store);
    // A menu shows what was found before, without waiting.
    await cache.load();
    const lookup = new Lookup(client, cache, this.coreClasses);
    return { baseUrl: client.baseUrl, origin, isSandbox, client, lookup };
  }
}
