import { ServerError } from '../protocol/serverError';

const withoutSocket = 2_000;
const besideSocket = 5_000;
const ceiling = 60_000;
/** A server that asks for more, or whose clock is wrong, must not keep a job from being followed. */
const longestAsked = 5 * 60_000;

export interface PollPace {
  readonly socketOpen: boolean;
  /** Polls in a row that failed. */
  readonly failures: number;
  /** What the last one failed with. */
  readonly trouble?: Error | undefined;
  readonly random: () => number;
}

/**
 * Milliseconds until the next poll. Beside a socket it is the safety net for events that get lost (protocol 3.7);
 * without one it is all there is. Failures double the wait, and a server that names a time is given it.
 */
export function nextPoll({ socketOpen, failures, trouble, random }: PollPace): number {
  if (failures === 0) return socketOpen ? besideSocket * (1 + random()) : withoutSocket;
  const doubled = Math.min(withoutSocket * 2 ** Math.min(failures, 10), ceiling);
  const asked = ServerError.is(trouble) ? Math.min((trouble.retryAfter ?? 0) * 1000, longestAsked) : 0;
  return Math.max(doubled * (0.75 + random() / 4), asked);
}

/** Nobody answers, or only a gateway in the server's place. */
export function isSilence(error: unknown): boolean {
  if (!ServerError.is(error)) return false;
  const status = error.status ?? 0;
  return error.reason === 'network' || error.reason === 'timeout' || (status >= 502 && status <= 504);
}

/** The server does not let us in: asking again helps only after the person did something. */
export function isShutOut(error: unknown): boolean {
  return ServerError.is(error, 'unauthorized') || ServerError.is(error, 'forbidden');
}
