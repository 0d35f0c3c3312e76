import { ServerError } from '../protocol/serverError';

const withoutSocket = 2_000;
const besideSocket = 5_000;
const ceiling = 60_000;
/** A server that asks for longer waits, or whose clock is wrong, must not prevent tracking a job. */
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
 * Milliseconds until the next poll. With a socket, polling makes up for lost events (protocol 3.7); without one, it is
 * all there is. Failures double the delay, and a server's own delay is respected.
 */
export function nextPoll({ socketOpen, failures, trouble, random }: PollPace): number {
  if (failures === 0) return socketOpen ? besideSocket * (1 + random()) : withoutSocket;
  const doubled = Math.min(withoutSocket * 2 ** Math.min(failures, 10), ceiling);
  const asked = ServerError.is(trouble) ? Math.min((trouble.retryAfter ?? 0) * 1000, longestAsked) : 0;
  return Math.max(doubled * (0.75 + random() / 4), asked);
}

/** No answer, or only one from a gateway. */
export function isSilence(error: unknown): boolean {
  if (!ServerError.is(error)) return false;
  const status = error.status ?? 0;
  return error.reason === 'network' || error.reason === 'timeout' || (status >= 502 && status <= 504);
}

/** The server refuses access: asking again helps only after the user did something. */
export function isShutOut(error: unknown): boolean {
  return ServerError.is(error, 'unauthorized') || ServerError.is(error, 'forbidden');
}
