import { numberAt } from '../../safety/lists';
import { t } from '../../safety/localize';
import { randomUUID } from 'node:crypto';
import type { InstalledPack } from '../../protocol/managerAnswers';
import { abortableSleep, orAborted } from '../timing';
import type { Transport } from '../transport';
import {
  busyManager,
  failedInstall,
  forbiddenInstall,
  InstallProblem,
  tooOldManager,
  unknownToManager,
} from './installProblem';
import {
  postToManager,
  readInstalled,
  readQueueStatus,
  readTaskEnd,
  tellManager,
  type NodeManager,
} from './managerRequests';
import { isVersion } from './versionText';

export interface PackVersion {
  readonly id: string;
  readonly version: string;
}

export interface InstallOptions {
  readonly signal: AbortSignal;
  /** Called when the pack enters the manager's queue: from then on, nothing can be undone. */
  readonly onQueued?: (() => void) | undefined;
  readonly clientId?: string | undefined;
  /** Milliseconds between two polls of the queue. */
  readonly pause?: number | undefined;
  /** Milliseconds after which waiting ends. */
  readonly patience?: number | undefined;
}

const defaultPause = 1_500;
/** Compiling Python packages takes time. */
const defaultPatience = 45 * 60_000;

/** The manager joins these into one text, divided by `@`. */
const plainId = /^[A-Za-z0-9][\w.-]{0,199}$/;
const plainVersion = /^\d[\w.+-]{0,99}$/;

/**
 * Sends the install once (protocol 9.3). The installed version may differ from the requested one. Fails with
 * `InstallProblem` or `ServerError`; an abort rejects with the signal's reason.
 */
export async function installPackVersion(
  transport: Transport,
  manager: NodeManager,
  pack: PackVersion,
  options: InstallOptions,
): Promise<InstalledPack> {
  const { signal } = options;
  requirePlain(pack);
  requireStart(manager);
  // Starting the queue starts everything in it, so no other tasks may wait there that nobody was asked about.
  const { isProcessing, remaining } = await readQueueStatus(transport, manager, signal);
  if (isProcessing || remaining > 0) throw busyManager();
  const before = installed(await readInstalled(transport, manager, signal), pack);
  const task = randomUUID();
  await orAborted(send(transport, manager, pack, task, options), signal);
  const isTold = await settled(transport, manager, pack, task, options);
  const after = installed(await readInstalled(transport, manager, signal), pack);
  // Only version 4 reports how a task ended; for version 3, the installed folders show whether it worked.
  const isAsked = isVersion(after?.version, pack.version);
  const isNew = isAsked || after?.version !== before?.version || !before?.enabled;
  if (!after?.enabled || !(isTold || isNew)) throw failedInstall(pack.id);
  return after;
}

function requirePlain({ id, version }: PackVersion): void {
  if (plainId.test(id) && plainVersion.test(version)) return;
  throw new InstallProblem(
    'badRequest',
    t`The registry lists this pack or its version under a name that servers can't install.`,
    t`Choose another version, or install it manually.`,
  );
}

/** Older managers start the queue by GET. A queued install would run when someone else starts it (protocol 9.2). */
function requireStart(manager: NodeManager): void {
  const oldest = manager.takes === 'task' ? [4, 2, 1] : [3, 40];
  const found = manager.version.replace(/^V/i, '').split('.').map(Number);
  const at = oldest.findIndex((part, index) => numberAt(found, index) !== part);
  if (at !== -1 && numberAt(found, at) < numberAt(oldest, at)) throw tooOldManager(manager);
}

/** Never aborted between the two requests, because a queued task would run when someone else starts the queue. */
async function send(
  transport: Transport,
  manager: NodeManager,
  pack: PackVersion,
  task: string,
  options: InstallOptions,
): Promise<void> {
  options.signal.throwIfAborted();
  options.onQueued?.();
  await queue(transport, manager, pack, task, options);
  await start(transport, manager, pack);
}

async function queue(
  transport: Transport,
  manager: NodeManager,
  { id, version }: PackVersion,
  task: string,
  { clientId = task }: InstallOptions,
): Promise<void> {
  const params = {
    id,
    version,
    selected_version: version,
    mode: 'cache',
    channel: 'default',
    skip_post_install: false,
  };
  const bodies = {
    install: { ...params, ui_id: task },
    task: { kind: 'install', ui_id: task, client_id: clientId, params },
  };
  const { takes } = manager;
  const { status, text } = await postToManager(transport, manager, takes, bodies[takes]);
  if (status === 403 || (status === 404 && /security/i.test(text))) throw forbidden(id, text);
  // The endpoint gives reasons; a router gives at most the status.
  if (status === 405 || (status === 404 && (takes !== 'install' || isRouter(text))))
    throw tooOldManager(manager);
  if (status === 404) throw unknownToManager(id, text);
}

function isRouter(text: string): boolean {
  return /^\s*(404\b.*)?$/.test(text);
}

/** Nothing is installed on a ComfyUI that lacks the protection of the manager's own files. */
function forbidden(id: string, text: string): InstallProblem {
  return text.includes('comfyui_outdated')
    ? new InstallProblem(
        'forbidden',
        t`The server's ComfyUI is too old for its ComfyUI-Manager to install packs.`,
        t`Update ComfyUI.`,
      )
    : forbiddenInstall(id);
}

async function start(transport: Transport, manager: NodeManager, { id }: PackVersion): Promise<void> {
  const { status } = await tellManager(transport, manager, 'queue/start', 30_000);
  if (status === 403) throw forbiddenInstall(id);
}

/** Waits until the queue is done with the pack; true if the manager itself reports success. */
async function settled(
  transport: Transport,
  manager: NodeManager,
  pack: PackVersion,
  task: string,
  { signal, pause = defaultPause, patience = defaultPatience }: InstallOptions,
): Promise<boolean> {
  const until = Date.now() + patience;
  for (;;) {
    // Before the history, which contains what left the queue.
    const { isProcessing, remaining } = await readQueueStatus(transport, manager, signal);
    const end = manager.takes === 'task' ? await readTaskEnd(transport, task, signal) : undefined;
    if (end?.isDone) return true;
    if (end) throw taskProblem(pack.id, end.result);
    if (remaining === 0 && !isProcessing) return false;
    if (Date.now() > until) throw stillInstalling(pack.id);
    await abortableSleep(pause, signal);
  }
}

function taskProblem(id: string, words: string | undefined): InstallProblem {
  // Version 4 says no more about what its security level forbids.
  if (words === 'failed') return forbiddenInstall(id);
  const isUnknown = /not available|not found|cannot resolve/i.test(words ?? '');
  return isUnknown ? unknownToManager(id, words) : failedInstall(id, words);
}

function stillInstalling(id: string): InstallProblem {
  return new InstallProblem(
    'unanswered',
    t`The server's ComfyUI-Manager is still installing ${id}.`,
    t`Follow the progress in the server log, and restart the server when it's done.`,
  );
}

/** IDs differ in case, `-` and `_`. Of several copies the enabled one counts, then the version that was asked for. */
function installed(packs: readonly InstalledPack[], { id, version }: PackVersion): InstalledPack | undefined {
  const wanted = normal(id);
  const found = packs.filter((pack) => normal(pack.id) === wanted);
  const enabled = found.filter((pack) => pack.enabled);
  return enabled.find((pack) => isVersion(pack.version, version)) ?? enabled[0] ?? found[0];
}

function normal(id: string): string {
  return id.toLowerCase().replaceAll('_', '-');
}
