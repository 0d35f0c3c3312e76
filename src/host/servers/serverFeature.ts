import * as vscode from 'vscode';
import type { RunSession } from '../../core/runLife/runSession';
import { mayCarryCredential, addressOrigin } from '../../core/client/address';
import { startOfSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { commands, contextKeys, views, walkthroughs } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import { registerCommand } from '../platform/commandRegistry';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { openPage } from '../platform/openFile';
import { UserProblem, type NextStep } from '../platform/problems';
import { keyProblem } from './keys';
import { sandboxServerName, serverOrigin, type KnownServer } from './knownServers';
import { describeStatus, type ServerStatus } from './serverStatus';
import type { Servers } from './servers';
import { askText, showInformation, showProgress } from '../platform/show';

/** Credits, plan and keys of a Comfy account. */
const accountPage = 'https://platform.comfy.org/profile';

const selectServer: NextStep = { label: shown`Select Server`, command: commands.selectServer };

const picks = () => import('./serverPicks');

/** Selecting a server, signing in and out, checking the connection, the sandbox. */
export class ServerFeature implements Feature {
  readonly #servers: Servers;
  readonly #log: Log;

  constructor(servers: Servers, log: Log) {
    this.#servers = servers;
    this.#log = log;
  }

  register(context: vscode.ExtensionContext): void {
    const command = (id: Parameters<typeof registerCommand>[1], handler: () => unknown): vscode.Disposable =>
      registerCommand(this.#log, id, handler);
    context.subscriptions.push(
      command(commands.selectServer, () => this.selectServer()),
      command(commands.addServer, () => this.#addServer()),
      command(commands.removeServer, async () => (await picks()).removeServers(this.#servers)),
      command(commands.signIn, () => this.signIn()),
      command(commands.signOut, () => this.#signOut()),
      command(commands.checkConnection, () => this.#checkConnection()),
      command(commands.startSandbox, () => this.#startSandbox()),
      command(commands.stopSandbox, () => this.#stopSandbox()),
      command(commands.showLog, () => this.#log.show()),
      command(commands.openAccount, () => openPage(accountPage)),
      command(commands.showJobs, () => vscode.commands.executeCommand(`${views.jobs}.focus`)),
      command(commands.openWalkthrough, () =>
        vscode.commands.executeCommand(
          'workbench.action.openWalkthrough',
          `${context.extension.id}#${walkthroughs.start}`,
          false,
        ),
      ),
      this.#servers.onDidChange(() => void this.#tellSignedIn()),
    );
    setTimeout(() => this.#servers.start(), 0);
  }

  /** True if a server is selected afterwards. */
  async selectServer(): Promise<boolean> {
    const server = await (await picks()).pickServer(this.#servers);
    if (!server) return false;
    await this.#servers.select(server);
    if (server.kind === 'sandbox') await this.#servers.session();
    const origin = serverOrigin(server);
    if (
      server.kind === 'cloud' &&
      origin !== undefined &&
      (await this.#servers.keys.get(origin)) === undefined
    ) {
      return this.signIn();
    }
    await this.#servers.check();
    return true;
  }

  /** A session of the selected server, after asking for what is missing; undefined when cancelled. */
  async readySession(): Promise<RunSession | undefined> {
    if (!this.#servers.current() && !(await this.selectServer())) return undefined;
    const server = this.#servers.current();
    if (server?.kind === 'cloud' && (await this.#keyOf(server)) === undefined && !(await this.signIn())) {
      return undefined;
    }
    return this.#servers.session();
  }

  /** Asks for the key of the current server and tests it; true when one is stored afterwards. */
  async signIn(): Promise<boolean> {
    const server = this.#servers.current();
    if (!server) return this.selectServer();
    if (server.kind === 'sandbox') {
      throw new UserProblem(shown`The sandbox doesn't use a key.`, shown`Select another server.`, [
        selectServer,
      ]);
    }
    if (server.url === undefined) return false;
    const origin = addressOrigin(server.url);
    if (!mayCarryCredential(server.url)) {
      throw new UserProblem(
        shown`API keys are never sent to ${origin}, because the connection isn't encrypted.`,
        shown`Use an https address for the server, or reach it through this machine (127.0.0.1).`,
        [selectServer],
      );
    }
    const typed = await askText({
      title: shown`Sign in to ${server.name}`,
      prompt: shown`API key for ${origin}. It is stored in VS Code's secret storage and sent only to this address.`,
      password: true,
      problem: keyProblem,
    });
    if (typed === undefined) return false;
    const before = await this.#servers.keys.get(origin);
    await this.#storeKey(origin, typed.trim());
    const status = await this.#checkWithProgress();
    if (status.kind === 'connected') {
      void showInformation(shown`Signed in to ${server.name}.`);
      return true;
    }
    // A key that the server rejects is not stored, and does not replace one that worked.
    if (status.kind === 'refused') await this.#storeKey(origin, before);
    this.#tellStatus(status);
    return status.kind !== 'refused' && status.kind !== 'noKey';
  }

  async #storeKey(origin: string, key: string | undefined): Promise<void> {
    if (key === undefined) await this.#servers.keys.delete(origin);
    else await this.#servers.keys.set(origin, key);
  }

  async #signOut(): Promise<void> {
    const server = this.#servers.current();
    const origin = server && serverOrigin(server);
    if (!server || origin === undefined) return;
    if ((await this.#servers.keys.get(origin)) === undefined) {
      void showInformation(shown`You're not signed in to ${server.name}.`);
      return;
    }
    await this.#servers.keys.delete(origin);
    void showInformation(shown`Signed out of ${server.name}. Its key was removed from this machine.`);
  }

  async #addServer(): Promise<void> {
    const server = await (await picks()).addServer(this.#servers);
    if (!server) return;
    await this.#servers.select(server);
    this.#tellStatus(await this.#checkWithProgress());
  }

  async #checkConnection(): Promise<void> {
    const server = this.#servers.current();
    if (!server) {
      await this.selectServer();
      return;
    }
    if (server.kind === 'sandbox') await this.#servers.session();
    const status = await this.#checkWithProgress();
    if (status.kind === 'connected') {
      void showInformation(shown`${server.name}: ${describeStatus(server, status)}.`);
    } else this.#tellStatus(status);
  }

  async #startSandbox(): Promise<void> {
    const sandbox = this.#servers.list().find(({ name }) => name === sandboxServerName);
    if (!sandbox) return;
    await this.#servers.select(sandbox);
    await this.#servers.session();
    await this.#servers.check();
  }

  async #stopSandbox(): Promise<void> {
    const origin = this.#servers.sandbox.url && addressOrigin(this.#servers.sandbox.url);
    if (origin !== undefined) await this.#servers.sessions.close(origin);
    await this.#servers.sandbox.stop();
  }

  #checkWithProgress(): Thenable<ServerStatus> {
    const options = {
      location: vscode.ProgressLocation.Window,
      title: shown`Comfy Deck: checking the connection`,
    };
    return showProgress(options, () => this.#servers.check());
  }

  #tellStatus(status: ServerStatus): void {
    const name = this.#servers.current()?.name ?? startOfSentence(t`the server`);
    if (status.kind === 'noKey') {
      throw new UserProblem(shown`${name} needs an API key.`, shown`Sign in, or select another server.`, [
        { label: shown`Sign In`, command: commands.signIn },
        selectServer,
      ]);
    }
    if (status.kind === 'refused' || status.kind === 'unreachable') {
      const again: NextStep =
        status.kind === 'refused'
          ? { label: shown`Sign In`, command: commands.signIn }
          : { label: shown`Check Again`, command: commands.checkConnection };
      throw new UserProblem(shown`${name}: ${status.problem}`, shown`${status.nextAction}`, [
        again,
        selectServer,
      ]);
    }
  }

  async #tellSignedIn(): Promise<void> {
    const server = this.#servers.current();
    const key = server && server.kind !== 'sandbox' ? await this.#keyOf(server) : undefined;
    setContext(contextKeys.signedIn, key !== undefined);
  }

  async #keyOf(server: KnownServer): Promise<string | undefined> {
    const origin = serverOrigin(server);
    return origin === undefined ? undefined : this.#servers.keys.get(origin);
  }
}
