import { plural } from '../../core/safety/localize';
import * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { isCancellation, UserProblem } from '../platform/problems';
import { ask, showInformation, withProgress } from '../platform/show';
import type { Servers } from '../servers/servers';
import { offerQuestion, readForQuestion } from './awaitedQuestion';
import { installTarget, type InstallTarget } from './installTarget';

/** Restarts the selected server through ComfyUI-Manager, after a confirmation and only without jobs. */
export async function restartServer(servers: Servers): Promise<void> {
  const read = await readForQuestion(shown`Checking whether the server can be restarted`, async (signal) => {
    const target = await installTarget(servers, signal);
    await requireNoJobs(target, signal);
    return target;
  });
  if (!read) return;
  const { name } = read.value.session.server;
  if (!read.isAwaited) {
    const words = shown`${name} can be restarted now.`;
    const next = await offerQuestion(words, { label: shown`Restart…` }, read);
    if (next === 'again') await restartServer(servers);
    if (next !== 'ask') return;
  }
  await askAndRestart(read.value);
}

async function askAndRestart(target: InstallTarget): Promise<void> {
  const { name, url } = target.session.server;
  const answer = await ask(
    {
      message: shown`Restart ${name}?`,
      detail: shown`The server at ${url} will stop and start again. Anyone else who uses it is disconnected, its history is lost, and models have to be loaded again.`,
    },
    { label: shown`Restart` },
  );
  if (!answer) return;
  if (!(await restart(target))) return;
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
    plural(
      jobs,
      shown`${session.server.name} wasn't restarted, because 1 job would be lost.`,
      shown`${session.server.name} wasn't restarted, because ${jobs} jobs would be lost.`,
    ),
    shown`Restart it when no jobs are running or queued.`,
    [
      { label: shown`Try Again`, command: commands.restartServer },
      { label: shown`Show Jobs`, command: commands.showJobs },
    ],
  );
}

/** False when the user no longer waits. */
async function restart(target: InstallTarget): Promise<boolean> {
  const { session, manager } = target;
  const left = new AbortController();
  try {
    await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: shown`Restarting ${session.server.name}`,
        cancellable: true,
      },
      async (_, token) => {
        token.onCancellationRequested(() => left.abort());
        // The question may have stood there for a while.
        await requireNoJobs(target, left.signal);
        return session.nodeManager.restart(manager, { signal: left.signal });
      },
    );
    return true;
  } catch (error) {
    if (left.signal.aborted && isCancellation(error)) return false;
    throw error;
  }
}
