import { t } from '../../safety/localize';
import { abortableSleep } from '../timing';
import type { Transport } from '../transport';
import { InstallProblem } from './installProblem';
import { tellManager, wentAway, type NodeManager } from './managerRequests';

export interface RestartOptions {
  /** Ends the wait; the restart continues. */
  readonly signal: AbortSignal;
  /** Milliseconds between two looks. */
  readonly pause?: number | undefined;
  /** Milliseconds after which a server that does not come back counts as failed. */
  readonly patience?: number | undefined;
}

const defaultPause = 1_000;
/** Servers with many packs take minutes. */
const defaultPatience = 10 * 60_000;
/** A server that keeps answering after it accepted the restart was faster than our polling, ms. */
const quickRestart = 10_000;

/**
 * Has ComfyUI-Manager restart the server, once, and waits until it answers again (protocol 9.5). On success, the
 * connection breaks instead of an answer. Fails with `InstallProblem` or `ServerError`.
 */
export async function restartServer(
  transport: Transport,
  manager: NodeManager,
  { signal, pause = defaultPause, patience = defaultPatience }: RestartOptions,
): Promise<void> {
  const began = Date.now();
  let isDown = await broke(transport, manager, signal);
  for (;;) {
    await abortableSleep(pause, signal);
    const answers = await isThere(transport, signal);
    if (answers && (isDown || Date.now() - began > quickRestart)) return;
    isDown ||= !answers;
    if (Date.now() - began > patience) {
      throw new InstallProblem(
        'unanswered',
        t`The server has not come back since it was restarted.`,
        t`Check the server log, or start the server manually.`,
      );
    }
  }
}

/** Whether the connection broke; an answer only announces it. */
async function broke(transport: Transport, manager: NodeManager, signal: AbortSignal): Promise<boolean> {
  try {
    const { status } = await tellManager(transport, manager, 'reboot', 15_000, signal);
    if (status !== 403) return false;
  } catch (error) {
    if (wentAway(error)) return true;
    throw error;
  }
  throw new InstallProblem(
    'forbidden',
    t`The security level of the server's ComfyUI-Manager doesn't allow restarting the server.`,
    t`Restart the server manually.`,
  );
}

async function isThere(transport: Transport, signal: AbortSignal): Promise<boolean> {
  try {
    await transport.request({ path: '/api/system_stats', once: true, deadline: 5_000, signal });
    return true;
  } catch (error) {
    if (wentAway(error)) return false;
    throw error;
  }
}
