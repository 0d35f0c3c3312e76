import * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { isCancellation } from '../platform/problems';
import { showInformation, withProgress } from '../platform/show';
import type { Servers } from '../servers/servers';
import { installTarget, type InstallTarget } from './installTarget';
import { type ChosenPack, confirmInstall, readPackToInstall } from './packToInstall';
import type { Registry } from './registries';

/** Packs being confirmed or installed: a second press does nothing. */
const underWay = new Set<string>();

/** Has the server's ComfyUI-Manager install a pack, after a confirmation that lists what will run. */
export async function installPack(servers: Servers, registry: Registry, id: string): Promise<void> {
  if (underWay.has(id)) return;
  underWay.add(id);
  try {
    const target = await installTarget(servers);
    const chosen = await confirmInstall(await readPackToInstall(registry, id), target);
    if (chosen && (await install(target, chosen))) tellInstalled(target, chosen);
  } finally {
    underWay.delete(id);
  }
}

/** False when the user stopped waiting. */
async function install({ session, manager }: InstallTarget, { card, version }: ChosenPack): Promise<boolean> {
  const { name } = session.server;
  const left = new AbortController();
  const sent = { isQueued: false };
  try {
    await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: shown`Installing ${card.name} ${version} on ${name}`,
        cancellable: true,
      },
      (progress, token) => {
        token.onCancellationRequested(() => left.abort());
        const onQueued = (): void => {
          sent.isQueued = true;
          progress.report({ message: shown`ComfyUI-Manager is working` });
        };
        return session.nodeManager.install(
          manager,
          { id: card.id, version },
          { signal: left.signal, onQueued },
        );
      },
    );
    return true;
  } catch (error) {
    if (!left.signal.aborted || !isCancellation(error)) throw error;
    if (sent.isQueued) {
      void showInformation(
        shown`${name} may continue installing ${card.name}: an installation that has started can't be stopped from here.`,
      );
    }
    return false;
  }
}

function tellInstalled({ session }: InstallTarget, { card, version }: ChosenPack): void {
  const restart = { label: shown`Restart Server…` };
  void showInformation(
    shown`${card.name} ${version} is installed. ${session.server.name} must be restarted before its node types are available.`,
    restart,
  ).then((answer) => {
    if (answer) void vscode.commands.executeCommand(commands.restartServer);
  });
}
