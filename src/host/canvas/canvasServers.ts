import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { mayCarryCredential, unsafeAddress } from '../../core/client/address';
import { credentialHeader } from '../../core/client/credential';
import { budgets } from '../../core/safety/budgets';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { panelFolder } from '../platform/panelPage';
import type { Platform } from '../platform/platform';
import { UserProblem } from '../platform/problems';
import { requireTrust } from '../platform/requireTrust';
import { serverOrigin } from '../servers/knownServers';
import type { Servers } from '../servers/servers';
import type { CanvasFile } from './canvasFile';
import { CanvasProxy } from './canvasProxy';
import { isOwnOrigin } from './proxyHeaders';
import { Upstream } from './upstream';

/** In an editor of VS Code, or in a tab of the browser. */
export type PagePlace = 'frame' | 'browser';

/** A canvas whose page can be loaded. */
export interface OpenedCanvas {
  /**
   * In a frame, it contains the secret of the proxy; in a browser, a ticket. Asked anew at each opening: a tunnel may
   * have another port by then.
   */
  readonly address: string;
  readonly server: { readonly name: string; readonly origin: string };
  close(): void;
}

/** The ComfyUI pages of the servers of this window: one proxy for each server, as long as it has a canvas. */
export class CanvasServers {
  readonly #proxies = new Map<string, Promise<CanvasProxy>>();

  constructor(
    private readonly platform: Platform,
    private readonly servers: Servers,
  ) {}

  /** The selected server. @throws UserProblem if it has no page, or the workspace isn't trusted */
  selected() {
    requireTrust();
    const server = this.servers.current();
    const origin = server && serverOrigin(server);
    if (!server || server.kind === 'cloud' || server.kind === 'sandbox' || origin === undefined) {
      throw noPage(server?.name ?? t`no server is selected`);
    }
    return { name: server.name, url: server.url ?? origin, origin };
  }

  /** @throws UserProblem with the reason why the page can't be shown */
  async open(canvas: string, file: CanvasFile, place: PagePlace): Promise<OpenedCanvas> {
    const server = this.selected();
    const { name, url, origin } = server;
    const upstream = new Upstream(url, () => this.#keyOf(url, origin));
    await checkPage(name, upstream);
    const made = this.#proxies.get(origin) ?? this.#listen(upstream);
    this.#proxies.set(origin, made);
    made.catch(() => this.#proxies.delete(origin));
    const proxy = await made;
    proxy.add(canvas, file);
    const close = (): void => {
      if (!proxy.remove(canvas)) return;
      this.#proxies.delete(origin);
      void proxy.close();
    };
    const address = place === 'frame' ? proxy.addressOf(canvas) : proxy.ticketFor(canvas);
    const forwarding = vscode.env.asExternalUri(vscode.Uri.parse(address));
    forwarding.then(undefined, close);
    const external = await forwarding;
    if (!isOwnOrigin(address, external.toString(true))) {
      close();
      throw new UserProblem(
        shown`ComfyUI would share an address with VS Code here, and its scripts could control VS Code.`,
        shown`Open it as text to see what it contains.`,
      );
    }
    proxy.allowHost(external.authority);
    return { address: external.toString(true), server, close };
  }

  async closeAll(): Promise<void> {
    const proxies = [...this.#proxies.values()];
    this.#proxies.clear();
    await Promise.allSettled(proxies.map(async (proxy) => (await proxy).close()));
  }

  async #listen(upstream: Upstream): Promise<CanvasProxy> {
    const script = path.join(panelFolder(this.platform.extensionUri).fsPath, 'canvas', 'comfyPage.js');
    const proxy = new CanvasProxy(upstream, () => readFile(script));
    await proxy.listen();
    return proxy;
  }

  async #keyOf(url: string, origin: string): Promise<Readonly<Record<string, string>>> {
    const value = await this.servers.keys.get(origin);
    if (value === undefined) return {};
    if (!mayCarryCredential(url)) throw unsafeAddress('GET /');
    return credentialHeader({ kind: 'apiKey', value }, 'GET /');
  }
}

/** @throws UserProblem, or ServerError if the key must not be sent */
async function checkPage(name: string, upstream: Upstream): Promise<void> {
  const answer = await upstream
    .fetch('/', {}, AbortSignal.timeout(budgets.canvasStart))
    .catch((error: unknown) => {
      if (error instanceof Error && 'nextAction' in error) throw error;
      throw new UserProblem(shown`${name} didn't respond in time.`, shown`Select another server.`);
    });
  const { status, headers, body } = answer;
  const isPage = headers['content-type']?.startsWith('text/html') === true && body.byteLength > 0;
  if (status !== 200 || !isPage) throw noPage(name);
}

function noPage(name: string): UserProblem {
  return new UserProblem(
    shown`${name} has no ComfyUI page, or asks for a login.`,
    shown`Select another server.`,
    [
      { label: shown`Graph`, command: commands.showGraph },
      { label: shown`Select Server`, command: commands.selectServer },
    ],
  );
}
