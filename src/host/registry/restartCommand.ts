import { plural } from '../../core/safety/localize';
import * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { isCancellation, UserProblem } from '../platform/problems';
import { ask, showInformation, withProgress } from '../platform/show';
import type { Servers } from '../servers/servers';
import { installTarget, type InstallTarget } from './installTarget';

/** Restarts the selected server through ComfyUI-Manager, after a confirmation and only without jobs. */
export async function restartServer(servers: Servers): Promise<void> {
  const target = await installTarget(servers);
  const { name, url } = target.session.server;
  await requireNoJobs(target);
  const answer = await ask(
    {
      message: shown`Restart ${name}?`,
      detail: shown`The server at ${url} will stop and start again. Anyone else who uses it is disconnected, its history is lost, and models have to be loaded again.`,
    },
    { label: shown`Restart` },
  );
  if (!answer) return;
  // The question may have been open for a while.
  await requireNoJobs(target);
  if (!(await restart(target))) return;
  const { catalog } = await target.session.freshDefinitions(undefined, 0);
  void showInformation(
    catalog
      ? shown`${name} was restarted and has ${catalog.size} node types.`
      : shown`${name} was restarted.`,
  );
}

async function requireNoJobs({ session }: InstallTarget): Promise<void> {
  const { running, pending } = await session.client.queue();
  const jobs = running.length + pending.length;
  if (jobs === 0) return;
  throw new UserProblem(
    plural(
      jobs,
      shown`${session.server.name} was not restarted: 1 job would be lost.`,
      shown`${session.server.name} was not restarted: ${jobs} jobs would be lost.`,
    ),
    shown`Restart it when no jobs are running or queued.`,
    [
      { label: shown`Try Again`, command: commands.restartServer },
      { label: shown`Show Jobs`, command: commands.showJobs },
    ],
  );
}

/** False when the user stopped waiting. */
async function restart({ session, manager }: InstallTarget): Promise<boolean> {
  const left = new AbortController();
  try {
    await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: shown`Restarting ${session.server.name}`,
        cancellable: true,
      },
      (_, token) => {
        token.onCancellationRequested(() => left.abort());
        return session.nodeManager.restart(manager, { signal: left.signal });
      },
    );
    return true;
  } catch (error) {
    if (left.signal.aborted && isCancellation(error)) return false;
    throw error;
  }
}
