import * as vscode from 'vscode';
import { commands, type CommandId, contextKeys, views, walkthroughs } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import { registerCommand } from '../platform/commandRegistry';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { openPage } from '../platform/openFile';
import { serverOrigin } from './knownServers';
import type { Servers } from './servers';

/** Credits, plan and keys of a Comfy account. */
const accountPage = 'https://platform.comfy.org/profile';

const picks = () => import('./serverPicks');

/** Selecting a server, signing in and out, checking the connection, the sandbox. */
export class ServerFeature implements Feature {
  constructor(
    private readonly servers: Servers,
    private readonly log: Log,
  ) {}

  register(context: vscode.ExtensionContext): void {
    const { servers, log } = this;
    const command = (id: CommandId, handler: () => unknown): vscode.Disposable =>
      registerCommand(log, id, handler);
    context.subscriptions.push(
      command(commands.selectServer, async () => (await picks()).selectServer(servers)),
      command(commands.addServer, async () => (await picks()).addAndSelectServer(servers)),
      command(commands.removeServer, async () => (await picks()).removeServers(servers)),
      command(commands.signIn, async () => (await picks()).signIn(servers)),
      command(commands.signOut, async () => (await picks()).signOut(servers)),
      command(commands.checkConnection, async () => (await picks()).checkConnection(servers)),
      command(commands.startSandbox, async () => (await picks()).selectSandbox(servers)),
      command(commands.stopSandbox, () => servers.stopSandbox()),
      command(commands.showLog, () => log.show()),
      command(commands.openAccount, () => openPage(accountPage)),
      command(commands.showJobs, () => vscode.commands.executeCommand(`${views.jobs}.focus`)),
      command(commands.openWalkthrough, () =>
        vscode.commands.executeCommand(
          'workbench.action.openWalkthrough',
          `${context.extension.id}#${walkthroughs.start}`,
          false,
        ),
      ),
      servers.onDidChange(() => void this.#tellSignedIn()),
    );
    setTimeout(() => servers.start(), 0);
  }

  async #tellSignedIn(): Promise<void> {
    const server = this.servers.current();
    const origin = server && server.kind !== 'sandbox' ? serverOrigin(server) : undefined;
    const key = origin === undefined ? undefined : await this.servers.keys.get(origin);
    setContext(contextKeys.signedIn, key !== undefined);
  }
}
