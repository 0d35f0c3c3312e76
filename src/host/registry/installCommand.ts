import * as vscode from 'vscode';
import { isVersion } from '../../core/client/nodeManager/versionText';
import type { InstalledPack } from '../../core/protocol/managerAnswers';
import { jobsText } from '../../core/safety/countText';
import { shown, type Shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { isCancellation, offerSteps, UserProblem } from '../platform/problems';
import { askToGoOn, type Button, showCancellable, showInformation, showWarning } from '../platform/show';
import { Owner } from '../platform/feature';
import type { Servers } from '../servers/servers';
import { installTarget, type InstallTarget } from './installTarget';
import { type ChosenPack, confirmInstall, type PackToInstall, readPackToInstall } from './packToInstall';
import type { Registry } from './registries';
import { fictionalPack } from './packWords';
import { orAborted } from '../../core/client/timing';

/** Packs that are read, asked about or installed: a second press starts nothing. */
const underWay = new Set<string>();

/** Has the server's ComfyUI-Manager install a pack, after a confirmation that lists what will run. */
export async function confirmAndInstallPack(servers: Servers, registry: Registry, id: string): Promise<void> {
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
    if (next === 'again') await confirmAndInstallPack(servers, registry, id);
    if (next !== 'ask') return;
  }
  await oneAtATime(id, () => askAndInstall(read.value));
}

async function askAndInstall(found: PackToInstall): Promise<void> {
  const chosen = await confirmInstall(found);
  if (!chosen) return;
  tellInstalled(found.target, chosen, await install(found.target, chosen));
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
  throw new UserProblem(shown`${fictionalPack()}`, shown`Search for the pack in the real registry.`);
}

async function install(
  { session, manager }: InstallTarget,
  { card, version }: ChosenPack,
): Promise<InstalledPack> {
  const { name } = session.server;
  const sent = { isQueued: false };
  const title = shown`Installing ${card.name} ${version} on ${name}`;
  const installing = showCancellable(title, (signal, progress) => {
    const onQueued = (): void => {
      sent.isQueued = true;
      progress.report({ message: shown`ComfyUI-Manager is working` });
    };
    return session.nodeManager.install(manager, { id: card.id, version }, { signal, onQueued });
  });
  return Promise.resolve(installing).catch((error: unknown) => {
    if (isCancellation(error) && sent.isQueued)
      void showInformation(
        shown`${name} may still install ${card.name}, because an installation can't be stopped once it has started.`,
      );
    throw error;
  });
}

/** Tells what the manager lists, which is not always what it was asked for. */
function tellInstalled(
  { session }: InstallTarget,
  { card, version: asked }: ChosenPack,
  { version }: InstalledPack,
): void {
  const { name } = session.server;
  const isAsked = version !== undefined && isVersion(version, asked);
  const words =
    version === undefined
      ? shown`${card.name} is installed, version unknown. Restart ${name} to use its node types.`
      : isAsked
        ? shown`${card.name} ${version} is installed. Restart ${name} to use its node types.`
        : shown`${card.name} ${version} was installed instead of ${asked}. Restart ${name} to use its node types.`;
  const restart = { label: shown`Restart Server…`, command: commands.restartServer };
  offerSteps(isAsked ? showInformation : showWarning, words, [restart]);
}

/** Restarts the selected server through ComfyUI-Manager, after a confirmation and only without jobs. */
export async function confirmAndRestartServer(servers: Servers): Promise<void> {
  const read = await readForQuestion(shown`Checking whether the server can be restarted`, async (signal) => {
    const target = await installTarget(servers, signal);
    await requireNoJobs(target, signal);
    return target;
  });
  const { name } = read.value.session.server;
  if (!read.isAwaited) {
    const words = shown`${name} can be restarted now.`;
    const next = await offerQuestion(words, { label: shown`Restart…` }, read);
    if (next === 'again') await confirmAndRestartServer(servers);
    if (next !== 'ask') return;
  }
  await askAndRestart(read.value);
}

