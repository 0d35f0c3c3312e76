import { wireObject } from '../../protocol/wire';
import { ServerError } from '../../protocol/serverError';
import { withoutEnd } from '../../safety/ends';
import { t } from '../../safety/localize';
import { connectionEnd } from '../networkError';
import { abortableSleep } from '../timing';
import type { Transport } from '../transport';
import { InstallProblem } from './installProblem';
import { tellManager, type NodeManager } from './managerRequests';

export interface RestartOptions {
  readonly signal: AbortSignal;
  /** Milliseconds between two looks. */
  readonly pause?: number | undefined;
  /** Milliseconds after which a server that does not come back counts as failed. */
  readonly patience?: number | undefined;
  /** Milliseconds in which a server that promised to restart has to go away. */
  readonly leaving?: number | undefined;
  /** Milliseconds for the answer to the request. */
  readonly deadline?: number | undefined;
}

const defaultPause = 1_000;
/** Servers with many packs take minutes. */
const defaultPatience = 10 * 60_000;
const defaultLeaving = 60_000;
const defaultDeadline = 15_000;

/**
 * Sends the restart once (protocol 9.5). If all goes well, the connection breaks before a response. After a response,
 * the server has to be seen down, then up again. Fails with `InstallProblem` or `ServerError`.
 */
export async function restartByManager(
  transport: Transport,
  manager: NodeManager,
  options: RestartOptions,
): Promise<void> {
  const { signal, pause = defaultPause, patience = defaultPatience, leaving = defaultLeaving } = options;
  let isDown = await broke(transport, manager, options);
  const began = Date.now();
  for (;;) {
    await abortableSleep(pause, signal);
    const state = await look(transport, signal);
    if (state === 'up' && isDown) return;
    isDown ||= state === 'down';
    const waited = Date.now() - began;
    if (!isDown && waited > leaving) throw notRestarted();
    if (waited > patience) throw notBack();
  }
}

/** Whether the connection broke; an answer alone says that it will. */
async function broke(
  transport: Transport,
  manager: NodeManager,
  { signal, deadline = defaultDeadline }: RestartOptions,
): Promise<boolean> {
  try {
    const { status } = await tellManager(transport, manager, 'reboot', deadline, signal);
    if (status !== 403) return false;
  } catch (error) {
    if (connectionEnd(error) === 'dropped') return true;
    const isUnclear = ServerError.is(error) && (error.reason === 'timeout' || error.isFromGateway);
    throw isUnclear ? unknownRestart(error.message) : error;
  }
  throw new InstallProblem(
    'forbidden',
    t`The security level of the server's ComfyUI-Manager doesn't allow restarting the server.`,
    t`Restart the server manually, or check its log for the reason.`,
  );
}

/** `unclear`: somebody else answered, or nobody, which a busy server does as well. */
async function look(transport: Transport, signal: AbortSignal): Promise<'up' | 'down' | 'unclear'> {
  try {
    await transport.json(wireObject, {
      path: '/api/system_stats',
      once: true,
      deadline: 5_000,
      maxBytes: 256 * 1024,
      signal,
    });
    return 'up';
  } catch (error) {
    if (connectionEnd(error) !== undefined || (ServerError.is(error) && error.isFromGateway)) return 'down';
    const isDenied = ServerError.is(error, 'unauthorized') || ServerError.is(error, 'forbidden');
    if (!ServerError.is(error) || isDenied) throw error;
    return 'unclear';
  }
}

function unknownRestart(reason: string): InstallProblem {
  return new InstallProblem(
    'unanswered',
    t`Comfy Deck can't tell whether the server is restarting: ${withoutEnd(reason, '.')}.`,
    t`Check whether the server has restarted before you try again.`,
  );
}

function notRestarted(): InstallProblem {
  return new InstallProblem(
    'notRestarted',
    t`ComfyUI-Manager accepted the restart, but the server kept running.`,
    t`Restart the server manually, or check its log for the reason.`,
  );
}

function notBack(): InstallProblem {
  return new InstallProblem(
    'unanswered',
    t`The server hasn't come back since the restart.`,
    t`Restart the server manually, or check its log for the reason.`,
  );
}
