import { t } from '../../core/safety/localize';
import * as vscode from 'vscode';
import type { NodeManager } from '../../core/client/nodeManager/managerRequests';
import { orAborted } from '../../core/client/timing';
import type { ServerSession } from '../../core/server/serverSession';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { requireTrust } from '../platform/requireTrust';
import type { Servers } from '../servers/servers';

/** A user's own server that can install packs. */
export interface InstallTarget {
  readonly session: ServerSession;
  readonly manager: NodeManager;
}

/** How long a page waits to learn whether it can offer an install (ms). */
const patience = 4_000;

/** The server where a pack can be installed; undefined if none, or if it doesn't answer soon. Never fails. */
export async function quietInstallTarget(servers: Servers): Promise<InstallTarget | undefined> {
  if (!vscode.workspace.isTrusted || servers.status.kind === 'unreachable') return undefined;
  try {
    const signal = AbortSignal.timeout(patience);
    return await orAborted(findTarget(servers, signal), signal);
  } catch {
    return undefined;
  }
}

/** Does the same for a user's request, and fails with the reason. */
export async function installTarget(servers: Servers, signal?: AbortSignal): Promise<InstallTarget> {
  requireTrust();
  const target = await findTarget(servers, signal);
  if (target) return target;
  const selectServer = { label: shown`Select Server`, command: commands.selectServer };
  throw new UserProblem(
    shown`Comfy Deck found no supported ComfyUI-Manager on ${servers.current()?.name ?? t`the server`}.`,
    shown`Select a ComfyUI server of your own that has ComfyUI-Manager, or use comfy-cli on the server's machine.`,
    [selectServer],
  );
}

/** Comfy Cloud and the sandbox are never asked, whatever name they are listed under. */
async function findTarget(servers: Servers, signal?: AbortSignal): Promise<InstallTarget | undefined> {
  const kind = servers.current()?.kind;
  if (kind !== 'local' && kind !== 'own') return undefined;
  const session = await servers.quietSession();
  if (!session || servers.sandbox.url === session.server.url) return undefined;
  const { dialect } = await session.capabilities();
  if (dialect !== 'local') return undefined;
  const manager = await session.nodeManager.find(signal);
  return manager && { session, manager };
}