async function askAndRestart(target: InstallTarget): Promise<void> {
  const { name, url } = target.session.server;
  const mayRestart = await askToGoOn({
    message: shown`Restart ${name}?`,
    detail: shown`The server at ${url} will stop and start again. Anyone else who uses it is disconnected, its history is lost, and models have to be loaded again.`,
    goOn: shown`Restart`,
  });
  if (!mayRestart) return;
  await restart(target);
  const { catalog } = await target.session.freshDefinitions(undefined, 0);
  void showInformation(
    catalog
      ? shown`${name} was restarted and has ${catalog.size} node types.`
      : shown`${name} was restarted.`,
  );
}

async function requireNoJobs({ session }: InstallTarget, signal: AbortSignal): Promise<void> {
  const { running, pending } = await session.client.queue(signal);
  const jobs = running.length + pending.length;
  if (jobs === 0) return;
  throw new UserProblem(
    shown`${session.server.name} wasn't restarted, because ${jobsText(jobs)} would be lost.`,
    shown`Restart it when no jobs are running or queued.`,
    [
      { label: shown`Try Again`, command: commands.restartServer },
      { label: shown`Show Jobs`, command: commands.showJobs },
    ],
  );
}

async function restart(target: InstallTarget): Promise<void> {
  const { session, manager } = target;
  await showCancellable(shown`Restarting ${session.server.name}`, async (signal) => {
    // The question may have stood there for a while.
    await requireNoJobs(target, signal);
    await session.nodeManager.restart(manager, { signal });
  });
}

/** Time to read what a question needs; after that, it isn't read (ms). */
const patience = 30_000;
/** After a longer wait than this, the user may have turned to something else, and may be typing (ms). */
const soon = 1_500;
/** Answers older than this are read again (ms). */
const fresh = 60_000;

interface ReadForQuestion<T> {
  readonly value: T;
  /** The user still waits for it and has done nothing else since: a question may come up by itself. */
  readonly isAwaited: boolean;
  readonly readAt: number;
}

/** Reads what a question says, with a progress that can be cancelled. */
async function readForQuestion<T>(
  title: Shown,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<ReadForQuestion<T>> {
  const began = Date.now();
  const attention = new Attention();
  const limit = AbortSignal.timeout(patience);
  try {
    const { value, left } = await showCancellable(title, async (left) => {
      const signal = AbortSignal.any([left, limit]);
      return { value: await orAborted(read(signal), signal), left };
    });
    left.throwIfAborted();
    const readAt = Date.now();
    return { value, isAwaited: attention.isHere && readAt - began < soon, readAt };
  } catch (error) {
    if (limit.aborted && error === limit.reason) throw tooLate();
    throw error;
  } finally {
    attention.dispose();
  }
}

/** The question comes up after a click, so it takes no key that was meant for something else. */
async function offerQuestion(
  words: Shown,
  button: Button,
  { readAt }: Pick<ReadForQuestion<unknown>, 'readAt'>,
): Promise<'ask' | 'again' | undefined> {
  const answer = await showInformation(words, button);
  if (!answer) return undefined;
  return Date.now() - readAt > fresh ? 'again' : 'ask';
}

function tooLate(): UserProblem {
  return new UserProblem(
    shown`Couldn't get the details within ${patience / 1000} seconds. Nothing was changed.`,
    shown`Check the connection to the server and to the node registry, then try again.`,
  );
}

class Attention extends Owner {
  #isHere = true;

  constructor() {
    super();
    const gone = (): void => {
      this.#isHere = false;
    };
    this.own(
      vscode.window.onDidChangeActiveTextEditor(gone),
      vscode.window.onDidChangeTextEditorSelection(gone),
      vscode.window.onDidChangeActiveTerminal(gone),
      vscode.window.onDidChangeActiveNotebookEditor(gone),
      vscode.window.tabGroups.onDidChangeTabs(gone),
      vscode.workspace.onDidChangeTextDocument(gone),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (!focused) gone();
      }),
    );
  }

  get isHere(): boolean {
    return this.#isHere;
  }
}
