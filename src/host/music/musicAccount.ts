import * as vscode from 'vscode';
import { isLoopback, mayCarryCredential, addressOrigin } from '../../core/client/address';
import { completeAddress } from '../../core/client/completeAddress';
import { fetchStack } from '../../core/client/fetchStack';
import { MusicClient, musicCredential, musicEndpoint } from '../../core/client/music/musicClient';
import {
  comfyMusic,
  type MusicPrice,
  musicServicePrice,
  chooseMusicService,
  sandboxMusic,
} from '../../core/client/music/musicService';
import { Transport } from '../../core/client/transport';
import { ServerError } from '../../core/protocol/serverError';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { settings } from '../platform/contributions';
import type { Platform } from '../platform/platform';
import { UserProblem } from '../platform/problems';
import { onSettingChange, readSetting, writeUserSetting } from '../platform/settings';
import { keyProblem, Keys } from '../servers/keys';
import { addressProblem } from '../servers/knownServers';
import type { Servers } from '../servers/servers';
import { askText, pickOne, showInformation } from '../platform/show';
import { Owner } from '../platform/feature';

/** Where music is generated, and its credential: stored separately and bound to its address. */
export class MusicService extends Owner {
  readonly #keys: Keys;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #told: string;

  constructor(
    private readonly platform: Platform,
    private readonly servers: Servers,
  ) {
    super();
    this.#keys = new Keys(platform, 'comfyDeck.musicKey:');
    this.#told = this.#choice();
    this.own(
      this.#changed,
      onSettingChange([settings.musicService], () => this.#changed.fire()),
      this.#keys,
      this.#keys.onDidChange(() => this.#changed.fire()),
      servers.onDidChange(() => this.#followServer()),
    );
  }

  get isSandbox(): boolean {
    return this.#choice() === sandboxMusic;
  }

  get price(): MusicPrice {
    return musicServicePrice(this.#choice());
  }

  get name(): string {
    const choice = this.#choice();
    if (choice === sandboxMusic) return t`Sandbox`;
    return addressOrigin(choice) === comfyMusic ? 'Comfy' : addressOrigin(choice);
  }

  /** Whether music can be generated without asking the user for anything. */
  async isReady(): Promise<boolean> {
    const choice = this.#choice();
    // A service on this machine may need no key; if it does, it says so.
    if (choice === sandboxMusic || isLoopback(choice)) return true;
    return (await this.#keys.get(addressOrigin(choice))) !== undefined;
  }

  /**
   * A client of the selected service; starts the sandbox if that is selected.
   * @throws ServerError when the address is invalid or a key is missing
   */
  async client(): Promise<{ readonly client: MusicClient; readonly origin: string }> {
    const choice = this.#choice();
    if (!(await this.isReady())) {
      throw new ServerError(t`You're not signed in to ${this.name}.`, {
        reason: 'unauthorized',
        endpoint: musicEndpoint,
        nextAction: t`Sign in, then try again. Nothing was sent.`,
      });
    }
    const baseUrl = choice === sandboxMusic ? await this.servers.sandbox.start() : choice;
    const origin = addressOrigin(baseUrl);
    const transport = new Transport({
      baseUrl,
      // The extension host's own fetch uses VS Code's proxy and certificate settings.
      http: fetchStack(globalThis),
      credential: async () => {
        // The sandbox never gets a real key.
        const value = choice === sandboxMusic ? undefined : await this.#keys.get(origin);
        return value === undefined ? undefined : musicCredential(value);
      },
      secrets: this.platform.secrets,
      log: (line) => this.platform.log.debug(JSON.stringify(line)),
    });
    return { client: new MusicClient(transport), origin };
  }

  async select(): Promise<void> {
    const choice = this.#choice();
    const isOwn = choice !== sandboxMusic && choice !== comfyMusic;
    const picks = [
      {
        value: '',
        label: shown`$(arrow-swap) Match the Selected Server`,
        detail: shown`The sandbox if it's the selected server, otherwise Comfy.`,
      },
      {
        value: comfyMusic,
        label: shown`$(cloud) Comfy`,
        detail: shown`${comfyMusic} (uses your Comfy credits)`,
      },
      {
        value: sandboxMusic,
        label: shown`$(beaker) ${t`Sandbox`}`,
        detail: shown`Built in, no account needed: plays a test tune.`,
      },
      ...(isOwn
        ? [{ value: choice, label: shown`$(server) ${addressOrigin(choice)}`, detail: shown`${choice}` }]
        : []),
      {
        value: undefined,
        label: shown`$(add) Other Address…`,
        detail: shown`Another service with the same API.`,
      },
    ];
    const chosen = await pickOne(picks, {
      title: shown`Select Music Service`,
      placeHolder: shown`Select where to generate music`,
    });
    if (!chosen) return;
    const value = chosen.value ?? (await askForAddress());
    if (value !== undefined) await writeUserSetting(settings.musicService, value);
  }

  /** Asks for a key or a token; true when one is stored afterwards. */
  async signIn(): Promise<boolean> {
    const choice = this.#keyedChoice();
    const origin = addressOrigin(choice);
    if (!mayCarryCredential(choice)) {
      throw new UserProblem(
        shown`API keys are never sent to ${origin}, because the connection isn't encrypted.`,
        shown`Use the server's https address.`,
      );
    }
    const typed = await askText({
      title: shown`Sign in to ${this.name}`,
      prompt: shown`API key (comfyui-…) or access token for ${origin}. It is stored in VS Code's secret storage and sent only to this address.`,
      password: true,
      problem: keyProblem,
    });
    if (typed === undefined) return false;
    await this.#keys.set(origin, typed.trim());
    return true;
  }

  async signOut(): Promise<void> {
    await this.#keys.delete(addressOrigin(this.#keyedChoice()));
    void showInformation(shown`Signed out of ${this.name}. Its key was removed from this machine.`);
  }

  #choice(): string {
    const isSandbox = this.servers.current()?.kind === 'sandbox';
    return chooseMusicService(readSetting(settings.musicService) ?? '', isSandbox);
  }

  #keyedChoice(): string {
    const choice = this.#choice();
    if (choice !== sandboxMusic) return choice;
    throw new UserProblem(shown`The sandbox doesn't use a key.`, shown`Select another music service.`);
  }

  /** A server's status changes more often than the service that depends on it. */
  #followServer(): void {
    const choice = this.#choice();
    if (choice === this.#told) return;
    this.#told = choice;
    this.#changed.fire();
  }
}

async function askForAddress(): Promise<string | undefined> {
  const address = await askText({
    title: shown`Select Music Service`,
    prompt: shown`Address of the music service`,
    placeHolder: shown`${comfyMusic}`,
    problem: (typed) => addressProblem(completeAddress(typed)),
  });
  return address === undefined ? undefined : completeAddress(address);
}
