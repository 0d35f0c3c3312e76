import * as vscode from 'vscode';
import { isVersion } from '../../core/client/nodeManager/versionText';
import type { InstalledPack } from '../../core/protocol/managerAnswers';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { isCancellation, UserProblem } from '../platform/problems';
import { showInformation, showWarning, withProgress } from '../platform/show';
import type { Servers } from '../servers/servers';
import { offerQuestion, readForQuestion } from './awaitedQuestion';
import { installTarget, type InstallTarget } from './installTarget';
import { type ChosenPack, confirmInstall, type PackToInstall, readPackToInstall } from './packToInstall';
import type { Registry } from './registries';

/** Packs that are read, asked about or installed: a second press starts nothing. */
const underWay = new Set<string>();

/** Has the server's ComfyUI-Manager install a pack, after a confirmation that lists what will run. */
export async function installPack(servers: Servers, registry: Registry, id: string): Promise<void> {
  const read = await oneAtATime(id, () =>
    readForQuestion(shown`Checking what ${id} would install`, async (signal) => {
      const target = await installTarget(servers, signal);
      requireRealRegistry(registry);
      return readPackToInstall(registry, id, target, signal);
    }),
  );
  if (!read) return;
  if (!read.isAwaited) {
    const { card, target } = read.value;
    const next = await offerQuestion(
      shown`${card.name} can be installed on ${target.session.server.name} now.`,
      { label: shown`Install…` },
      read,
    );
    if (next === 'again') await installPack(servers, registry, id);
    if (next !== 'ask') return;
  }
  await oneAtATime(id, () => askAndInstall(read.value));
}

async function askAndInstall(found: PackToInstall): Promise<void> {
  const chosen = await confirmInstall(found);
  if (!chosen) return;
  const installed = await install(found.target, chosen);
  if (installed) tellInstalled(found.target, chosen, installed);
}

async function oneAtATime<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
  if (underWay.has(id)) return undefined;
  underWay.add(id);
  try {
    return await work();
  } finally {
    underWay.delete(id);
  }
}

/** The packs of the sandbox are made up: a manager would install whatever else has such a name. */
function requireRealRegistry({ isSandbox }: Registry): void {
  if (!isSandbox) return;
  throw new UserProblem(
    shown`Packs in the sandbox's practice registry are fictional and can't be installed.`,
    shown`Search for the pack in the real registry.`,
  );
}

/** Undefined when the user no longer waits. */
async function install(
  { session, manager }: InstallTarget,
  { card, version }: ChosenPack,
): Promise<InstalledPack | undefined> {
  const { name } = session.server;
  const left = new AbortController();
  const sent = { isQueued: false };
  try {
    return await withProgress(
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
  } catch (error) {
    if (!left.signal.aborted || !isCancellation(error)) throw error;
    if (sent.isQueued) {
      void showInformation(
        shown`${name} may still install ${card.name}, because an installation can't be stopped once it has started.`,
      );
    }
    return undefined;
  }
}

/** Tells what the manager lists, which is not always what it was asked for. */
function tellInstalled(
  { session }: InstallTarget,
  { card, version: asked }: ChosenPack,
  { version }: InstalledPack,
): void {
  const { name } = session.server;
  const restart = { label: shown`Restart Server…` };
  void told().then((answer) => {
    if (answer) void vscode.commands.executeCommand(commands.restartServer);
  });

  function told() {
    if (version === undefined) {
      return showWarning(
        shown`${card.name} is installed, version unknown. Restart ${name} to use its node types.`,
        restart,
      );
    }
    if (isVersion(version, asked)) {
      return showInformation(
        shown`${card.name} ${version} is installed. Restart ${name} to use its node types.`,
        restart,
      );
    }
    return showWarning(
      shown`${card.name} ${version} was installed instead of ${asked}. Restart ${name} to use its node types.`,
      restart,
    );
  }
}
